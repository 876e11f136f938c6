import Foundation
import XCTest

/// A program of the machine's, for tests with clients that nobody here wrote.
struct Tool {
  let executable: URL

  /// A browser without a window; without one the test is skipped.
  static func browser() throws -> Tool {
    try Tool("chromium", "chromium-browser", "google-chrome")
  }

  /// Finds a program by any of its names; without it the test is skipped.
  ///
  /// Call it in the test's own body: a skip inside an assertion's autoclosure counts as a failure.
  init(_ names: String...) throws {
    let folders = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
    let candidates = names.flatMap { name in folders.map { URL(filePath: "\($0)/\(name)") } }
    guard let found = candidates.first(where: { FileManager.default.isExecutableFile(atPath: $0.path) }) else {
      throw XCTSkip("there is no \(names[0]) on this machine")
    }
    executable = found
  }

  /// Runs the program to its end and returns what it printed, without carriage returns.
  func output(_ arguments: String..., input: String = "") throws -> String {
    let process = Process()
    process.executableURL = executable
    process.arguments = arguments
    let (standardInput, standardOutput) = (Pipe(), Pipe())
    process.standardInput = standardInput
    process.standardOutput = standardOutput
    process.standardError = FileHandle.nullDevice
    try process.run()
    standardInput.fileHandleForWriting.write(Data(input.utf8))
    try standardInput.fileHandleForWriting.close()
    let output = standardOutput.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return String(decoding: output.filter { $0 != UInt8(ascii: "\r") }, as: UTF8.self)
  }
}
