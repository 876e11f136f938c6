import Foundation
import TrackingSockets

/// A run of this test bundle in a separate process, to see which tests fail there, where, and with what text.
struct NestedRun {
  /// A failure that Swift Testing has recorded.
  struct RecordedIssue: Hashable {
    /// The function's name; `nil` when the issue belongs to no test.
    let test: String?
    let fileID: String
    let line: Int
    let text: String
  }

  let status: Int32
  /// The text written to standard output and standard error.
  let output: String
  let issues: [RecordedIssue]
  /// The texts of the attachments, by file name.
  let attachments: [String: String]

  private static let variable = "TRACKING_NESTED_RUN"

  /// Whether this process is such a run.
  static let isUnderWay = ProcessInfo.processInfo.environment[variable] != nil

  /// Whether the tests were started in a way that can be started again.
  static let isPossible = !isUnderWay && CommandLine.arguments.contains("--testing-library")

  /// Whether the same executable runs tests of XCTest too.
  static let isPossibleForXCTest = isPossible && !CommandLine.arguments.contains("--test-bundle-path")

  /// Runs the tests of Swift Testing whose name matches, with a number of descriptors if it is to have fewer.
  static func ofSwiftTesting(
    _ filter: String, descriptors: Int? = nil, _ more: String...
  ) async throws -> NestedRun {
    let events = FileManager.default.temporaryDirectory.appending(path: "\(UUID().uuidString).jsonl")
    let directory = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
    defer { for url in [events, directory] { try? FileManager.default.removeItem(at: url) } }
    var arguments = [
      "--testing-library", "swift-testing", "--filter", filter, "--event-stream-output-path", events.path,
      "--event-stream-version", "0", "--attachments-path", directory.path,
    ]
    arguments += more
    if let index = CommandLine.arguments.firstIndex(of: "--test-bundle-path") {
      // On Apple's platforms a helper loads the bundle.
      arguments = Array(CommandLine.arguments[index...].prefix(2)) + arguments
    }
    let (status, output) = try await launch(arguments, descriptors: descriptors)
    let lines = try String(contentsOf: events, encoding: .utf8).split(separator: "\n")
    let issues = try lines.compactMap { try JSONDecoder().decode(Record.self, from: Data($0.utf8)).issue }
    let files = try FileManager.default.contentsOfDirectory(at: directory, includingPropertiesForKeys: nil)
    let attachments = try files.map { ($0.lastPathComponent, try String(contentsOf: $0, encoding: .utf8)) }
    return NestedRun(
      status: status, output: output, issues: issues,
      attachments: Dictionary(uniqueKeysWithValues: attachments))
  }

  /// Runs the tests of one XCTest class.
  static func ofXCTest(_ name: String) async throws -> NestedRun {
    let (status, output) = try await launch([name])
    return NestedRun(status: status, output: output, issues: [], attachments: [:])
  }

  private static func launch(
    _ arguments: [String], descriptors: Int? = nil
  ) async throws -> (status: Int32, output: String) {
    let process = Process()
    let limit = descriptors.map { "ulimit -n \($0) && " } ?? ""
    process.executableURL = URL(filePath: "/bin/sh")
    process.arguments = ["-c", "\(limit)exec \"$0\" \"$@\"", CommandLine.arguments[0]] + arguments
    process.environment = ProcessInfo.processInfo.environment.merging([variable: "1"]) { $1 }
    let output = FileManager.default.temporaryDirectory.appending(path: "\(UUID().uuidString).txt")
    try Data().write(to: output)
    defer { try? FileManager.default.removeItem(at: output) }
    let file = try FileHandle(forWritingTo: output)
    process.standardOutput = file
    process.standardError = file
    let status = try await withCheckedThrowingContinuation { continuation in
      process.terminationHandler = { continuation.resume(returning: $0.terminationStatus) }
      do { try process.run() } catch { continuation.resume(throwing: error) }
    }
    return (status, try String(contentsOf: output, encoding: .utf8))
  }
}

/// A line of the event stream; of most nothing is of interest here.
private struct Record: Decodable {
  struct Payload: Decodable {
    struct Issue: Decodable {
      let isKnown: Bool
      let sourceLocation: Location?
    }
    struct Location: Decodable {
      let fileID: String
      let line: Int
    }
    struct Message: Decodable {
      let text: String
    }
    let kind: String?
    let issue: Issue?
    let testID: String?
    let messages: [Message]?
  }
  let payload: Payload

  var issue: NestedRun.RecordedIssue? {
    guard payload.kind == "issueRecorded", let issue = payload.issue, !issue.isKnown else { return nil }
    // "Module.Suite/function()/File.swift:3:4"
    let test = payload.testID?.split(separator: "/").first { $0.contains("(") }.map { String($0.prefix { $0 != "(" }) }
    return NestedRun.RecordedIssue(
      test: test, fileID: issue.sourceLocation?.fileID ?? "", line: issue.sourceLocation?.line ?? 0,
      text: payload.messages?.dropFirst().map(\.text).joined(separator: "\n") ?? "")
  }
}
