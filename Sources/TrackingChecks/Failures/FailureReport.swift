import Foundation
import TrackingModel
import TrackingPatterns
import TrackingServer

/// A failed question: everything that its message reports, and the message.
///
/// The text is a function of these values alone.
package struct FailureReport {
  let end: CheckEnd
  /// Seconds of the wait; `nil` for a check that was decided before.
  let timeout: TimeInterval?
  let location: CodeLocation
  package var kind: CheckFailure.Kind
  /// The question in words.
  let call: String
  /// The patterns of an order.
  var patterns: [String] = []
  /// The finding, in sentences.
  var result: String
  var nearMisses: [NearMisses.Nearest] = []
  /// The entry nearest to what is missing, and its differences.
  package var nearest: (entry: Int, differences: [DifferenceFacts])? { nearMisses.first.map { ($0.number, $0.facts) } }
  var timeline = Timeline()
  package var rejections: [RejectedSubmission] = []
  /// The items of SDKs that are not events, since the last reset.
  var others: [(items: OtherItems, count: Int)] = []
  var advice = Advice.calls
  package var lost: [LostEvents] = []
  /// Requests that no stub matches, where that may be why an event is missing.
  package var unmatched: [RecordedRequest] = []
  /// The sentence about stubs that were never requested, where something is missing.
  var unasked: String?
  /// Whether nothing else of the main actor ran during the wait, where something is missing.
  var hasBlockedMainActor = false
  /// The sentence about a closed connection or a silent app, where something is missing.
  var closing: String?
  /// The test's description of its app, where something is missing.
  var app: String?
  /// The explanation if nothing arrived at all.
  var silence: String?

  /// Lines of a list.
  static let longestList = 20

  package var failure: CheckFailure { CheckFailure(kind: kind, message: text, location: location) }

  package var text: String {
    ([headline, list] + nearMisses.map(nearest) + [
      received, uncounted, problems, rejected, strangers, losses, unanswered, unasked ?? "", blocked, closing ?? "",
      about, silence ?? "",
    ])
    .filter { !$0.isEmpty }.joined(separator: "\n\n")
  }

  private var isOpen: Bool { if case .stillOpen = end { true } else { false } }

  private var headline: String {
    let beginning =
      switch end {
      case .decided, .interrupted, .stopped:
        // Also for what isn't a time.
        timeout.map { "Waited \(TimeText.seconds($0 > 0 ? $0 : 0)) for " } ?? "Waited for "
      case .cancelled: "The task was cancelled while it waited for "
      case .programsEnded: "The program has ended, and with it the wait for "
      case .serverNotStarted: "The verifier could not start, so there was no wait for "
      case .testEnded: "When the test ended, expected "
      case .unfulfilled: "An expectation was not fulfilled: "
      case .actionThrew(let error): "The action threw \(error), so there was no wait for "
      case .stillOpen: "Waiting for "
      }
    let title = Excerpt.wrapped("\(beginning)\(Excerpt.of(call, width: 4 * Excerpt.columns))", indent: 4)
    let sentences = result.split(separator: "\n").map { Excerpt.wrapped(String($0), indent: $0.hasPrefix(" ") ? 2 : 0) }
    return ([title] + sentences).joined(separator: "\n")
  }

  /// The patterns of an order.
  private var list: String { patterns.isEmpty ? "" : Self.block("Asked for:", numberedPatterns) }

  private var numberedPatterns: [String] {
    let lines = patterns.enumerated().map { Excerpt.of("\($0 + 1). \($1)", width: Excerpt.columns - 4) }
    guard lines.count > Self.longestList else { return lines }
    return lines.prefix(Self.longestList - 1) + ["... \(lines.count - Self.longestList + 1) more"]
  }

  private func nearest(_ miss: NearMisses.Nearest) -> String {
    let subject =
      miss.title.isEmpty ? "Nearest" : "Nearest to \(miss.title.prefix(1).lowercased())\(miss.title.dropFirst())"
    let block = Self.block(
      "\(subject) is #\(miss.number), \(miss.place) (\(miss.isEvent ? "- expected, + arrived" : "! differs")):",
      miss.difference)
    return ([block] + (miss.callSite.map { [$0] } ?? [])).joined(separator: "\n")
  }

  private var received: String {
    // One entry that has been described needs no list.
    if timeline.rows.count == 1, nearMisses.contains(where: { $0.number == timeline.rows[0].number }) { return "" }
    guard !timeline.rows.isEmpty, !isOpen else { return "" }
    return Self.block(timeline.title(shown: Self.longestList), timeline.lines(shown: Self.longestList))
  }

  /// Items of SDKs that aren't events unless a test keeps them.
  private var uncounted: String {
    guard !others.isEmpty else { return "" }
    return Self.block(
      "Also received from SDKs, but not as events, which \(advice.keeping) would make them:",
      others.suffix(Self.longestList / 2).map { items, count in
        let times = count == 1 ? "" : ", \(CountText.times(count))"
        return Excerpt.of("\(items.kind) \(items.name) (\(items.format))\(times)", width: Excerpt.columns - 4)
      })
  }

  private var rejected: String {
    let rejections = rejections.filter { !$0.isOfAnotherSession && !$0.isProblemReport }
    guard !rejections.isEmpty else { return "" }
    let shown = rejections.suffix(Self.longestList / 2)
    let verb = rejections.count == 1 ? "was" : "were"
    let title =
      shown.count == rejections.count
      ? "\(rejections.count.counted("submission")) \(verb) rejected:"
      : "\(rejections.count) submissions were rejected; the last \(shown.count) of them:"
    return Self.block(
      title,
      shown.flatMap { rejection in
        let body = String(decoding: rejection.body, as: UTF8.self)
        let reason = Excerpt.wrapped(
          Excerpt.of("\(rejection)", width: 4 * Excerpt.columns), width: Excerpt.columns - 4, indent: 4)
        return reason.split(separator: "\n").map(String.init)
          + (body.isEmpty ? [] : [Excerpt.of("  in \(body)", width: Excerpt.columns - 4)])
      })
  }

  private var problems: String {
    let problems = rejections.filter(\.isProblemReport).map(\.reason)
    guard !problems.isEmpty else { return "" }
    return Self.block(
      "The app reports \(problems.count == 1 ? "a problem" : "\(problems.count) problems"):",
      problems.suffix(Self.longestList / 2).flatMap {
        Excerpt.wrapped($0, width: Excerpt.columns - 4, indent: 2).split(separator: "\n").map(String.init)
      })
  }

  private var strangers: String {
    let count = rejections.count(where: \.isOfAnotherSession)
    guard count > 0 else { return "" }
    return Excerpt.wrapped(
      """
      \(count.counted("submission")) came from an app of another session and \(count == 1 ? "was" : "were") refused: \
      is an app that an earlier test launched still running?
      """)
  }

  private var losses: String {
    let finding = isOpen ? "Tracked, but not arrived yet" : "Tracked but never arrived"
    return lost.map { lost in
      Excerpt.wrapped(
        """
        \(finding): \(lost.count) of \(lost.tracked) events of launch \(lost.launch), \
        \(lost.count == 1 ? "number" : "numbers") \(CountText.list(lost.numberTexts)).
        """)
    }
    .joined(separator: "\n")
  }

  private var unanswered: String {
    guard !unmatched.isEmpty else { return "" }
    let beginning = "No stub matched \(unmatched.count.counted("request"))"
    guard unmatched.contains(where: { $0.nearestStub != nil || $0.problem != nil }) else {
      return Excerpt.wrapped("\(beginning): \(ResultText.names(of: unmatched.map(JournalEntry.request))).", indent: 4)
    }
    return Self.block("\(beginning):", UnmatchedList.lines(of: unmatched))
  }

  private var blocked: String {
    guard hasBlockedMainActor else { return "" }
    return Excerpt.wrapped(
      """
      The wait blocked the main actor, so none of its other code ran, such as a view model's task that tracks: make the \
      function that waits `async` and write `await`.
      """)
  }

  /// The description of the app, a line each.
  private var about: String {
    let lines = (app ?? "").split(whereSeparator: \.isNewline)
    return lines.map { Excerpt.of(String($0), width: 2 * Excerpt.columns) }.joined(separator: "\n")
  }

  private static func block(_ title: String, _ lines: [String]) -> String {
    ([title] + lines.map { "    \($0)" }).joined(separator: "\n")
  }
}

