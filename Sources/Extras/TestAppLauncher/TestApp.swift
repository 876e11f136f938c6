import Foundation
import TrackingModel

/// A command-line program under test in a separate process, driven as `XCUIApplication` drives an app.
///
/// ```swift
/// let app = TestApp("shop")                                          // built beside the test bundle
/// app.launchEnvironment.merge(verifier.launchEnvironment) { $1 }
/// try app.launch()
/// try app.type("buy 42")
/// verifier.wait(for: .named("purchase"))
/// ```
///
/// Available on macOS and Linux; iOS, tvOS and visionOS can't launch programs. The test target depends on the program's target, so that SwiftPM
/// builds it first. All members may be used from any thread.
///
/// A running program is killed when its `TestApp` is deallocated, when the test that launched it with a verifier's address ends, and when the test
/// process exits. A program launched for several tests, as in `class func setUp()`, outlives each of them. Using a program that was killed at the end
/// of its test throws an error that names the test.
///
/// The test process's variable `TRACKING_TIMEOUT_SCALE` (`xcodebuild`: `TEST_RUNNER_TRACKING_TIMEOUT_SCALE`) multiplies the timeouts of all methods.
///
/// The program inherits the variables of the test process, as from a shell: `PATH`, `HOME`, and those that the developer or CI has set.
/// An `XCUIApplication` inherits none of them. ``launchEnvironment`` takes precedence; an empty value hides a variable.
///
/// If the program exits before the test terminates it, and an event is missing, the verifier's failure contains its ``ending``. A wait of that
/// verifier ends, too, unless another of its programs runs, a connection to it is open, or the test has waited for the program's end with
/// ``waitForExit(timeout:file:line:)``, as for a program that prepares another app.
@available(iOS, unavailable)
@available(tvOS, unavailable)
@available(visionOS, unavailable)
@available(watchOS, unavailable)
public final class TestApp: Sendable {
  /// The program's file.
  public let executable: URL

  private struct Settings {
    var environment: [String: String] = [:]
    var arguments: [String] = []
  }

  private let settings = Locked(Settings())
  /// The program of the last launch; `nil` before the first.
  private let program = Locked<Program?>(nil)
  /// Held during launches and terminations, so that no program is left running.
  private let lifeCycle = NSLock()
  private let exit = ExitStatus()
  /// The error of using the program after the end of a test has killed it.
  private let endOfTest = Locked<TestAppError.Reason?>(nil)

  /// Creates an app for a program that SwiftPM or Xcode builds into the test bundle's folder.
  public convenience init(_ name: String) {
    let bundle = Bundle(for: TestApp.self).bundleURL
    let folder = bundle.pathExtension == "xctest" ? bundle.deletingLastPathComponent() : bundle
    self.init(executable: folder.appending(path: name))
  }

  /// Creates an app for a program anywhere on this machine.
  public init(executable: URL) {
    self.executable = executable
  }

  deinit {
    terminate()
  }

  /// The program's variables in addition to those of the test process; read by ``launch(file:line:)``.
  public var launchEnvironment: [String: String] {
    get { settings.withLock { $0.environment } }
    set { settings.withLock { $0.environment = newValue } }
  }

  /// The program's arguments; read by ``launch(file:line:)``.
  public var launchArguments: [String] {
    get { settings.withLock { $0.arguments } }
    set { settings.withLock { $0.arguments = newValue } }
  }

  /// Starts the program, killing one that already runs.
  ///
  /// Throws a ``TestAppError`` if the system can't start it.
  public func launch(file: StaticString = #filePath, line: UInt = #line) throws {
    lifeCycle.lock()
    defer { lifeCycle.unlock() }
    end()
    let (arguments, environment) = settings.withLock { ($0.arguments, $0.environment) }
    _ = Self.killsAtExit
    do {
      let launched = try Program.launch(executable, arguments, environment, exit)
      program.withLock { $0 = launched }
      endOfTest.withLock { $0 = nil }
      LaunchedPrograms.add(self, launchedWith: environment.values + arguments)
      exit.whenSet { LaunchedPrograms.noteEnd() }
    } catch {
      throw TestAppError(.notStarted(executable, reason: reason(of: error)), file, line)
    }
  }

