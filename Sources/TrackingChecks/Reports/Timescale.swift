import TrackingModel
import TrackingServer

/// The moments from which a failure measures times.
package struct Timescale: Sendable {
  package let began: ContinuousClock.Instant
  package let deadline: ContinuousClock.Instant
  /// The moment `began`, in words.
  var zero = "the wait began"
  var isOver = true

  package init(began: ContinuousClock.Instant, deadline: ContinuousClock.Instant, zero: String = "the wait began") {
    (self.began, self.deadline, self.zero) = (began, deadline, zero)
  }

  /// Creates a scale that ends now and starts at the first of some entries.
  package static func until(_ now: ContinuousClock.Instant, since entries: JournalEntries) -> Timescale {
    Timescale(began: entries.first { _ in true }?.arrival ?? now, deadline: now, zero: "the first arrival")
  }

  /// Without a deadline, for entries that are known to be late.
  var withoutDeadline: Timescale {
    Timescale(began: began, deadline: began + .clamping(seconds: .infinity), zero: zero)
  }

  /// "after 340 ms" of a wait, "340 ms before the wait began", "340 ms after the first arrival".
  func shortTime(at instant: ContinuousClock.Instant) -> String {
    instant >= began && zero == Self.waitBegan ? "after \(TimeText.duration(instant - began))" : place(at: instant)
  }

  private static let waitBegan = "the wait began"

  /// "#4, 320 ms after the wait began"; "#4, responded 320 ms after the wait began".
  func place(of moment: TimelineMoment) -> String { "#\(moment.entry.number), \(time(of: moment))" }

  /// "320 ms after the wait began"; "responded 320 ms after the wait began" for a response that was not sent at once.
  func time(of moment: TimelineMoment) -> String {
    (moment.isLaterResponse ? "responded " : "") + place(at: moment.instant)
  }

  /// "320 ms after the wait began", "140 ms after the deadline".
  func place(at instant: ContinuousClock.Instant) -> String {
    if instant > deadline { return "\(TimeText.duration(instant - deadline)) after the deadline" }
    let offset = instant - began
    return offset < .zero
      ? "\(TimeText.duration(.zero - offset)) before \(zero)" : "\(TimeText.duration(offset)) after \(zero)"
  }
}
