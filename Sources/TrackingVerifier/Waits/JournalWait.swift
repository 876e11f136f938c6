import Foundation
import TrackingServer
import TrackingSockets

/// A wait under way: how far it has read in the journal, and until when it goes on.
///
/// Each event, or request, is looked at once, on the waiting test's own thread or actor and outside of the journal's lock. Between looks nothing polls.
struct JournalWait<Entry: WaitedEntry> {
  let journal: Journal
  let scale: Timescale
  /// The number of the first entry that was not looked at.
  private(set) var next: Int

  init(journal: Journal, from number: Int, timeout: TimeInterval) {
    self.journal = journal
    next = number
    let began = ContinuousClock.now
    scale = Timescale(began: began, deadline: began + .clamping(seconds: timeout))
  }

  /// Looks at each entry that arrives until one decides, or until its time is up.
  ///
  /// Blocks its thread.
  ///
  /// - Parameters:
  ///   - take: Looks at the next entry, and says whether that decides.
  ///   - end: Looks at all else when there is no further entry, and says until when to wait for one.
  mutating func run(_ take: (Entry) -> Bool, until end: () -> ContinuousClock.Instant) -> WaitEnd {
    if let end = look(at: journal.entries(from: next), take) { return end }
    var entries: [JournalEntry] = []
    while true {
      if let end = look(at: entries, take) { return end }
      let wake = WakeExpectation()
      switch journal.news(from: next, orWake: wake.wake) {
      case .entries(let news):
        entries = news
      case .answers: break
      case .none(let waiter):
        // Registered first: what comes after this look wakes.
        let end = min(end(), scale.deadline)
        if end > .now { wake.wait(timeout: end - .now) }
        journal.cancel(waiter)
        entries = Array(journal.entries(from: next))
        if entries.isEmpty, end <= .now { return .time }
      }
    }
  }

  /// The same without blocking a thread; ends also when the task is cancelled.
  mutating func run(
    isolation: isolated (any Actor)? = #isolation,
    _ take: (Entry) -> Bool, until end: () -> ContinuousClock.Instant
  ) async -> WaitEnd {
    if let end = look(at: journal.entries(from: next), take) { return end }
    var entries: [JournalEntry] = []
    while true {
      if let end = look(at: entries, take) { return end }
      let wake = WakeContinuation()
      switch journal.news(from: next, orWake: wake.wake) {
      case .entries(let news):
        entries = news
      case .answers: break
      case .none(let waiter):
        let end = min(end(), scale.deadline)
        if end > .now, !Task.isCancelled { await wake.wait(timeout: end - .now) }
        journal.cancel(waiter)
        entries = Array(journal.entries(from: next))
        if entries.isEmpty, end <= .now { return .time }
        if entries.isEmpty, Task.isCancelled { return .cancelled }
      }
    }
  }

  private mutating func look(at entries: some Sequence<JournalEntry>, _ take: (Entry) -> Bool) -> WaitEnd? {
    for entry in entries {
      // What arrived after the deadline came too late, however late the thread was that looks.
      guard entry.arrival <= scale.deadline else { return .time }
      next = entry.number + 1
      if let entry = Entry(entry), take(entry) { return .decided }
    }
    return nil
  }
}

/// Why a wait is over.
enum WaitEnd {
  /// Something that came decided it.
  case decided
  /// Its time was up.
  case time
  /// Its task was cancelled.
  case cancelled
}

/// A wait for events.
typealias EventWait = JournalWait<RecordedEvent>
