import Foundation
import XCTest

/// The app probe as a separate process, driven over its standard input.
///
/// `@unchecked Sendable`: all of it is immutable, and a process may be ended from any thread.
final class ProbeProcess: @unchecked Sendable {
  private let process = Process()
  private let input = Pipe()
  private let output = Pipe()

  /// Launches the probe; one that is still there after a minute is killed, so that no test hangs on it.
  ///
  /// - Parameter executable: A copy of the probe under the name of another process; `nil` for the probe itself.
  init(environment: [String: String], arguments: [String] = [], executable: URL? = nil) throws {
    process.executableURL = try executable ?? Self.executable()
    process.arguments = arguments
    process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
    process.standardInput = input
    process.standardOutput = output
    try process.run()
    DispatchQueue.global().asyncAfter(deadline: .now() + 60) { [weak self] in self?.process.terminate() }
  }

  func send(_ command: String) {
    input.fileHandleForWriting.write(Data((command + "\n").utf8))
  }

  /// Lets the probe flush and end, and returns what it printed.
  func finish() -> String {
    try? input.fileHandleForWriting.close()
    let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    return text
  }

  /// Ends the probe without any chance to say goodbye.
  func kill() {
    Foundation.kill(process.processIdentifier, SIGKILL)
    process.waitUntilExit()
  }

  /// The probe's executable, built with the tests.
  static func executable() throws -> URL {
    // Built beside the test bundle, which is what is running here, or what holds this class.
    let bundles = [Bundle.main.executableURL, Bundle(for: ProbeProcess.self).bundleURL].compactMap { $0 }
    let candidates = bundles.map { $0.deletingLastPathComponent().appending(path: "AppProbe") }
    return try XCTUnwrap(
      candidates.first { FileManager.default.isExecutableFile(atPath: $0.path) }, "AppProbe is not beside \(bundles)")
  }
}
