import Foundation
import Testing
import TestSupport
import TrackingTesting

/// The app's backend in tests of Swift Testing.
@Suite(.tracking(.init(timeout: 60)))
struct BackendTests {
  private var verifier: TrackingVerifier { .current }

  @concurrent
  private func get(_ target: String, of verifier: TrackingVerifier) async throws -> String {
    let url = try #require(URL(string: "\(verifier.baseURL)\(target)"))
    return String(decoding: try await URLSession.shared.data(from: url).0, as: UTF8.self)
  }

  @Test("each argument has its own backend", arguments: 0..<8)
  func aBackendPerArgument(number: Int) async throws {
    let verifier = verifier
    verifier.stub(.get, "/number", .text("\(number)"))
    let text = try await get("/number", of: verifier)
    #expect(text == "\(number)")
    let request = try await verifier.require(.request(.get, "/number"))
    #expect(request.status == 200)
    #expect(verifier.requests.count == 1)
  }

  @Test("a request during the wait ends it")
  func aRequestDuringTheWait() async throws {
    let verifier = verifier
    verifier.stub(.get, "/books/:id") { .text($0.pathParams["id"] ?? "") }
    async let text = get("/books/42", of: verifier)
    let request = await verifier.wait(for: .request(.get, "/books/:id"))
    #expect(request?.target == "/books/42")
    #expect(try await text == "42")
  }

  @Test("a missing request fails the test at the line of the call, and ends it")
  func aRequestThatDoesNotCome() async {
    let verifier = verifier
    let (require, line) = ({ _ = try await verifier.require(.request(.get, "/books"), timeout: 0) }, #line)
    let issues = await issues {
      do {
        try await require()
        Issue.record("it did not throw")
      } catch {
        #expect(error is RequirementFailure)
      }
    }
    #expect(issues.map(\.sourceLocation?.line) == [line])
    #expect(
      issues.first?.message == """
        No request GET /books arrived within 0 s; nothing arrived at all

        `launchEnvironment` wasn't passed to any app, so no request could reach the server.
        """)
  }
}