extension FailureReport {
  /// The report of a question.
  package init(of run: CheckRun, _ end: CheckEnd, _ evidence: Evidence) {
    let call = run.call
    var scale = run.scale
    if case .stillOpen = end { scale.isOver = false }
    let (form, kinds) = (call.check.form, call.check.kinds)
    let inTime = evidence.entries(for: call.check).filter {
      $0.arrival <= scale.deadline && kinds.contains($0)
    }
    let explanation = run.evaluation.explanation(of: inTime, on: scale)
    let names = CallSiteNames(among: evidence.entries)
    let near = NearMisses(of: explanation, to: call.check, evidence, on: scale, names)
    let isCancelled = if case .cancelled = end { true } else { false }

    self.init(
      end: end, timeout: run.evaluation.state == .broken ? nil : call.timeout, location: call.location,
      kind: isCancelled ? .cancelled : explanation.kind,
      call: call.words,
      patterns: form.listsPatterns ? form.patterns.map(\.description) : [], result: explanation.result,
      nearMisses: near.nearest,
      timeline: Timeline(
        of: evidence.entries.filter { entry in
          entry.number >= evidence.origin.entry || explanation.answerNotes[entry.number] != nil
            || near.early.contains { $0.moment.entry.number == entry.number }
        }, on: scale, notes: explanation, since: evidence.origin,
        kinds: kinds, showsAnswers: call.check.ordersResponses),
      rejections: evidence.rejections, others: evidence.others.map { ($0.items, $0.count) },
      advice: evidence.advice, lost: evidence.lost)
    result += near.sentences(on: scale).map { "\n\($0)" }.joined()
    // Those that are before the mark for one pattern may be too late for another.
    let about = Dictionary((explanation.about + near.outsiders).map { ($0.number, $0) }) { first, _ in first }
    if let sites = names.sentence(about: about.values.sorted { $0.number < $1.number }) { result += "\n\(sites)" }
    guard !explanation.missing.isEmpty else { return }
    if nearMisses.isEmpty, !near.lacksNothing, inTime.count > Self.longestList {
      result += "\n\(Excerpt.wrapped("They are \(ResultText.names(of: inTime)).", indent: 4))"
    }
    // Without a response of its backend an app may not get as far as the missing event.
    unmatched = evidence.unmatched
    unasked = evidence.unasked(isOver: scale.isOver)
    hasBlockedMainActor = evidence.hasBlockedMainActor
    closing =
      evidence.closing(before: scale.deadline) ?? (end.isAtDeadline ? evidence.pause(before: scale.deadline) : nil)
    app = evidence.app
    // Without a server there is no other reason.
    if case .serverNotStarted = end { return }
    if !evidence.entries(for: call.check).contains(where: kinds.contains), near.early.isEmpty,
      rejections.isEmpty
    {
      silence = evidence.silence(about: kinds)
    }
    if inTime.allSatisfy({ $0.request == nil }), explanation.missing.contains(where: \.pattern.mayMeanSubmissions) {
      result += "\nAn accepted submission of events to POST / is not a request: wait for its events."
    }
  }
}

