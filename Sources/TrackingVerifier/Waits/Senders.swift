import Foundation
import TrackingModel
import TrackingServer

/// The senders that may still answer a wait, as far as the test process knows them.
struct Senders {
  enum Look {
    case some
    /// None is known; what they have sent may be under way until the time.
    case perhaps(until: ContinuousClock.Instant)
    case none
  }

  private let server: TrackingServer
  /// The time for which what a program sent before its end may be under way.
  private let grace: Duration
  /// The first look without a running program.
  private var ended: ContinuousClock.Instant?
  /// The programs that ran at the first look, at the beginning of the wait.
  private var first: Set<ObjectIdentifier>?

  init(to server: TrackingServer, settling: TimeInterval) {
    self.server = server
    grace = .clamping(seconds: max(settling, TimeoutScale.scaled(0.25)))
  }

  /// There are some unless a program has ended that the test didn't terminate, and nothing else is known that could send.
  ///
  /// A program that had ended with status 0 before the wait may have prepared another app, which isn't known here.
  mutating func look(at now: ContinuousClock.Instant) -> Look {
    let (programs, journal) = (
      server.launchedPrograms.map { (id: ObjectIdentifier($0), phase: $0.phase) }, server.journal
    )
    let running = Set(programs.filter { $0.phase == .running }.map(\.id))
    let first = self.first ?? running
    self.first = first
    let hasEnded = programs.contains { program in
      switch program.phase {
      case .ended(let isSuccess): !isSuccess || first.contains(program.id)
      case .running, .terminated: false
      }
    }
    // The test process may track, too.
    guard hasEnded, running.isEmpty,
      !journal.entries(from: 1).contains(where: { $0.event.map { $0.connection == nil } ?? false })
    else {
      ended = nil
      return .some
    }
    let since = ended ?? now
    ended = since
    let isConnected = journal.openConnections > 0
    let last = journal.entries(from: journal.nextNumber - 1).first { _ in true }?.arrival ?? since
    let end = max(since, last) + grace
    guard isConnected || now < end else { return .none }
    // An open connection is another sender's, or has something left to read.
    return .perhaps(until: isConnected ? now + grace : end)
  }
}
