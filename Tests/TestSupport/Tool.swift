import Foundation
import TestAppLauncher
import XCTest

/// A program installed on this machine, for tests against clients and servers that this project did not write.
@available(iOS, unavailable)
@available(tvOS, unavailable)
@available(visionOS, unavailable)
@available(watchOS, unavailable)
package struct Tool: Sendable {
  package let executable: URL

  /// A headless browser; skips the test if none is installed.
  package static func browser() throws -> Tool {
    try Tool("chromium", "chromium-browser", "google-chrome")
  }

  /// Python 3; skips the test if it isn't installed.
  package static func python() throws -> Tool { try interpreter.get() }

  /// Arguments that halve Python's start-up time: it ignores its environment variables and installed packages.
  package static let pythonArguments = ["-I", "-S"]

  /// The interpreter itself, because `python3` in `PATH` may be a script that searches for it at each start.
  private static let interpreter = Result {
    let found = try Tool("python3")
    let path = try found.output("-c", "import sys; print(sys.executable)").trimmingCharacters(in: .newlines)
    return path.isEmpty ? found : Tool(executable: URL(filePath: path))
  }

  private init(executable: URL) {
    self.executable = executable
  }

  /// Finds a program in `PATH` by any of its names; skips the test if none is installed.
  ///
  /// Call it in the test's own body: a skip thrown inside an assertion's autoclosure counts as a failure.
  package init(_ names: String...) throws {
    let folders = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
    let candidates = names.flatMap { name in folders.map { URL(filePath: "\($0)/\(name)") } }
    guard let found = candidates.first(where: { FileManager.default.isExecutableFile(atPath: $0.path) }) else {
      throw XCTSkip("\(names[0]) is not installed on this machine")
    }
    executable = found
  }

  /// Runs the program until it exits and returns its standard output, without carriage returns.
  package func output(_ arguments: String...) throws -> String {
    let process = Process()
    process.executableURL = executable
    process.arguments = arguments
    let output = Pipe()
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    try process.run()
    let data = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return String(decoding: data.filter { $0 != UInt8(ascii: "\r") }, as: UTF8.self)
  }
}
