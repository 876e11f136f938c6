import Foundation
import TrackingServer
import TrackingSockets

/// A wait under way: how far it has read in the journal, and until when it goes on.
///
/// Each event is looked at once, on the waiting test's own thread or actor and outside of the journal's lock. Between looks nothing polls.
struct EventWait {
  let journal: Journal
  let began: ContinuousClock.Instant
  let deadline: ContinuousClock.Instant
  private var nextEvent: Int

  init(journal: Journal, since mark: JournalMark, timeout: TimeInterval) {
    self.journal = journal
    nextEvent = mark.event
    began = .now
    deadline = began + .clamping(seconds: timeout)
  }

  /// Waits for the first event that `match` has an answer to; `nil` at the deadline.
  ///
  /// Blocks its thread.
  mutating func first<Answer>(_ match: (RecordedEvent) -> Answer?) -> Answer? {
    var events = journal.events(from: nextEvent)
    while true {
      if let answer = answer(among: events, match) { return answer }
      let wake = WakeExpectation()
      switch journal.news(from: nextEvent, orWake: wake.wake) {
      case .events(let news):
        events = news
      case .none(let waiter):
        if deadline > .now { wake.wait(timeout: deadline - .now) }
        journal.cancel(waiter)
        events = journal.events(from: nextEvent)
        if events.isEmpty, deadline <= .now { return nil }
      }
    }
  }

  /// The same without blocking a thread; `nil` also when the task is cancelled.
  mutating func first<Answer>(
    isolation: isolated (any Actor)? = #isolation, _ match: (RecordedEvent) -> Answer?
  ) async -> Answer? {
    var events = journal.events(from: nextEvent)
    while true {
      if let answer = answer(among: events, match) { return answer }
      let wake = WakeContinuation()
      switch journal.news(from: nextEvent, orWake: wake.wake) {
      case .events(let news):
        events = news
      case .none(let waiter):
        if deadline > .now, !Task.isCancelled { await wake.wait(timeout: deadline - .now) }
        journal.cancel(waiter)
        events = journal.events(from: nextEvent)
        if events.isEmpty, deadline <= .now || Task.isCancelled { return nil }
      }
    }
  }

  private mutating func answer<Answer>(
    among events: [RecordedEvent], _ match: (RecordedEvent) -> Answer?
  ) -> Answer? {
    for event in events {
      nextEvent = event.number + 1
      if let answer = match(event) { return answer }
    }
    return nil
  }
}
