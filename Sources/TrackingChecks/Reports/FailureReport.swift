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
    guard lines.count > Timeline.longestList else { return lines }
    return lines.prefix(Timeline.longestList - 1) + ["... \(lines.count - Timeline.longestList + 1) more"]
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
    return Self.block(timeline.title(shown: Timeline.longestList), timeline.lines(shown: Timeline.longestList))
  }

  private var uncounted: String {
    guard !others.isEmpty else { return "" }
    return Self.block(
      "Also received from SDKs, but not as events, which \(vocabulary.keeping) would make them:",
      others.suffix(Timeline.longestList / 2).map { items, count in
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
    let shown = rejections.suffix(Timeline.longestList / 2)
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
      problems.suffix(Timeline.longestList / 2).flatMap {
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
    let failure = ExplainedFailure(of: run, end, context)
    self.init(
      kind: end.isCancelled ? .cancelled : failure.explanation.kind, headline: failure.headline,
      location: run.call.location, isOpen: end.isOpen, expected: failure.expected, patterns: failure.listedPatterns,
      details: failure.details, namesRejection: failure.namesRejection, namesLosses: failure.namesLosses,
      nearMisses: failure.near.nearest, timeline: failure.timeline, rejections: context.rejections,
      others: context.others.map { ($0.items, $0.count) }, vocabulary: context.vocabulary, lost: context.lost)
    incomplete = failure.incomplete
    guard failure.isMissing else { return }
    // An app may need a response of its backend before it sends the missing event.
    unmatched = context.unmatched
    unrequested = context.unrequested(isOver: !end.isOpen)
    hasBlockedMainActor = context.hasBlockedMainActor
    closing = failure.closing
    app = context.app(exceptIn: failure.headline)
    silence = failure.silence
  }
}
