import Foundation
import XCTest

/// A test of this bundle that runs in another process.
enum NestedTest {
  /// Runs a test and returns what its process wrote to standard output and standard error; skips in a bundle that isn't a program.
  ///
  /// - Parameter test: The class and the method: `CartTests/testBuying`.
  static func output(of test: String, environment: [String: String]) throws -> String {
    let executable = try XCTUnwrap(Bundle.main.executableURL)
    try XCTSkipUnless(executable.pathExtension == "xctest", "a test bundle that isn't a program")
    let process = Process()
    process.executableURL = executable
    process.arguments = ["TrackingVerifierTests.\(test)"]
    process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
    let output = Pipe()
    process.standardOutput = output
    process.standardError = output
    try process.run()
    let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    return text
  }
}
