import StubModel
import XCTest

@testable import StubRecording

final class AnswerRulesTests: XCTestCase {
  private func applied(_ fields: HeaderFields, _ body: String = "") -> RecordedExchange.Answer {
    AnswerRules(origins: ["https://api.example", "https://cdn.example"]).applied(
      to: UpstreamClient.Answer(status: 200, headers: fields, body: Data(body.utf8)))
  }

  func testJoinedCookiesAreDividedThoughTheirDatesHaveCommas() {
    XCTAssertEqual(
      AnswerRules.cookies(in: "a=1; Expires=Wed, 21 Oct 2026 07:28:00 GMT; Path=/, b=2, c=x,y; Secure"),
      ["a=1; Expires=Wed, 21 Oct 2026 07:28:00 GMT; Path=/", "b=2", "c=x,y; Secure"])
  }

  func testACookieIsForThisMachineAndHasALifetimeInPlaceOfATime() {
    let answer = applied([
      "Date": "Wed, 21 Oct 2026 07:28:00 GMT",
      "Set-Cookie": "sid=1; Domain=api.example; Secure; HttpOnly; SameSite=None; Expires=Thu, 22 Oct 2026 07:28:01 GMT",
    ])
    XCTAssertEqual(answer.headers.fields.map(\.value), ["sid=1; HttpOnly; Max-Age=86400"])
    XCTAssertEqual(
      AnswerRules.cookie("a=1; Expires=Wed, 21-Oct-2015 07:28:00 GMT; SameSite=Lax", answeredAt: nil),
      "a=1; Max-Age=0; SameSite=Lax")
    XCTAssertEqual(
      AnswerRules.cookie("a=1; Max-Age=5; Expires=Wed, 21 Oct 2026 07:28:00 GMT", answeredAt: nil), "a=1; Max-Age=5")
  }

  func testOriginsBecomeTheBaseInFieldsAndTexts() {
    let answer = applied(
      [
        "Location": "https://api.example/next?to=https://cdn.example:8443/", "Content-Type": "application/json",
        "Strict-Transport-Security": "max-age=1", "Connection": "close, X-Hop", "X-Hop": "1", "X-Kept": "1",
      ],
      #"{"a":"https:\/\/api.example\/1","b":"https://cdn.example/2","c":"https://api.example.org","d":"{base}"}"#)
    XCTAssertEqual(
      answer.headers.fields.map { "\($0.name): \($0.value)" }.sorted(),
      ["Content-Type: application/json", "Location: {base}/next?to=https://cdn.example:8443/", "X-Kept: 1"])
    XCTAssertEqual(
      String(decoding: answer.body, as: UTF8.self),
      #"{"a":"{base}\/1","b":"{base}/2","c":"https://api.example.org","d":"{{base}}"}"#)
  }

  func testOtherBodiesStayAsTheyAre() {
    XCTAssertEqual(
      String(decoding: applied(["Content-Type": "image/png"], "https://api.example").body, as: UTF8.self),
      "https://api.example")
  }
}
