import TestSupport
@testable import StubRecording

/// Exchanges, and what redaction makes of them.
class RedactionTestCase: XCTestCase {
  let json: MessageHeaders = ["Content-Type": "application/json"]
  let form: MessageHeaders = ["Content-Type": "application/x-www-form-urlencoded"]

  func exchange(
    _ method: String = "GET", _ path: String = "/books", query: String? = nil, headers: MessageHeaders = [:],
    body: String = "", response: MessageHeaders = [:], says responseBody: String = ""
  ) -> RecordedExchange {
    RecordedExchange(
      request: .init(
        method: method, origin: "http://127.0.0.1:8080", path: path, query: query, headers: headers,
        body: Data(body.utf8)), response: .init(headers: response, body: Data(responseBody.utf8)))
  }

  func redacted(_ exchanges: RecordedExchange..., by redaction: SecretRedaction = SecretRedaction())
    -> [RecordedExchange]
  {
    redaction.redacted(exchanges).exchanges
  }

  /// A response's text without its secrets.
  func redacted(_ text: String, _ type: String? = nil) -> String {
    let headers: MessageHeaders = type.map { ["Content-Type": $0] } ?? [:]
    return String(decoding: redacted(exchange(response: headers, says: text))[0].response.body, as: UTF8.self)
  }

  /// Asserts that a response's marked secrets are replaced and nothing else: `{"token":"«token 1|abc»"}`, in a URL `«%token 1|abc»`.
  func assertRedacted(_ text: String, _ type: String, line: UInt = #line) {
    let (plain, new) = (
      text.replacing(/«[^|]*\|([^»]*)»/) { $0.1 },
      text.replacing(/«(%?)([^|]*)\|[^»]*»/) { match in
        let placeholder = "[redacted \(match.2)]"
        return match.1.isEmpty ? placeholder : string(PercentEncoding.encoded(Array(placeholder.utf8)))
      }
    )
    XCTAssertEqual(redacted(plain, type.isEmpty ? nil : type), new, line: line)
  }
}
