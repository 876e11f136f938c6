import Foundation
import TrackingModel

/// A launched process with its three streams.
@available(iOS, unavailable)
@available(tvOS, unavailable)
@available(visionOS, unavailable)
@available(watchOS, unavailable)
final class Program: Sendable {
  let input: InputWriter
  let output: OutputReader
  let errorOutput: OutputReader
  private let process: Locked<Process>
  private let wasKilled = Locked(false)
  private let wasAwaited = Locked(false)
  private let identifier: pid_t

  /// The time for which a launch is retried while the file is being written.
  private static let mostBusyTime = Duration.seconds(2)

  /// Launches a program and reports its end to `exit`.
  ///
  /// A file that was just copied may be busy: a process started by another thread inherits its descriptor until it executes its program.
  static func launch(
    _ executable: URL, _ arguments: [String], _ environment: [String: String], _ exit: ExitStatus
  ) throws -> Program {
    let deadline = ContinuousClock.now + mostBusyTime
    while true {
      do {
        return try Program(executable, arguments, environment, exit)
      } catch  where isBusy(error) && ContinuousClock.now < deadline {
        // The system doesn't tell when the file can be executed.
        Thread.sleep(forTimeInterval: 0.01)
      }
    }
  }

  private static func isBusy(_ error: any Error) -> Bool {
    FileReason.systemCode(of: error) == Int(ETXTBSY)
  }

  private init(_ executable: URL, _ arguments: [String], _ environment: [String: String], _ exit: ExitStatus) throws {
    let launch = exit.reset()
    let (process, input, output, error) = (Process(), Pipe(), Pipe(), Pipe())
    process.executableURL = executable
    process.arguments = arguments
    process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
    // A handle and not the pipe: the reading end stays open here, so that writing to a program that has ended raises no SIGPIPE.
    process.standardInput = input.fileHandleForReading
    process.standardOutput = output
    process.standardError = error
    process.terminationHandler = {
      exit.set(
        .init(status: $0.terminationStatus, isSignal: $0.terminationReason == .uncaughtSignal), ofLaunch: launch)
    }
    try process.run()
    identifier = process.processIdentifier
    self.process = Locked(process)
    self.input = InputWriter(to: input)
    self.output = OutputReader(of: output.fileHandleForReading)
    errorOutput = OutputReader(of: error.fileHandleForReading)
  }

  /// Whether the process has ended, which the system knows before Foundation does.
  var hasEnded: Bool {
    var information = siginfo_t()
    // Leaves the process for Foundation to wait for; fails if it already has.
    let result = waitid(P_PID, id_t(identifier), &information, WEXITED | WNOHANG | WNOWAIT)
    return result != 0 ? errno == ECHILD : information.si_signo != 0 && Self.isEnd(information.si_code)
  }

  /// Whether a child's change is its end: macOS also reports stopped children to `waitid` with `WEXITED`.
  static func isEnd(_ code: Int32) -> Bool {
    [CLD_EXITED, CLD_KILLED, CLD_DUMPED].contains { Int($0) == Int(code) }
  }

  /// Waits for the end of a process whose output has ended: the system closes a process's files before it reports its end.
  ///
  /// Returns at the deadline if the process has only closed its output.
  func awaitEnd(by deadline: ContinuousClock.Instant) {
    while !hasEnded, ContinuousClock.now < deadline { Thread.sleep(forTimeInterval: 0.005) }
  }

  var isOpen: Bool { input.isOpen }

  var isKilled: Bool { wasKilled.withLock { $0 } }

  /// Whether the test has waited for the program's end.
  var isEndKnown: Bool { wasAwaited.withLock { $0 } }

  func noteEnd() { wasAwaited.withLock { $0 = true } }

  /// Kills the process if it runs, and waits for its end, but not for Foundation's report.
  func kill() {
    if !hasEnded { wasKilled.withLock { $0 = true } }
    process.withLock {
      // After Foundation's report another process may have the identifier.
      guard $0.isRunning else { return }
      _ = Foundation.kill(identifier, SIGKILL)
      var information = siginfo_t()
      while waitid(P_PID, id_t(identifier), &information, WEXITED | WNOWAIT) != 0
        ? errno == EINTR : !Self.isEnd(information.si_code)
      {}
    }
  }

  /// Returns `false` if a stream is still open at the deadline.
  func readToEnd(by deadline: ContinuousClock.Instant) -> Bool {
    output.waitForEnd(by: deadline) && errorOutput.waitForEnd(by: deadline)
  }

  /// Waits until the killed program's output is read; returns `false` at the deadline, or at once if a process that it started still has the
  /// output open.
  func readRest(by deadline: ContinuousClock.Instant) -> Bool {
    while !readToEnd(by: min(deadline, .now + .milliseconds(5))) {
      guard .now < deadline, [output, errorOutput].contains(where: { !$0.isAtEnd && !$0.isHeldOpen }) else {
        return false
      }
    }
    return true
  }

  /// Closes the input, because Foundation on Linux never frees a process that has run.
  func close() {
    input.close()
  }
}
