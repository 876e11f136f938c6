import StubReplay
import TestSupport
@testable import StubRecording

/// The time of redaction grows with the texts, not with their square.
///
/// Eight times as much may take 24 times as long, which leaves room for a busy machine; the square would be 64 times.
final class RedactionOfLargeTextsTests: RedactionTestCase {
  private func repeated(_ text: String, _ count: Int) -> String {
    String(repeating: text, count: max(1, count / text.utf8.count))
  }

  /// The processor time of this thread.
  private func seconds(_ work: () -> Void) -> Double {
    func now() -> Double {
      var time = timespec()
      clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
      return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }
    let start = now()
    work()
    return now() - start
  }

  private func assertIsLinear(
    _ name: String, _ count: Int = 1_250, line: UInt = #line, _ exchanges: (Int) -> [RecordedExchange]
  ) {
    let (small, large) = (exchanges(count), exchanges(8 * count))
    func time(_ exchanges: [RecordedExchange]) -> Double {
      seconds {
        let result = SecretRedaction().redacted(exchanges)
        for exchange in result.exchanges.suffix(1) { _ = result.secrets.leak(in: [UInt8](exchange.response.body)) }
      }
    }
    var ratios: [Double] = []
    while ratios.count < 5 {
      ratios.append(time(large) / time(small))
      if ratios[ratios.count - 1] < 24 { return }
    }
    XCTFail("\(name): eight times as much took \(ratios) times as long", line: line)
  }

  func testTextsThatAreHardToReadTakeLinearTime() {
    let login = exchange(says: #"{"token":"aaaaaaaaaaaaaaaaaaaaab"}"#)
    let plain =
      #"%25 \ = ?token= ;token= &code=x /?a=/?a= eyJ. eyJa.b. -----BEGIN¬ Basic¬YTpi Bearer¬aaaaaaaaaaaaaaaa1 ://a:"#
    let data =
      #"[redacted¬ {"a": {"token":"a"}, "\" [{"a":[ {"name":"token","value": }] :"a":"b", 123456789 http://a:b@ a YWJjZGVm"#
    let markup =
      "< <a¬b=\" <a¬b=' <a¬b= <token> <token><![CDATA[ <![CDATA[<token>]]> <token><b> &amp; </b> <!-- <script> <input¬name='"
    for (type, texts) in [
      ("text/plain", plain), ("application/json", data), ("text/event-stream", data), ("text/xml", markup),
      ("text/html", markup), ("application/x-www-form-urlencoded", "& a=1; ; %253D \(plain)"),
    ] {
      for text in texts.split(separator: " ").map({ $0.replacing("¬", with: " ") }) {
        assertIsLinear("\(type) \(text.debugDescription)") { count in
          [login, exchange(response: ["Content-Type": type], says: repeated(String(text), count))]
        }
      }
    }
  }

  /// It is done for each body that is compared with another, and in a debug build a collection's own search takes much longer than a loop.
  func testSearchingABodyForPlaceholdersTakesNoLongerThanCountingItsBytes() {
    let body = [UInt8](repeated(#"{"id":[17,"a book"]},"#, 270_000).utf8)
    var sum = 0
    let isFast = (0..<5).contains { _ in
      let counting = seconds { body.withUnsafeBufferPointer { for byte in $0 { sum &+= Int(byte) } } }
      return seconds { XCTAssertEqual(OpenText.placeholders(in: body), []) } < 2 * counting
    }
    XCTAssertTrue(isFast)
    XCTAssertGreaterThan(sum, 0)
  }

  func testManySecretsTakeLinearTime() {
    let json = json
    assertIsLinear("public keys") { count in
      [exchange(says: repeated("-----BEGIN PUBLIC KEY-----\n", 4 * count) + "-----END x-----")]
    }
    assertIsLinear("secrets that begin alike") { count in
      let tokens = (0..<count / 50).map { "token-that-begins-like-the-others-\($0)" }
      return [
        exchange(response: json, says: "[\(tokens.map { "{\"token\":\"\($0)\"}" }.joined(separator: ","))]"),
        exchange(says: tokens.joined(separator: " ")),
      ]
    }
    assertIsLinear("a long secret that is nearly everywhere") { count in
      [
        exchange(response: json, says: "{\"token\":\"\(repeated("a", count / 2))b\"}"),
        exchange(says: repeated("a", count)),
      ]
    }
    assertIsLinear("many exchanges with different secrets") { count in
      (0..<count / 100).map { index in
        exchange(
          headers: ["Authorization": "Bearer bearer-\(index)"], response: json,
          says: #"{"token":"token-\#(index)","text":"{\"token\":\"inner-\#(index)\"}","not":"[1"}"#)
      }
    }
    assertIsLinear("placeholders of an earlier redaction") { count in
      (0..<count / 100).map { exchange(response: json, says: #"{"token":"[redacted token \#($0)]"}"#) }
    }
    assertIsLinear("one secret in a long text in base64") { count in
      let text = repeated("secret-value-1 ", count)
      return [
        exchange(response: json, says: #"{"token":"secret-value-1"}"#),
        exchange(says: Data(text.utf8).base64EncodedString()),
      ]
    }
  }
}
