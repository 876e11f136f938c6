import Foundation
import TestAppLauncher
import XCTest

/// Runs the command `tracking` as a process in a temporary folder, with its output in the files `out` and `err`.
class ToolTestCase: XCTestCase {
  private(set) var folder = URL(fileURLWithPath: "/")

  override func setUpWithError() throws {
    folder = FileManager.default.temporaryDirectory.appendingPathComponent("tracking-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  }

  override func tearDownWithError() throws {
    try FileManager.default.removeItem(at: folder)
  }

  func path(_ name: String) -> String { folder.appendingPathComponent(name).path }

  func text(_ name: String) throws -> String { try String(contentsOfFile: path(name), encoding: .utf8) }

  func write(_ text: String, to name: String) throws {
    let url = folder.appendingPathComponent(name)
    try FileManager.default.createDirectory(at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(text.utf8).write(to: url)
  }

  func launch(_ program: URL, _ words: [String], _ environment: [String: String] = [:]) throws -> Process {
    let process = Process()
    process.executableURL = program
    process.arguments = words
    // As on a developer's machine, where recording is allowed.
    process.environment = ProcessInfo.processInfo.environment.filter { $0.key != "CI" }.merging(environment) { $1 }
    for (name, keyPath) in [("out", \Process.standardOutput), ("err", \Process.standardError)] {
      try Data().write(to: folder.appendingPathComponent(name))
      process[keyPath: keyPath] = try FileHandle(forWritingTo: folder.appendingPathComponent(name))
    }
    try process.run()
    return process
  }

  func tracking(_ words: [String], _ environment: [String: String] = [:]) throws -> Process {
    try launch(TestApp("tracking").executable, words, environment)
  }

  /// Runs `tracking` to its end and returns the exit status.
  func run(_ words: String..., environment: [String: String] = [:]) throws -> Int32 {
    let process = try tracking(words, environment)
    process.waitUntilExit()
    return process.terminationStatus
  }

  /// Waits for a line with a prefix in a file, and returns the rest of the line.
  func line(in name: String, after prefix: String) throws -> String {
    let deadline = Date(timeIntervalSinceNow: 30)
    while true {
      for line in try text(name).split(separator: "\n") where line.hasPrefix(prefix) {
        return String(line.dropFirst(prefix.count))
      }
      guard Date.now < deadline else { throw Missing(line: prefix, found: try text(name)) }
      Thread.sleep(forTimeInterval: 0.01)
    }
  }

  struct Missing: Error {
    let line: String
    let found: String
  }
}