  /// The text on standard output since the launch.
  public var output: String { current?.output.text ?? "" }

  /// The text on standard error since the launch.
  public var errorOutput: String { current?.errorOutput.text ?? "" }

  /// The program's exit status, or the number of the signal that ended it; `nil` while it runs and before its launch.
  public var exitStatus: Int32? { exit.value?.status }

  /// The program's exit status and the last lines of its standard error; `nil` while it runs and before its launch.
  public var ending: Ending? {
    guard let program = current, let status = program.hasEnded ? exit.wait(timeout: 1) : exit.value else { return nil }
    // Written before the program ended, but perhaps not read yet.
    _ = program.errorOutput.waitForEnd(by: .now + .seconds(1))
    return Ending(status: status.status, isSignal: status.isSignal, errorOutput: program.errorOutput.text)
  }

  /// Writes one line to the program's standard input.
  ///
  /// Throws a ``TestAppError`` if the program hasn't been launched or has ended, or if its input is full and it reads nothing for `timeout` seconds.
  public func type(_ text: String, timeout: TimeInterval = 10, file: StaticString = #filePath, line: UInt = #line)
    throws
  {
    let timeout = TimeoutScale.scaled(timeout)
    guard let program = current, program.isOpen else {
      throw TestAppError(endOfTest.withLock { $0 } ?? .notLaunched, file, line)
    }
    switch program.input.write(Data("\(text)\n".utf8), timeout: timeout, while: { !program.hasEnded }) {
    case .written: return
    case .full: throw TestAppError(.notReading(after: timeout), file, line)
    case .stopped: throw TestAppError(ending.map { .ended($0) } ?? .notLaunched, file, line)
    }
  }

  /// Waits until the program's standard output meets a condition.
  ///
  /// The condition gets the text since the launch and is called on the calling thread. Throws a ``TestAppError`` with the output
  /// after `timeout` seconds, or as soon as the program has closed its standard output.
  ///
  /// The system buffers what `print` writes to a pipe, so it arrives when 4 KiB are full or the program ends: call `fflush(nil)` after
  /// `print`, or write with `FileHandle.standardOutput`.
  public func waitForOutput(
    timeout: TimeInterval = 10, file: StaticString = #filePath, line: UInt = #line, until isMet: (String) -> Bool
  ) throws {
    try waitForOutput(nil, timeout, file, line, until: isMet)
  }

  /// Waits until the program's standard output contains a text; see ``waitForOutput(timeout:file:line:until:)``.
  public func waitForOutput(
    containing text: String, timeout: TimeInterval = 10, file: StaticString = #filePath, line: UInt = #line
  ) throws {
    try waitForOutput(text, timeout, file, line) { $0.contains(text) }
  }

  private func waitForOutput(
    _ text: String?, _ timeout: TimeInterval, _ file: StaticString, _ line: UInt, until isMet: (String) -> Bool
  ) throws {
    let timeout = TimeoutScale.scaled(timeout)
    guard let program = current else { throw TestAppError(.notLaunched, file, line) }
    let start = ContinuousClock.now
    let deadline = start + .clamping(seconds: timeout)
    guard program.output.wait(timeout: timeout, until: isMet) else {
      let passed = min(timeout, (ContinuousClock.now - start) / .seconds(1))
      if program.output.isAtEnd { program.awaitEnd(by: min(deadline, .now + .seconds(1))) }
      let kind = TestAppError.Reason.noOutput(
        containing: text, after: program.output.isAtEnd ? passed : timeout, ending: ending,
        output: program.output.text, errorOutput: program.errorOutput.text)
      throw TestAppError(endOfTest.withLock { $0 } ?? kind, file, line)
    }
  }

  /// Waits until the program has ended without being killed by the test, and returns its exit status.
  ///
  /// All output has then been read. The verifier takes the program's end as expected, so it ends no wait. Throws a
  /// ``TestAppError`` if the program still runs after `timeout` seconds, or if it has ended and a process that it started still has its output.
  @discardableResult
  public func waitForExit(
    timeout: TimeInterval = 10, file: StaticString = #filePath, line: UInt = #line
  ) throws -> Int32 {
    let timeout = TimeoutScale.scaled(timeout)
    guard let program = current else { throw TestAppError(.notLaunched, file, line) }
    if let kind = endOfTest.withLock({ $0 }) { throw TestAppError(kind, file, line) }
    let deadline = ContinuousClock.now + .clamping(seconds: timeout)
    guard let status = exit.wait(timeout: timeout), program.readToEnd(by: deadline) else {
      throw TestAppError(
        program.hasEnded ? .outputStillOpen(after: timeout) : .stillRunning(after: timeout), file, line)
    }
    program.noteEnd()
    return status.status
  }

  /// Calls a closure on a background thread when the program ends, or at once if it has ended.
  public func onExit(_ action: @escaping @Sendable () -> Void) {
    exit.whenSet(action)
  }

  /// Kills the program, which can't clean up or send queued events; does nothing if it isn't running.
  ///
  /// Processes started by the program aren't killed. While one of them has the program's output open, this doesn't wait for their output, and on
  /// Linux ``exitStatus`` stays `nil`.
  public func terminate() {
    lifeCycle.lock()
    defer { lifeCycle.unlock() }
    end()
  }

  /// The reason for a failed launch, with a similar program's name if the name may be misspelt.
  private func reason(of error: any Error) -> String {
    let reason = FileReason.of(error)
    let folder = executable.deletingLastPathComponent().path(percentEncoded: false)
    let programs = ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []).sorted().filter {
      !$0.contains(".") && FileManager.default.isExecutableFile(atPath: "\(folder)/\($0)")
    }
    let nearest = EditDistance.nearest(to: executable.lastPathComponent, among: programs)
    return reason + (nearest.map { "; did you mean \"\($0)\"?" } ?? "")
  }