extension CheckEnd {
  /// Whether a check whose missing entries are reported has waited until its deadline.
  fileprivate var isAtDeadline: Bool {
    switch self {
    case .decided, .interrupted, .stopped, .testEnded, .unfulfilled: true
    case .programsEnded, .serverNotStarted, .cancelled, .actionThrew, .stillOpen: false
    }
  }
}

extension EntryPattern {
  /// Whether a test may mean submissions of events by it.
  fileprivate var mayMeanSubmissions: Bool { requests?.mayMeanSubmissions ?? false }
}

extension Evidence {
  /// The sentence about the app's connection, if it was closed after the last event and before the deadline.
  fileprivate func closing(before deadline: ContinuousClock.Instant) -> String? {
    guard let closed, closed <= deadline, let last = counted.last(where: { $0.event != nil }), closed >= last.arrival
    else { return nil }
    let time = TimeText.duration(closed - last.arrival)
    return "The app's connection closed \(time) after its last event: did the app quit or crash?"
  }

  /// The sentence about an app that is running, if it has been silent for a second and more before the deadline.
  fileprivate func pause(before deadline: ContinuousClock.Instant) -> String? {
    guard isAppRunning, let last = entries.last else { return nil }
    let silence = deadline - last.arrival
    guard silence >= .seconds(1) else { return nil }
    return "The app is running and has sent nothing since #\(last.number), \(TimeText.duration(silence)) ago."
  }
}
