import Foundation
import TrackingModel
import TrackingPatterns
import TrackingServer

/// The facts that a failure's message reports, and the message, which depends on nothing else.
package struct FailureReport {
  package let kind: CheckFailure.Kind
  let headline: Headline
  let location: CodeLocation
  var isOpen = false
  /// The whole check in words, if they don't fit into the headline.
  var expected: String?
  var patterns: [String] = []
  var details: [String] = []
  /// Whether the headline names the only rejected submission, so that only its body is left to show.
  var namesRejection = false
  var namesLosses = false
  var nearMisses: [NearMisses.Nearest] = []
  /// The entry nearest to a missing match, and its differences.
  package var nearest: (entry: Int, differences: [Difference])? { nearMisses.first.map { ($0.number, $0.differences) } }
  var timeline = Timeline()
  package var rejections: [RejectedSubmission] = []
  /// The SDKs' items that aren't events, since the last reset.
  var others: [(items: OtherItems, count: Int)] = []
  var vocabulary = Vocabulary.calls
  package var lost: [LostEvents] = []
  /// The events that a failure of delivery lists because a part of them couldn't be encoded.
  package var incomplete: [JournalEntry] = []
  /// Requests without a stub, if that may be why an event is missing.
  package var unmatched: [RecordedRequest] = []
  var unrequested: String?
  var hasBlockedMainActor = false
  /// A sentence about a closed connection or a silent app.
  var closing: String?
  var app: String?
  /// The explanation if nothing arrived at all.
  var silence: String?

  static let longestList = 20

  package var failure: CheckFailure { CheckFailure(kind: kind, message: text, location: location) }

  package var text: String {
    ([beginning, expectation, list] + nearMisses.map(nearest) + [
      received, uncounted, problems, rejected, strangers, losses, unmatchedRequests, unrequested ?? "", blocked,
      closing ?? "", about, silence ?? "",
    ])
    .filter { !$0.isEmpty }.joined(separator: "\n\n")
  }

  private var beginning: String {
    let sentences = details.flatMap { $0.split(separator: "\n") }
      .map { Excerpt.wrapped(String($0), indent: $0.hasPrefix(" ") ? 2 : 0) }
    return ([headline.line] + sentences).joined(separator: "\n")
  }

  private var expectation: String {
    expected.map { Excerpt.wrapped("Expected: \(Excerpt.of($0, width: 4 * Excerpt.columns))", indent: 4) } ?? ""
  }

  private var list: String { patterns.isEmpty ? "" : Self.block("Expected:", numberedPatterns) }

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
    // A single entry that is already described needs no list.
    if timeline.rows.count == 1, nearMisses.contains(where: { $0.number == timeline.rows[0].number }) { return "" }
    guard !timeline.rows.isEmpty, !isOpen else { return "" }
    return Self.block(timeline.title(shown: Self.longestList), timeline.lines(shown: Self.longestList))
  }

  private var uncounted: String {
    guard !others.isEmpty else { return "" }
    return Self.block(
      "Also received from SDKs, but not as events, which \(vocabulary.keeping) would make them:",
      others.suffix(Self.longestList / 2).map { items, count in
        let times = count == 1 ? "" : ", \(CountText.times(count))"
        return Excerpt.of("\(items.kind) \(items.name) (\(items.format))\(times)", width: Excerpt.columns - 4)
      })
  }

  private var rejected: String {
    let rejections = rejections.filter { !$0.isOfAnotherSession && !$0.isProblemReport }
    guard !rejections.isEmpty else { return "" }
    if namesRejection, rejections.count == 1 {
      let body = String(decoding: rejections[0].body, as: UTF8.self)
      return body.isEmpty ? "" : Self.block("Its body:", [Excerpt.of(body, width: Excerpt.columns - 4)])
    }
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
      \(vocabulary.strangerHint)
      """)
  }

  private var losses: String {
    if namesLosses { return "" }
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

  private var unmatchedRequests: String {
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

  private var about: String {
    let lines = (app ?? "").split(whereSeparator: \.isNewline)
    return lines.map { Excerpt.of(String($0), width: 2 * Excerpt.columns) }.joined(separator: "\n")
  }

  private static func block(_ title: String, _ lines: [String]) -> String {
    ([title] + lines.map { "    \($0)" }).joined(separator: "\n")
  }
}

extension FailureReport {
  package init(of run: CheckRun, _ end: CheckEnd, _ context: FailureContext) {
    let call = run.call
    let isOpen = if case .stillOpen = end { true } else { false }
    var scale = run.scale
    scale.isOver = !isOpen
    let (kind, kinds) = (call.check.kind, call.check.kinds)
    let inTime = context.entries(for: call.check).filter {
      $0.arrival <= scale.deadline && kinds.contains($0)
    }
    let explanation = run.evaluation.explanation(of: inTime, on: scale)
    let names = CallSiteNames(among: context.entries)
    let near = NearMisses(of: explanation, to: call.check, context, on: scale, names)
    let isCancelled = if case .cancelled = end { true } else { false }
    let facts = VerdictFacts(
      entries: inTime, scale: scale, time: end.time(of: call, context),
      instead: explanation.missing.isEmpty || end.hadNoServer
        ? "" : near.clause(context, of: kinds, among: inTime, on: scale),
      nearestExpected: near.nearest.first?.expected, programEnd: end.programEnd(context),
      isOfExpectation: end.isOfExpectation)
    let headline = end.headline(on: run, facts)
    let hasRejection = context.rejections.count { !$0.isOfAnotherSession && !$0.isProblemReport } == 1

    self.init(
      kind: isCancelled ? .cancelled : explanation.kind, headline: headline, location: call.location, isOpen: isOpen,
      expected: kind.listsPatterns || kind.patterns.isEmpty || headline.names(kind.patterns) ? nil : "\(call.check)",
      patterns: kind.listsPatterns ? kind.patterns.map(\.description) : [],
      details: explanation.details.split(separator: "\n").map(String.init).filter { !headline.says($0) },
      namesRejection: kind.scope == .delivery && hasRejection && !headline.isShortened,
      namesLosses: kind.scope == .delivery && explanation.kind == .lost && context.lost.count == 1,
      nearMisses: near.nearest,
      timeline: Timeline(
        of: context.entries.filter { entry in
          entry.number >= context.origin.entry || explanation.responseNotes[entry.number] != nil
            || near.early.contains { $0.moment.entry.number == entry.number }
        }, on: scale, notes: explanation, since: context.origin,
        kinds: kinds, showsResponses: call.check.readsResponses),
      rejections: context.rejections, others: context.others.map { ($0.items, $0.count) },
      vocabulary: context.vocabulary, lost: context.lost)
    incomplete = kind.scope == .delivery ? explanation.about : []
    details += near.sentences(on: scale) + (near.absentProcess.map { [context.absence(of: $0)] } ?? [])
    // Entries before the mark for one pattern may be too late for another.
    let about = Dictionary((explanation.about + near.outOfTime).map { ($0.number, $0) }) { first, _ in first }
    if let sites = names.sentence(about: about.values.sorted { $0.number < $1.number }) { details.append(sites) }
    guard !explanation.missing.isEmpty else { return }
    if nearMisses.isEmpty, !near.lacksNothing, inTime.count > Self.longestList {
      details.append("\(kinds.counted(inTime.count)) arrived: \(ResultText.names(of: inTime)).")
    }
    // An app may need a response of its backend before it sends the missing event.
    unmatched = context.unmatched
    unrequested = context.unrequested(isOver: scale.isOver)
    hasBlockedMainActor = context.hasBlockedMainActor
    closing =
      context.closing(before: scale.deadline) ?? (end.isAtDeadline ? context.pause(before: scale.deadline) : nil)
    app = context.app
    // Without a server, there is no other reason.
    if end.hadNoServer { return }
    if !context.entries(for: call.check).contains(where: kinds.contains), near.early.isEmpty,
      rejections.isEmpty
    {
      silence = context.silence(about: kinds)
    }
    if inTime.allSatisfy({ $0.request == nil }), explanation.missing.contains(where: \.pattern.mayMeanSubmissions) {
      details.append("An accepted submission of events to POST / is not a request: wait for its events.")
    }
  }
}

extension CheckEnd {
  fileprivate var isAtDeadline: Bool {
    switch self {
    case .decided, .interrupted, .stopped, .testEnded, .unfulfilled: true
    case .programsEnded, .serverNotStarted, .cancelled, .actionThrew, .stillOpen: false
    }
  }
}

extension EntryPattern {
  /// Whether a test may use this pattern for submissions of events.
  fileprivate var mayMeanSubmissions: Bool { requests?.mayMeanSubmissions ?? false }
}

extension FailureContext {
  /// Returns a sentence if the app's connection was closed between the last event and the deadline.
  fileprivate func closing(before deadline: ContinuousClock.Instant) -> String? {
    guard let closed, closed <= deadline, let last = counted.last(where: { $0.event != nil }), closed >= last.arrival
    else { return nil }
    let time = TimeText.duration(closed - last.arrival)
    return "The app's connection closed \(time) after its last event: did the app quit or crash?"
  }

  /// Returns a sentence if the app is running and was silent for at least a second before the deadline.
  fileprivate func pause(before deadline: ContinuousClock.Instant) -> String? {
    guard isAppRunning, let last = entries.last else { return nil }
    let silence = deadline - last.arrival
    guard silence >= .seconds(1) else { return nil }
    return "The app is running and has sent nothing since #\(last.number), \(TimeText.duration(silence)) ago."
  }
}