  /// Needed because a test case keeps its properties until the process exits.
  private static let killsAtExit = atexit { LaunchedPrograms.killAll() }

  private var current: Program? { program.withLock { $0 } }

  private func end() {
    guard let program = current, program.isOpen else { return }
    program.kill()
    // A child that keeps the output open also keeps Foundation on Linux from reporting the end.
    let isRead = program.readRest(by: .now + .seconds(1))
    _ = exit.wait(timeout: isRead ? 10 : 0.1)
    program.close()
  }
}

@available(iOS, unavailable)
@available(tvOS, unavailable)
@available(visionOS, unavailable)
@available(watchOS, unavailable)
extension TestApp: LaunchedProgram {
  package var phase: LaunchedProgramPhase {
    guard let program = current, !program.isKilled else { return .terminated }
    guard exit.value != nil, program.output.isAtEnd, program.errorOutput.isAtEnd else { return .running }
    return .ended(isKnown: program.isEndKnown)
  }

  package var endState: String? { current?.isKilled == false ? ending?.state : nil }

  package var endingText: String? {
    current?.isKilled == false ? ending?.description : endOfTest.withLock { $0 }?.text
  }

  package func terminate(with test: String?) {
    lifeCycle.lock()
    defer { lifeCycle.unlock() }
    guard let program = current, !program.isKilled else { return }
    end()
    // The end of a program without a connection doesn't concern the next test.
    program.noteEnd()
    if program.isKilled { endOfTest.withLock { $0 = .endedWithTest(test) } }
  }

  package func kill() { current?.kill() }
}
