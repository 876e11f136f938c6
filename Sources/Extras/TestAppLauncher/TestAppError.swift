import Foundation

/// An error of launching or driving a program under test, with the line of the test that called ``TestApp``.
///
/// The description begins with that line, because XCTest on Linux reports none for a thrown error.
@available(iOS, unavailable)
@available(tvOS, unavailable)
@available(visionOS, unavailable)
@available(watchOS, unavailable)
public struct TestAppError: Error, Hashable, Sendable {
  package enum Reason: Hashable, Sendable {
    /// The system couldn't start the file as a program.
    case notStarted(URL, reason: String)
    /// The program has not been launched, or the test has terminated it.
    case notLaunched
    /// The program was killed at the end of the test that launched it; the text is the test's name, if known.
    case endedWithTest(String?)
    /// The program has ended and can't read further input.
    case ended(TestApp.Ending)
    /// The program hasn't read its input for this many seconds.
    case notReading(after: TimeInterval)
    /// The expected output is missing after this many seconds, the timeout or less if the output has ended; the text is `nil` for a condition.
    case noOutput(
      containing: String?, after: TimeInterval, ending: TestApp.Ending?, output: String, errorOutput: String)
    /// The program is still running after this many seconds.
    case stillRunning(after: TimeInterval)
    /// The program has ended, but after this many seconds a process that it started still has its output open.
    case outputStillOpen(after: TimeInterval)
  }

  package let reason: Reason
  /// The path of the test file.
  public let file: String
  /// The line of the call in the test file.
  public let line: UInt

  init(_ reason: Reason, _ file: StaticString, _ line: UInt) {
    self.reason = reason
    self.file = "\(file)"
    self.line = line
  }
}

@available(iOS, unavailable)
@available(tvOS, unavailable)
@available(visionOS, unavailable)
@available(watchOS, unavailable)
extension TestAppError: CustomStringConvertible, LocalizedError {
  /// The test's line, the problem, and the remedy.
  public var description: String {
    "\(URL(filePath: file).lastPathComponent):\(line): \(reason.text)"
  }

  /// The test's line, the problem, and the remedy.
  public var errorDescription: String? { description }
}

@available(iOS, unavailable)
@available(tvOS, unavailable)
@available(visionOS, unavailable)
@available(watchOS, unavailable)
extension TestAppError.Reason {
  private static let buffering = """
     What it writes with `print` arrives when 4 KiB are full or it ends, because its output is a pipe: \
    `fflush(nil)` after `print` sends it at once.
    """

  var text: String {
    switch self {
    case .notStarted(let executable, let reason):
      """
      \(executable.path) could not be started: \(reason)\(reason.hasSuffix("?") ? "" : ".") If it is a target of this package, let the test target depend \
      on it.
      """
    case .notLaunched:
      "the program is not running: call launch() first"
    case .endedWithTest(let test):
      """
      the program ended with the test that launched it\(test.map { ", \($0)" } ?? "").
      To keep it for several tests, launch it before the first, in XCTest in `class func setUp()`.
      """
    case .ended(let ending):
      ending.description.prefix(1).lowercased() + ending.description.dropFirst()
    case .notReading(let seconds):
      "the program's standard input is full, and it has read nothing for \(seconds) s"
    case .noOutput(let text, let seconds, let ending, let output, let errorOutput):
      """
      \(text.map { "\"\($0)\"" } ?? "the expected output") did not appear \
      \(ending.map { "before the program \($0.state)." } ?? "within \(seconds) s; the program is still running.\(Self.buffering)")
      Standard output:
      \(output)
      Standard error:
      \(errorOutput)
      """
    case .stillRunning(let seconds):
      "the program is still running after \(seconds) s"
    case .outputStillOpen(let seconds):
      """
      the program has ended, but a process that it started still has its output open after \(seconds) s, so it can't be read \
      to its end
      """
    }
  }
}
