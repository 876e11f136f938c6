import Foundation
import TrackingModel

/// The command of `tracking serve -- COMMAND`: the server starts before it, and ends after it with its status.
struct ServedCommand {
  /// The time that a command has to end after SIGTERM when this process's parent has gone.
  private static let grace = Duration.seconds(5)

  private let running: RunningCommand
  private let parent = getppid()
  private let isInterruptedEarly = Interruption.signal != 0

  /// - Throws: ``RunningCommand/Failure`` if it can't be started.
  init(_ words: [String], variables: [(String, String)]) throws(RunningCommand.Failure) {
    running = try RunningCommand(words, variables: variables)
  }

  /// Waits for the command's end, and returns its status as a shell reports it.
  ///
  /// SIGTERM and SIGHUP are passed on. SIGINT isn't, unless it came before the start: a terminal sends it to the command, too.
  ///
  /// - Parameter work: Called every few milliseconds.
  func wait(_ work: () throws -> Void) rethrows -> Int32 {
    var isPassedOn = false
    var orphaned: ContinuousClock.Instant?
    while true {
      if let status = running.reap() { return status }
      Interruption.endIfPostponed()
      try work()
      let signal = Interruption.signal
      if signal != 0, !isPassedOn {
        isPassedOn = true
        if signal != SIGINT || isInterruptedEarly { running.end(by: signal) }
      }
      // No signal tells that the parent has gone, such as a CI job's shell.
      if orphaned == nil, getppid() != parent {
        orphaned = .now
        running.end(by: SIGTERM)
      } else if let since = orphaned, since.duration(to: .now) > Self.grace {
        running.end(by: SIGKILL)
      }
      // After a signal, `Interruption.comes(within:)` returns at once.
      _ = poll(nil, 0, 20)
    }
  }

  /// The status of `tracking serve`: the command's, or else that of what the server has found.
  static func status(_ status: Int32, hasFindings: Bool, isUnwritten: Bool) -> Status {
    guard status == 0 else { return Status(ofCommand: status) }
    return isUnwritten ? .badInput : hasFindings ? .findings : .success
  }
}
