import Foundation
import StubModel
import TrackingModel
import TrackingPatterns
import TrackingServer

struct DuplicateCheck: CheckKind {
  /// The common parts of duplicates; the same event sent through two SDKs isn't a duplicate.
  private enum Content: Hashable {
    case event(TrackingEvent, sender: String?)
    case request(RequestMeaning)
  }

  let kinds: EntryKinds
  let seconds: TimeInterval
  private var ignoring: IgnoredEntries
  private var last: [Content: JournalEntry] = [:]
  private var pair: (first: JournalEntry, second: JournalEntry)?

  init(kinds: EntryKinds, seconds: TimeInterval, ignored: [EntryPattern]) {
    (self.kinds, self.seconds, ignoring) = (kinds, seconds, IgnoredEntries(ignored))
  }

  var ignored: [EntryPattern] { ignoring.patterns }

  var interest: JournalInterest { JournalInterest(in: kinds, revisions: JournalInterest(of: ignored).revisions) }
  var problem: String? { endlessProblem ?? secondsProblem(seconds) ?? kindsProblem ?? patternProblem ?? ignoredProblem }
  var words: Headline {
    "no two equal \(kinds.plural)\(seconds < .infinity ? " within \(TimeText.seconds(seconds))" : "")\(exception)"
  }

  var scope: CheckScope { .equalEntries }

  /// Refuses finite values that never end; `.infinity` has a meaning.
  private var endlessProblem: String? {
    (ListeningTime.longest.nextUp..<TimeInterval.infinity).contains(seconds)
      ? "Duplicates within a time without an end are those `within: .infinity`." : nil
  }

  func times(of wait: WaitTimes) -> WaitTimes {
    guard seconds < .infinity else { return wait }
    // The event that arrives at the default deadline may have a duplicate, too.
    return WaitTimes(
      timeout: wait.isTimeoutOfCall ? wait.timeout : wait.timeout + seconds, settling: seconds,
      countsEarlierSilence: true)
  }

  func mapping(_ pattern: (EntryPattern) -> EntryPattern) -> any CheckKind {
    DuplicateCheck(kinds: kinds, seconds: seconds, ignored: ignored.map(pattern))
  }
}

extension TrackingCheck<CheckOutcome> {
  /// Passes if no two equal events arrive within a number of seconds of each other; requests are equal in method, path, query and body.
  ///
  /// Queries, forms and `multipart/form-data` are equal if each name has equal values in the same order, JSON if its values are, and other bodies
  /// if their bytes are.
  ///
  /// A wait passes when `within:` has elapsed since the last event, even one from before the wait, or since the wait began if there is none.
  /// A `timeout:` of the call limits the wait. `stop()` checks what has arrived by then. With `.infinity`, all equal events are duplicates, and a
  /// wait passes after the configuration's settling time. Wait for the last event of the journey first.
  public static func noDuplicates(
    within seconds: TimeInterval, among kinds: EntryKinds = .events, ignoring patterns: [EntryPattern] = []
  ) -> TrackingCheck<CheckOutcome> {
    TrackingCheck<CheckOutcome>(DuplicateCheck(kinds: kinds, seconds: seconds, ignored: patterns))
  }
}

// MARK: - Reading

extension DuplicateCheck {
  var state: CheckState { pair == nil ? .holding : matched.contains(where: ignoring.isPending) ? .open : .broken }
  var matched: [JournalEntry] { pair.map { [$0.first, $0.second] } ?? [] }

  mutating func take(_ moment: TimelineMoment) -> Bool {
    let entry = moment.entry
    guard !ignoring.contains(entry), let content = Self.content(of: entry) else { return false }
    if let earlier = last.updateValue(entry, forKey: content), pair == nil,
      entry.arrival - earlier.arrival <= .clamping(seconds: seconds)
    {
      pair = (earlier, entry)
    }
    return true
  }

  private static func content(of entry: JournalEntry) -> Content? {
    switch entry {
    case .event(let recorded): .event(recorded.event, sender: recorded.event.origin?.format)
    case .request(let recorded):
      .request(RequestMeaning(of: recorded.request, bodySize: recorded.bodySize))
    case .rejection: nil
    }
  }

  func explain(_ finding: Finding) -> Explanation {
    guard let (first, second) = pair else { return Explanation(kind: .duplicate, headline: "No two entries are equal") }
    let numbers = "#\(first.number) and #\(second.number)"
    let distance = second.arrival - first.arrival
    let interval = distance < .microseconds(50) ? "together" : "\(TimeText.duration(distance)) apart"
    var explanation = Explanation(
      kind: .duplicate, headline: "Two equal events, \(numbers), arrived \(interval): \(second.words)",
      notes: [first.number: "equal", second.number: "equal"], about: [first, second])
    var details: [String] = []
    if case .request(let meaning)? = Self.content(of: second) {
      if let doubt = meaning.doubt {
        explanation.headline = "Can't tell whether the requests \(numbers) are equal: \(foreign: doubt)"
      } else {
        explanation.headline = "Two equal requests, \(numbers), arrived \(interval): \(second.words)"
        details.append("They are equal in \(CountText.list(meaning.words)).")
      }
    }
    details += ignoring.doubts(about: [first, second])
    explanation.details = details.joined(separator: "\n")
    return explanation
  }
}
