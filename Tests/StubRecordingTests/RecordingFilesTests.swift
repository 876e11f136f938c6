import Foundation
import StubModel
import XCTest

@testable import StubRecording

/// The files of a recording: what changes in them, and what is said when they are damaged.
final class RecordingFilesTests: RecordingTestCase {
  private func exchange(
    _ path: String, _ headers: HeaderFields = [:], answer: HeaderFields = [:], says text: String = "",
    at seconds: Int = 0
  ) -> RecordedExchange {
    RecordedExchange(
      request: .init(method: "GET", origin: "http://api.example", path: path, headers: headers),
      answer: .init(headers: answer, body: Data(text.utf8)), date: Date(timeIntervalSince1970: Double(seconds)),
      epoch: 0)
  }

  private func write(_ exchanges: RecordedExchange...) throws {
    try Recording(upstreams: ["/*": "http://api.example"], exchanges: exchanges).write(to: folder)
  }

  // MARK: What doesn't change

  func testEqualAnswersOfAPollKeepTheirTimes() throws {
    try write(exchange("/poll", says: "same", at: 0), exchange("/poll", says: "same", at: 5))
    let first = try files()
    try write(exchange("/poll", says: "same", at: 100), exchange("/poll", says: "same", at: 105))
    XCTAssertEqual(try files(), first)
  }

  // MARK: Secrets

  func testASecretThatIsANameIsNotAPlaceOfAnother() throws {
    try write(
      exchange(
        "/sessions", ["Authorization": "Bearer token-3f9a2c61"], answer: ["Content-Type": "application/json"],
        says: #"{"token-3f9a2c61": {"password": "hunter2"}}"#))
    XCTAssertEqual(
      try Recording(contentsOf: folder).redacted,
      [
        "GET /sessions: answer body [redacted token 1].password: [redacted password 1]",
        "GET /sessions: answer body: [redacted token 1]",
        "GET /sessions: request header Authorization: [redacted token 1]",
      ])
  }

  // MARK: Damage

  /// What is said of a recording with a file in place of its own.
  private func error(_ name: String, _ text: String) throws -> String? {
    try write(exchange("/books"))
    try Data(text.utf8).write(to: folder.appending(path: name))
    do {
      _ = try Recording(contentsOf: folder).stubs
      return nil
    } catch {
      return "\(error)".replacing(folder.path(percentEncoded: false), with: "")
    }
  }

  func testWhatIsNotJSONIsNamedWithItsPlace() throws {
    XCTAssertEqual(
      try error("GET books.json", "{\n  <<<<<<< HEAD\n}"),
      #"GET books.json isn't JSON: line 2, column 3: expected a key in quotes, found "<"."#)
    XCTAssertEqual(try error("recording.json", "[]"), "recording.json isn't a JSON object.")
  }

  func testOfSeveralBackendsEachExchangeNamesItsOwn() throws {
    XCTAssertEqual(
      try error("recording.json", #"{"format": 1, "upstreams": {"/a": "http://a.example", "/b": "http://b.example"}}"#),
      #"GET books.json has an exchange without the "origin" of its backend, the one with number 1."#)
  }

  func testTheLargestEpochIsRead() throws {
    let file = #"{"method": "POST", "path": "/", "exchanges": [{"epoch": \#(Int.max), "answer": {"status": 200}}]}"#
    XCTAssertNil(try error("POST ~.json", file))
  }
}
