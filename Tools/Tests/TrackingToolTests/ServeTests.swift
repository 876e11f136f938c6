import Foundation
import TestAppLauncher
import XCTest

/// The command as a process: what it prints, writes and returns.
final class ServeTests: XCTestCase {
  private var folder = URL(fileURLWithPath: "/")

  override func setUpWithError() throws {
    folder = FileManager.default.temporaryDirectory.appendingPathComponent("tracking-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  }

  override func tearDownWithError() throws {
    try FileManager.default.removeItem(at: folder)
  }

  private func path(_ name: String) -> String { folder.appendingPathComponent(name).path }

  private func text(_ name: String) throws -> String { try String(contentsOfFile: path(name), encoding: .utf8) }

  private func launch(_ words: [String]) throws -> Process {
    let process = Process()
    process.executableURL = TestApp("tracking").executable
    process.arguments = words
    for (name, keyPath) in [("out", \Process.standardOutput), ("err", \Process.standardError)] {
      _ = FileManager.default.createFile(atPath: path(name), contents: nil)
      process[keyPath: keyPath] = try FileHandle(forWritingTo: folder.appendingPathComponent(name))
    }
    try process.run()
    return process
  }

  private func run(_ words: String...) throws -> Int32 {
    let process = try launch(words)
    process.waitUntilExit()
    return process.terminationStatus
  }

  /// Waits until a file holds a line that begins so, and gives the rest of the line.
  private func line(in name: String, after prefix: String) throws -> String {
    let deadline = Date(timeIntervalSinceNow: 30)
    while true {
      for line in try text(name).split(separator: "\n") where line.hasPrefix(prefix) {
        return String(line.dropFirst(prefix.count))
      }
      guard Date.now < deadline else { throw Missing(line: prefix, found: try text(name)) }
      Thread.sleep(forTimeInterval: 0.01)
    }
  }

  private struct Missing: Error {
    let line: String
    let found: String
  }

  private func post(_ body: String, to url: String) async throws -> Int? {
    // `URLSession` on Linux takes no IPv6 address in a URL.
    let url = url.replacingOccurrences(of: "[::1]", with: "localhost")
    var request = URLRequest(url: try XCTUnwrap(URL(string: url)))
    request.httpMethod = "POST"
    request.httpBody = Data(body.utf8)
    request.setValue("application/json", forHTTPHeaderField: "Content-Type")
    return (try await URLSession.shared.data(for: request).1 as? HTTPURLResponse)?.statusCode
  }

  func testAnAppsEventsAreHeldAgainstThePlanPrintedAndSaved() async throws {
    try Data(#"{"events":{"tapped":{"params":{"count":{"type":"integer"}}}}}"#.utf8).write(
      to: folder.appendingPathComponent("plan.json"))
    let process = try launch([
      "serve", "--accept", "segment,posthog", "--plan", path("plan.json"), "--json", "--save", path("session.json"),
    ])
    defer { process.terminate() }
    let url = try line(in: "err", after: "  TRACKING_URL=")
    XCTAssertEqual(try line(in: "err", after: "  segment").trimmingCharacters(in: .whitespaces), url)
    let inspector = try line(in: "err", after: "TrackingInspector: The tracking inspector is open: ")
    XCTAssertTrue(inspector.hasPrefix("\(url)/-tracking/#token="), inspector)

    let native = try await post(#"{"name":"tapped","params":{"count":1}}"#, to: url)
    XCTAssertEqual(native, 204)
    let batch =
      #"{"batch":[{"type":"track","event":"tapped","messageId":"1","userId":"u","properties":{"count":"1"}}]}"#
    let segment = try await post(batch, to: "\(url)/v1/batch")
    XCTAssertEqual(segment, 200)
    XCTAssertEqual(try line(in: "out", after: #"{"name":"tapped","number":1,"#), #""params":{"count":1}}"#)
    XCTAssertTrue(try line(in: "out", after: #"{"findings":["#).contains("count"))
    let rejected = try await post(#"{"nam":"tapped"}"#, to: url)
    XCTAssertEqual(rejected, 400)
    _ = try line(in: "err", after: "rejected (400): ")

    kill(process.processIdentifier, SIGINT)
    process.waitUntilExit()
    XCTAssertEqual(process.terminationStatus, 1)
    _ = try line(in: "err", after: "2 events, 1 of them not as planned; 1 rejected")

    XCTAssertEqual(try run("report", path("session.json"), "--output", path("report.html")), 0)
    let report = try text("report.html")
    XCTAssertTrue(report.hasPrefix("<!doctype html>") || report.hasPrefix("<!DOCTYPE html>"))
    XCTAssertTrue(report.contains("tapped"))
  }

  func testNothingThatIsWrongIsStatusZero() throws {
    let process = try launch(["serve"])
    defer { process.terminate() }
    _ = try line(in: "err", after: "Ctrl-C ends it.")
    kill(process.processIdentifier, SIGTERM)
    process.waitUntilExit()
    XCTAssertEqual(process.terminationStatus, 0)
  }

  func testBadInputIsStatusTwoWithItsReason() throws {
    XCTAssertEqual(try run("serve", "--plan", path("none.json")), 2)
    XCTAssertEqual(try text("err"), "tracking serve: \(path("none.json")): no such file or folder\n")
    try Data("{}".utf8).write(to: folder.appendingPathComponent("session.json"))
    XCTAssertEqual(try run("report", path("session.json")), 2)
    XCTAssertEqual(
      try text("err"),
      "tracking report: \(path("session.json")) is no session.json: it has no member \"version\" that is a number\n")
    XCTAssertEqual(try run("plan", "convert", path("none.yaml")), 2)
    XCTAssertEqual(try text("err"), "tracking plan convert: \(path("none.yaml")): no such file or folder\n")
    XCTAssertEqual(try run("plan", "check", path("none.json")), 2)
    XCTAssertEqual(try run("serve", "--accept", "segmnt"), 2)
  }

  func testVendorsAreListedWithTheirURLs() throws {
    XCTAssertEqual(try run("vendors"), 0)
    XCTAssertTrue(try text("out").contains("matomo           http://localhost:8080/matomo.php\n"))
    XCTAssertEqual(try run("vendors", "segment", "--json"), 0)
    XCTAssertTrue(try text("out").contains("\"POST /v1/b\""))
  }
}
