import Foundation
import TrackingServer
import TrackingSockets

/// A wait under way: how far it has read in the journal, and until when it goes on.
///
/// Each event is looked at once, on the waiting test's own thread or actor and outside of the journal's lock. Between looks nothing polls.
struct EventWait {
  /// Why a wait is over.
  enum End {
    /// An event decided it.
    case decided
    /// Its time was up.
    case time
    /// Its task was cancelled.
    case cancelled
  }

  let journal: Journal
  let scale: Timescale
  /// The number of the first event that was not looked at.
  private(set) var nextEvent: Int

  init(journal: Journal, since mark: JournalMark, timeout: TimeInterval) {
    self.journal = journal
    nextEvent = mark.event
    let began = ContinuousClock.now
    scale = Timescale(began: began, deadline: began + .clamping(seconds: timeout))
  }

  /// Looks at each event that arrives until one decides, or until its time is up.
  ///
  /// Blocks its thread.
  ///
  /// - Parameters:
  ///   - take: Looks at the next event, and says whether that decides.
  ///   - end: Looks at all else when there is no further event, and says until when to wait for one.
  mutating func run(_ take: (RecordedEvent) -> Bool, until end: () -> ContinuousClock.Instant) -> End {
    if let end = look(at: journal.eachEvent(from: nextEvent), take) { return end }
    var events: [RecordedEvent] = []
    while true {
      if let end = look(at: events, take) { return end }
      let wake = WakeExpectation()
      switch journal.news(from: nextEvent, orWake: wake.wake) {
      case .events(let news):
        events = news
      case .none(let waiter):
        // Registered first: what comes after this look wakes.
        let end = min(end(), scale.deadline)
        if end > .now { wake.wait(timeout: end - .now) }
        journal.cancel(waiter)
        events = journal.events(from: nextEvent)
        if events.isEmpty, end <= .now { return .time }
      }
    }
  }

  /// The same without blocking a thread; ends also when the task is cancelled.
  mutating func run(
    isolation: isolated (any Actor)? = #isolation,
    _ take: (RecordedEvent) -> Bool, until end: () -> ContinuousClock.Instant
  ) async -> End {
    if let end = look(at: journal.eachEvent(from: nextEvent), take) { return end }
    var events: [RecordedEvent] = []
    while true {
      if let end = look(at: events, take) { return end }
      let wake = WakeContinuation()
      switch journal.news(from: nextEvent, orWake: wake.wake) {
      case .events(let news):
        events = news
      case .none(let waiter):
        let end = min(end(), scale.deadline)
        if end > .now, !Task.isCancelled { await wake.wait(timeout: end - .now) }
        journal.cancel(waiter)
        events = journal.events(from: nextEvent)
        if events.isEmpty, end <= .now { return .time }
        if events.isEmpty, Task.isCancelled { return .cancelled }
      }
    }
  }

  private mutating func look(at events: some Sequence<RecordedEvent>, _ take: (RecordedEvent) -> Bool) -> End? {
    for event in events {
      // What arrived after the deadline came too late, however late the thread was that looks.
      guard event.arrival <= scale.deadline else { return .time }
      nextEvent = event.number + 1
      if take(event) { return .decided }
    }
    return nil
  }
}
