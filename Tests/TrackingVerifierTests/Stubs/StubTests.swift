import Foundation
import TestSupport
import TrackingVerifier
import XCTest

/// The backend that a verifier replaces, seen by foreign clients.
final class StubTests: XCTestCase {
  private let reporter = RecordingReporter()
  private lazy var verifier = TrackingVerifier(with: self, configuration: .init(timeout: 2, reporter: reporter))

  func testAStubAnswersAndItsRequestIsRecorded() throws {
    let curl = try Tool("curl")
    verifier.start()
    verifier.stub(.get, "/1.0/books/:id", .json(["id": 42, "title": "Walden"]))

    let answer = try curl.output("-s", "-i", "\(verifier.baseURL)/1.0/books/42?lang=en")

    XCTAssertTrue(answer.hasPrefix("HTTP/1.1 200 OK\n"), answer)
    XCTAssertTrue(answer.contains("\nContent-Type: application/json\n"), answer)
    XCTAssertTrue(answer.hasSuffix("\n\n" + #"{"id":42,"title":"Walden"}"#), answer)
    let request = try XCTUnwrap(verifier.wait(for: .request(.get, "/1.0/books/:id")))
    XCTAssertEqual(request.description, "GET /1.0/books/42?lang=en -> 200 by GET /1.0/books/:id")
    XCTAssertEqual(reporter.messages, [])
  }

  func testAClosureMakesAnAnswerOfTheRequest() throws {
    let curl = try Tool("curl")
    verifier.start()
    verifier.stub(.post, "/books/:id") { request in
      .json(["id": .string(request.pathParams["id"] ?? ""), "text": .string(request.text)], status: 201)
    }
    let answer = try curl.output("-s", "-d", "abc", "\(verifier.baseURL)/books/7")
    XCTAssertEqual(answer, #"{"id":"7","text":"abc"}"#)
    XCTAssertEqual(verifier.requests.map(\.status), [201])
  }

  func testAnUnmatchedRequestIsAnsweredWithTheNearestStub() throws {
    let curl = try Tool("curl")
    verifier.start()
    verifier.stub(.post, "/books", .ok)
    let answer = try curl.output("-s", "\(verifier.baseURL)/books")
    XCTAssertEqual(
      answer,
      #"{"differs":["the method is GET, not POST"],"error":"no stub answers GET /books","nearest":"POST /books"}"#
        + "\n")
    XCTAssertEqual(verifier.unmatchedRequests.map(\.target), ["/books"])
    XCTAssertEqual(verifier.unusedStubs.map(\.description), ["POST /books"])
  }

  func testAMissingFileFailsAtTheLineOfTheCall() {
    verifier.stub(.get, "/books", .json(file: "nothing", in: .url(URL(filePath: "/nowhere"))))
    XCTAssertEqual(
      reporter.sentences,
      ["The stub GET /books was not installed: the stub file /nowhere/nothing.json doesn't exist."])
  }
}
