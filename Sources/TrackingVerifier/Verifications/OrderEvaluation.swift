import TrackingPatterns
import TrackingServer

/// Follows patterns one after the other, whatever comes between.
///
/// Each takes the first event after the one before: if any events answer the question, these do.
struct OrderEvaluation: Evaluation {
  private let matchers: [PatternMatcher]
  private(set) var claimed: [RecordedEvent] = []

  init(_ patterns: [EventPattern]) {
    matchers = patterns.map(PatternMatcher.init)
  }

  var standing: Standing { claimed.count == matchers.count ? .met : .open }

  mutating func take(_ event: RecordedEvent) -> Bool {
    guard claimed.count < matchers.count, matchers[claimed.count].matches(event) else { return false }
    claimed.append(event)
    return true
  }

  func explanation(of events: [RecordedEvent], on scale: Timescale) -> Explanation {
    let count = matchers.count
    var notes: [Int: String] = [:]
    for (index, event) in claimed.enumerated() { notes[event.number] = "\(index + 1) of \(count)" }
    guard claimed.count < count else { return Explanation(kind: .wrongOrder, result: "", notes: notes) }
    let place = CountText.ordinal(claimed.count + 1)
    let began =
      switch claimed.count {
      case 0: ""
      case 1: "The 1st of \(count) came: #\(claimed[0].number). "
      case let found: "The first \(found) of \(count) came: \(ResultText.numbers(claimed.map(\.number))). "
      }
    let matcher = matchers[claimed.count]
    if let last = claimed.last,
      let early = events.last(where: { $0.number < last.number && notes[$0.number] == nil && matcher.matches($0) })
    {
      notes[early.number] = "too early"
      return Explanation(
        kind: .wrongOrder, result: "\(began)The \(place) came only before: \(scale.place(of: early)).", notes: notes)
    }
    let nothing = events.isEmpty ? "No event came." : "The \(place) never came."
    return Explanation(
      kind: .tooFew, result: "\(began)\(nothing)", notes: notes, missing: [("The \(place)", matcher.pattern)])
  }
}
