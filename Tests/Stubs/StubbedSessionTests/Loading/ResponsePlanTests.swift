import Foundation
import XCTest

@testable import StubbedSession

final class ResponsePlanTests: XCTestCase {
  private typealias Step = ResponsePlan.Step

  private func steps(_ result: StubResponse, _ method: ReceivedRequest.Method = "GET", timeout: TimeInterval = 60)
    -> [Step]
  {
    ResponsePlan(result, body: Data("abcdef".utf8), method: method, timeout: timeout).steps
  }

  private func head(_ status: Int = 200, delay: TimeInterval = 0, _ headers: [String: String] = ["Content-Length": "6"])
    -> Step
  { Step(delay: delay, event: .head(status: status, headers: headers)) }

  private func body(_ text: String, delay: TimeInterval = 0) -> Step {
    Step(delay: delay, event: .body(Data(text.utf8)))
  }

  private let end = Step(delay: 0, event: .end)

  func testAResponseIsHeadBodyAndEnd() {
    XCTAssertEqual(steps(.ok), [head(), body("abcdef"), end])
    XCTAssertEqual(steps(.status(404).delayed(by: 2)), [head(404, delay: 2), body("abcdef"), end])
    XCTAssertEqual(
      ResponsePlan(.ok, body: Data(), method: "GET", timeout: 60).steps, [head(["Content-Length": "0"]), end])
  }

  private func head(_ headers: [String: String]) -> Step { head(200, delay: 0, headers) }

  func testFieldsOfOneNameAreJoined() {
    let result = StubResponse(headers: ["Vary": "a", "X": "1", "vary": "b"])
    guard case .head(_, let headers)? = steps(result).first?.event else { return XCTFail("no head") }
    XCTAssertEqual(headers["Content-Length"], "6")
    XCTAssertEqual(headers["X"], "1")
    XCTAssertEqual(headers["Vary"], "a, b")
  }

  func testSomeResponsesHaveNoBody() {
    XCTAssertEqual(steps(.ok, "HEAD"), [head(), end])
    XCTAssertEqual(steps(.status(204)), [head(204, [:]), end])
    XCTAssertEqual(steps(.status(304)), [head(304, [:]), end])
  }

  func testABodyIsCutIntoPieces() {
    XCTAssertEqual(
      steps(.ok.dribbled(over: 1, pieces: 3)),
      [head(), body("ab"), body("cd", delay: 0.5), body("ef", delay: 0.5), end])
    XCTAssertEqual(steps(.ok.dribbled(over: 1, pieces: 1)), [head(), body("abcdef"), end])
    XCTAssertEqual(
      steps(.ok.dribbled(over: 5, pieces: 100)).map(\.delay), [0, 0, 1, 1, 1, 1, 1, 0], "a piece has a byte")
  }

  func testAnErrorComesInPlaceOfAResponse() {
    XCTAssertEqual(
      steps(.error(.cannotFindHost).delayed(by: 3)), [Step(delay: 3, event: .failure(.cannotFindHost))])
  }

  func testEveryFaultBeforeTheResponseIsAnError() {
    let codes: [HTTPFault.Effect: URLError.Code] = [
      .close: .networkConnectionLost, .reset: .networkConnectionLost, .halfClose: .networkConnectionLost,
      .garbage: .cannotParseResponse, .stall: .timedOut,
    ]
    for effect in HTTPFault.Effect.allCases {
      guard let code = codes[effect] else { return XCTFail("\(effect)") }
      let delay: Double = effect == .stall ? 60 : 3
      for position in [HTTPFault.Position.requestHead, .requestBody, .response] {
        XCTAssertEqual(
          steps(.ok.delayed(by: 3).failing(HTTPFault(effect, at: position))),
          [Step(delay: delay, event: .failure(code))])
      }
      XCTAssertEqual(
        steps(.ok.failing(HTTPFault(effect, at: .responseBody))),
        [head(), body("abc"), Step(delay: effect == .stall ? 60 : 0, event: .failure(code))])
      XCTAssertEqual(steps(.ok.failing(HTTPFault(effect, at: .afterResponse))), [head(), body("abcdef"), end])
    }
  }

  func testWhoIsSilentForTooLongHasTimedOut() {
    let late = Step(delay: 2, event: .failure(.timedOut))
    XCTAssertEqual(steps(.ok.delayed(by: 2), timeout: 2), [late])
    XCTAssertEqual(steps(.ok.delayed(by: 1.9), timeout: 2), [head(delay: 1.9), body("abcdef"), end])
    XCTAssertEqual(steps(.ok.dribbled(over: 4, pieces: 3), timeout: 2), [head(), body("ab"), late])
    XCTAssertEqual(steps(.ok.dribbled(over: 3.8, pieces: 3), timeout: 2).last, end)
  }
}
