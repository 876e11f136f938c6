import Foundation

/// A command-line program under test, launched in a process of its own: what `XCUIApplication` is to a UI test.
///
/// ```swift
/// let app = TestApp("shop")                                          // built beside the test bundle
/// app.launchEnvironment.merge(verifier.launchEnvironment) { $1 }
/// try app.launch()
/// try app.type("buy 42")
/// verifier.wait(for: .named("purchase"))
/// ```
///
/// The test target depends on the program's target, so that SwiftPM builds it first. Methods may be called from any
/// thread, one at a time. A program that still runs when its `TestApp` is deallocated is killed.
public final class TestApp {
  /// Variables that the program finds in its environment, in addition to those of the test process; read by ``launch()``.
  public var launchEnvironment: [String: String] = [:]
  /// The program's arguments; read by ``launch()``.
  public var launchArguments: [String] = []
  /// The program's file.
  public let executable: URL

  private var process: Process?
  private var input: Pipe?
  private var standardOutput: OutputReader?
  private var standardError: OutputReader?
  private let exit = ExitStatus()

  /// A program that SwiftPM or Xcode builds into the folder of the test bundle.
  public convenience init(_ name: String) {
    let bundle = Bundle(for: TestApp.self).bundleURL
    let folder = bundle.pathExtension == "xctest" ? bundle.deletingLastPathComponent() : bundle
    self.init(executable: folder.appending(path: name))
  }

  /// A program anywhere on this machine.
  public init(executable: URL) {
    self.executable = executable
  }

  deinit {
    terminate()
  }

  /// Starts the program; one that runs already is killed first.
  ///
  /// - Throws: ``TestAppError/notStarted(_:reason:)``.
  public func launch() throws {
    terminate()
    let (process, input, output, error) = (Process(), Pipe(), Pipe(), Pipe())
    process.executableURL = executable
    process.arguments = launchArguments
    process.environment = ProcessInfo.processInfo.environment.merging(launchEnvironment) { $1 }
    // A handle and not the pipe, so that the reading end stays open here: a write to a dead program then raises no SIGPIPE.
    process.standardInput = input.fileHandleForReading
    process.standardOutput = output
    process.standardError = error
    process.terminationHandler = { [exit] in exit.set($0.terminationStatus) }
    exit.reset()
    do {
      try process.run()
    } catch {
      throw TestAppError.notStarted(executable, reason: error.localizedDescription)
    }
    self.process = process
    self.input = input
    standardOutput = OutputReader(of: output.fileHandleForReading)
    standardError = OutputReader(of: error.fileHandleForReading)
  }

  /// What the program has written to standard output since its launch.
  public var output: String { standardOutput?.text ?? "" }

  /// What the program has written to standard error since its launch.
  public var errorOutput: String { standardError?.text ?? "" }

  /// The status with which the program ended; `nil` while it runs, and before its launch.
  public var exitStatus: Int32? { exit.value }

  /// Writes one line to the program's standard input.
  ///
  /// - Throws: ``TestAppError/notLaunched``, or Foundation's error when the program no longer reads.
  public func type(_ line: String) throws {
    guard let input else { throw TestAppError.notLaunched }
    try input.fileHandleForWriting.write(contentsOf: Data("\(line)\n".utf8))
  }

  /// Waits until the program's standard output meets a condition.
  ///
  /// - Parameters:
  ///   - timeout: The longest wait, in seconds.
  ///   - isMet: Gets all that was written since the launch; called on the thread of the call.
  /// - Throws: ``TestAppError/noOutput(after:status:output:errorOutput:)`` after the timeout, or as soon as the program
  ///   has closed its standard output.
  public func waitForOutput(timeout: TimeInterval = 10, until isMet: (String) -> Bool) throws {
    guard let standardOutput else { throw TestAppError.notLaunched }
    guard standardOutput.wait(timeout: timeout, until: isMet) else {
      throw TestAppError.noOutput(after: timeout, status: exitStatus, output: output, errorOutput: errorOutput)
    }
  }

  /// Waits until the program's standard output contains a text.
  public func waitForOutput(containing text: String, timeout: TimeInterval = 10) throws {
    try waitForOutput(timeout: timeout) { $0.contains(text) }
  }

  /// Waits until the program has ended by itself and all that it wrote has been read.
  ///
  /// - Parameter timeout: The longest wait, in seconds.
  /// - Returns: Its exit status.
  @discardableResult
  public func waitForExit(timeout: TimeInterval = 10) throws -> Int32 {
    guard standardOutput != nil else { throw TestAppError.notLaunched }
    guard let status = exit.wait(timeout: timeout), readToEnd(timeout: timeout) else {
      throw TestAppError.stillRunning(after: timeout)
    }
    return status
  }

  /// Calls a closure on a background thread as soon as the program has ended.
  public func onExit(_ action: @escaping @Sendable () -> Void) {
    exit.whenSet(action)
  }

  /// Kills the program, which gets no chance to clean up or to send what it still holds; does nothing when it does not run.
  public func terminate() {
    guard let process else { return }
    if process.isRunning { kill(process.processIdentifier, SIGKILL) }
    _ = exit.wait(timeout: 10)
    _ = readToEnd(timeout: 10)
    // Explicitly: Foundation on Linux never frees a process that has run.
    try? input?.fileHandleForReading.close()
    try? input?.fileHandleForWriting.close()
    self.process = nil
    input = nil
  }

  private func readToEnd(timeout: TimeInterval) -> Bool {
    [standardOutput, standardError].allSatisfy { $0?.waitForEnd(timeout: timeout) ?? true }
  }
}

/// Why a program under test could not be launched or driven.
public enum TestAppError: Error, Hashable, Sendable {
  /// The system could not start the file as a program.
  case notStarted(URL, reason: String)
  /// The program has not been launched, or has been terminated.
  case notLaunched
  /// The output that was waited for did not come.
  case noOutput(after: TimeInterval, status: Int32?, output: String, errorOutput: String)
  /// The program did not end.
  case stillRunning(after: TimeInterval)
}

extension TestAppError: CustomStringConvertible, LocalizedError {
  /// What is wrong and what to do about it.
  public var description: String {
    switch self {
    case .notStarted(let executable, let reason):
      """
      \(executable.path) could not be started: \(reason). If it is a target of this package, let the test target depend \
      on it.
      """
    case .notLaunched:
      "the program is not running: call launch() first"
    case .noOutput(let seconds, let status, let output, let errorOutput):
      """
      the expected output did not come within \(seconds) s; the program \
      \(status.map { "has ended with status \($0)" } ?? "is still running").
      Standard output:
      \(output)
      Standard error:
      \(errorOutput)
      """
    case .stillRunning(let seconds):
      "the program is still running after \(seconds) s"
    }
  }

  /// The description.
  public var errorDescription: String? { description }
}
