import Foundation

/// One launched process and what it has printed.
final class AppProcess {
  /// What it has printed to standard output.
  let output: AppOutput
  /// What it has printed to standard error.
  let log: AppOutput

  private let process = Process()
  private let input = Pipe()
  private let exit = DispatchGroup()

  init(executable: URL, arguments: [String], environment: [String: String]) throws {
    let (output, log) = (Pipe(), Pipe())
    process.executableURL = executable
    process.arguments = arguments
    process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
    // The handle and not the pipe, so that our copy of this end stays open and no write to a dead app raises SIGPIPE.
    process.standardInput = input.fileHandleForReading
    process.standardOutput = output
    process.standardError = log
    exit.enter()
    process.terminationHandler = { [exit] _ in exit.leave() }
    do {
      try process.run()
    } catch {
      exit.leave()
      throw StorefrontAppError.notStarted(executable, error)
    }
    self.output = AppOutput(of: output.fileHandleForReading)
    self.log = AppOutput(of: log.fileHandleForReading)
  }

  deinit {
    // Explicitly, as Foundation on Linux never lets go of a process that has run.
    try? input.fileHandleForReading.close()
    try? input.fileHandleForWriting.close()
  }

  /// How it ended; `nil` while it runs.
  var status: Int32? { process.isRunning ? nil : process.terminationStatus }

  /// Types one line.
  func type(_ line: String) throws {
    try input.fileHandleForWriting.write(contentsOf: Data("\(line)\n".utf8))
  }

  /// Waits until it has ended and all it has printed is read; returns false when that takes longer.
  func waitForExit(timeout: TimeInterval) -> Bool {
    exit.wait(timeout: .now() + timeout) == .success
      && output.waitForEnd(timeout: timeout) && log.waitForEnd(timeout: timeout)
  }

  /// Calls a closure when it has ended.
  func onExit(_ action: @escaping @Sendable () -> Void) {
    exit.notify(queue: .global(), execute: action)
  }

  /// Ends it by force.
  func kill() {
    if process.isRunning { Foundation.kill(process.processIdentifier, SIGKILL) }
    _ = waitForExit(timeout: 10)
  }
}
