import Foundation
import TrackingModel
import TrackingServer

/// The known senders whose events or requests may still end a wait.
struct RunningSenders {
  enum Look {
    case some
    /// No sender is known; entries already sent may arrive until this time.
    case perhaps(until: ContinuousClock.Instant)
    /// A program has ended, and there are no other senders.
    case ended
    /// The server couldn't start, so there can't be any senders.
    case neverStarted
  }

  private let server: TrackingServer
  /// The time that entries may take to arrive that a program sent before its end.
  private let grace: Duration
  /// The time of the first look without a running program.
  private var ended: ContinuousClock.Instant?
  /// Whether the last start failed, and nothing can be received without a server.
  private let lacksServer: Bool

  /// - Parameters:
  ///   - settling: The settling time of the wait's check, which is scaled already.
  ///   - arrivalTime: The time for events that a program sent before its end; unscaled.
  init(to server: TrackingServer, settling: TimeInterval, arrivalTime: TimeInterval, lacksServer: Bool) {
    self.server = server
    self.lacksServer = lacksServer
    grace = .clamping(seconds: max(settling, TimeoutScale.scaled(arrivalTime)))
  }

  /// Senders exist unless a program has ended and no other sender is known.
  ///
  /// A program that the test has terminated or waited for doesn't count as ended: the test knows of its end, and may launch another app next.
  mutating func look(at now: ContinuousClock.Instant) -> Look {
    if lacksServer { return .neverStarted }
    let (phases, journal) = (server.launchedPrograms.map(\.phase), server.journal)
    // The test process may track events, too.
    guard phases.contains(.ended(isKnown: false)), !phases.contains(.running),
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
    guard isConnected || now < end else { return .ended }
    // An open connection belongs to another sender, or has unread data.
    return .perhaps(until: isConnected ? now + grace : end)
  }
}
