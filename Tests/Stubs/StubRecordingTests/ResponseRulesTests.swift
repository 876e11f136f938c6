@testable import StubModel
import XCTest

@testable import StubRecording

final class ResponseRulesTests: XCTestCase {
  private func applied(_ fields: MessageHeaders, _ body: String = "") -> RecordedExchange.Response {
    ResponseRules(origins: ["https://api.example", "https://cdn.example"]).applied(
      to: UpstreamResponse(status: 200, headers: fields, body: Data(body.utf8)))
  }

  func testJoinedCookiesAreDividedThoughTheirDatesHaveCommas() {
    XCTAssertEqual(
      ResponseRules.cookies(in: "a=1; Expires=Wed, 21 Oct 2026 07:28:00 GMT; Path=/, b=2, c=x,y; Secure"),
      ["a=1; Expires=Wed, 21 Oct 2026 07:28:00 GMT; Path=/", "b=2", "c=x,y; Secure"])
  }

  func testACookieWithACommaStaysWholeWhereFieldsAreNotJoined() {
    var response = UpstreamResponse(status: 200, headers: ["Set-Cookie": "cart=1,size=2; Path=/"], body: Data())
    let rules = ResponseRules(origins: [])
    XCTAssertEqual(rules.applied(to: response).headers.lines.map(\.value), ["cart=1,size=2; Path=/"])
    response.joinsCookies = true
    XCTAssertEqual(rules.applied(to: response).headers.lines.map(\.value), ["cart=1", "size=2; Path=/"])
  }

  func testACookieIsForThisMachineAndHasNoTimeInTheFuture() {
    let response = applied([
      "Date": "Wed, 21 Oct 2026 07:28:00 GMT",
      "Set-Cookie": "sid=1; Domain=api.example; Secure; HttpOnly; SameSite=None; Expires=Thu, 22 Oct 2026 07:28:01 GMT",
    ])
    XCTAssertEqual(response.headers.lines.map(\.value), ["sid=1; HttpOnly"])
    XCTAssertEqual(
      ResponseRules.cookie("a=1; Expires=Wed, 21-Oct-2015 07:28:00 GMT; SameSite=Lax", receivedAt: Date()),
      "a=1; Max-Age=0; SameSite=Lax")
    XCTAssertEqual(
      ResponseRules.cookie("a=1; Max-Age=5; Expires=Wed, 21 Oct 2026 07:28:00 GMT", receivedAt: Date()),
      "a=1; Max-Age=5")
  }

  /// A server without a clock sends no `Date`.
  func testATimeInTheFutureIsDroppedWithoutADateToo() {
    let response = applied(["Expires": "Wed, 21 Oct 2099 07:28:00 GMT"])
    XCTAssertEqual(response.headers, [:])
    XCTAssertEqual(applied(["Expires": "0"]).headers, ["Expires": "0"])
    XCTAssertEqual(applied(["Expires": "Wed, 21 Oct 2015 07:28:00 GMT"]).headers.lines.count, 1)
  }

  func testOriginsBecomeTheBaseInFieldsAndTexts() {
    let response = applied(
      [
        "Location": "https://api.example/next?to=https://cdn.example:8443/", "Content-Type": "application/json",
        "Strict-Transport-Security": "max-age=1", "Connection": "close, X-Hop", "X-Hop": "1", "X-Kept": "1",
      ],
      #"{"a":"https:\/\/api.example\/1","b":"https://cdn.example/2","c":"https://api.example.org","d":"{base}"}"#)
    XCTAssertEqual(
      response.headers.lines.map { "\($0.name): \($0.value)" }.sorted(),
      ["Content-Type: application/json", "Location: {base}/next?to=https://cdn.example:8443/", "X-Kept: 1"])
    XCTAssertEqual(
      String(decoding: response.body, as: UTF8.self),
      #"{"a":"{base}\/1","b":"{base}/2","c":"https://api.example.org","d":"{{base}}"}"#)
  }

  private func body(_ text: String, origins: [String] = ["https://api.example", "http://127.0.0.1:8080"]) -> String {
    let response = ResponseRules(origins: origins).applied(
      to: UpstreamResponse(status: 200, headers: ["Content-Type": "text/html"], body: Data(text.utf8)))
    return String(decoding: response.body, as: UTF8.self)
  }

  /// Otherwise the app would leave a replay for the backend.
  func testAnOriginIsFoundHoweverItIsWritten() {
    for text in [
      "http://api.example", "https://api.example:443", "http://api.example:80", "http://api.example:443",
      "HTTPS://API.Example", "https://anna:geheim@api.example", #"https:\/\/api.example"#, #"https:\/\/api.example"#,
      #"https:\u002F\u002Fapi.example"#, #"https\x3a\x2f\x2fapi.example"#, "https&#x3A;&#x2F;&#47;api.example",
      "http://127.0.0.1:8080", "https://127.0.0.1:8080",
    ] { XCTAssertEqual(body("<\(text)/x?y \(text)."), "<{base}/x?y {base}.", text) }
    XCTAssertEqual(
      body("?u=https%3A%2F%2Fapi.example%2Fx&v=%2Fhttp%3a%2f%2fapi.example%3a80&w=https%253A%252F%252Fapi.example"),
      "?u=%7Bbase%7D%2Fx&v=%2F%7Bbase%7D&w=%257Bbase%257D")
  }

  /// A browser completes `//host` with the page's scheme, so the app would leave a replay for the backend.
  func testAURLWithoutASchemeIsFoundWhereBrowsersReadOne() {
    let (fields, json, html, css): (MessageHeaders, String, String, String) = (
      [
        "Location": "//api.example/new", "Link": "<//api.example/2>; rel=next, <//cdn.example/3>; rel=preload",
        "Content-Location": "//api.example", "Refresh": "0; url=//api.example/", "X-Note": "see //api.example",
        "X-Next": "//api.example/4", "X-Other": "//api.example:8443/",
      ], "application/json", "text/html; charset=utf-8", "text/css"
    )
    XCTAssertEqual(
      applied(fields).headers.lines.map(\.value),
      [
        "{base}/new", "<{base}/2>; rel=next, <{base}/3>; rel=preload", "{base}", "0; url={base}/", "see //api.example",
        "{base}/4", "//api.example:8443/",
      ])
    for (type, text, expected) in [
      (json, ##"{"a":"//api.example/1","b":["\/\/api.example\/2"]}"##, ##"{"a":"{base}/1","b":["{base}\/2"]}"##),
      (json, ##"{"a":"see //api.example, \"//api.example\" + \\\"//api.example"}"##, nil),
      (
        html, "<a href='//api.example/1' src = //api.example/2><use xlink:href=\"//api.example:443\"/>",
        "<a href='{base}/1' src = {base}/2><use xlink:href=\"{base}\"/>"
      ),
      (
        html, "<img srcset=\"//api.example/1 1x, //cdn.example/2 2x,//api.example/3\" alt='a, //api.example'>",
        "<img srcset=\"{base}/1 1x, {base}/2 2x,{base}/3\" alt='a, //api.example'>"
      ),
      (
        html, "<p style=\"background:url('//api.example/1')\"><style>a{b:url( //api.example/2)}</style>",
        "<p style=\"background:url('{base}/1')\"><style>a{b:url( {base}/2)}</style>"
      ),
      (
        html, "<meta http-equiv=refresh content=\"0; url=//api.example/\"><script src=\"//api.example/x.js\">",
        "<meta http-equiv=refresh content=\"0; url={base}/\"><script src=\"{base}/x.js\">"
      ),
      (
        html,
        "<script a>u=p+\"//api.example\";d='<a href=\"//api.example\">'</script><!--<a href='//api.example'>--> \"//api.example\" url(//api.example)",
        nil
      ),
      (
        css,
        "@import \"//api.example/1\"; a{b:url(\"//api.example/2\"),url(//api.example)} /* see \"//api.example\" */",
        "@import \"{base}/1\"; a{b:url(\"{base}/2\"),url({base})} /* see \"//api.example\" */"
      ),
      ("text/javascript", "u=p+\"//api.example\";f('//api.example');v=`url(//api.example)`", nil),
      ("text/plain", "\"//api.example\" <//api.example> (//api.example", nil),
    ] as [(String, String, String?)] {
      let body = applied(["Content-Type": type], text).body
      XCTAssertEqual(String(decoding: body, as: UTF8.self), expected ?? text, type)
    }
  }

  func testOtherOriginsStayAsTheyAre() {
    for text in [
      "https://api.example.org", "https://api.example-2.org", "https://api.example:8443", "http://my.api.example",
      "https://api.examples", "https://127.0.0.1", "http://127.0.0.1:80801", "https://api.example@evil.example",
      "xhttps://api.example", "ftp://api.example", "wss://api.example", "// api.example", "https:/api.example",
      "a//api.example",
      "https://", "https:", "%3A%2F%2F",
    ] { XCTAssertEqual(body(text), text) }
  }

  func testWhatABackendWroteLikeThePlaceholderIsWrittenAgain() {
    let text = "{base} %7Bbase%7D %257Bbase%257D {{base}} base {base %7Bbase} %7B%7Bbase%7D%7D https://api.example"
    XCTAssertEqual(
      RecordedBase.filled(body(text), with: "https://api.example"), text)
    XCTAssertEqual(
      RecordedBase.filled("{base}/1?u=%7Bbase%7D%2F&v=%257Bbase%257D", with: "http://[::1]:5"),
      "http://[::1]:5/1?u=http%3A%2F%2F%5B%3A%3A1%5D%3A5%2F&v=http%253A%252F%252F%255B%253A%253A1%255D%253A5")
  }

  func testEachFieldIsSearched() {
    let fields: MessageHeaders = [
      "Content-Security-Policy": "connect-src https://api.example",
      "Access-Control-Allow-Origin": "https://api.example",
      "Set-Cookie": "back=https%3A%2F%2Fapi.example%2F; Path=/",
    ]
    XCTAssertEqual(
      applied(fields).headers.lines.map(\.value),
      ["connect-src {base}", "{base}", "back=%7Bbase%7D%2F; Path=/"])
  }

  func testOtherBodiesStayAsTheyAre() {
    XCTAssertEqual(
      String(decoding: applied(["Content-Type": "image/png"], "https://api.example").body, as: UTF8.self),
      "https://api.example")
    XCTAssertEqual(String(decoding: applied([:], "\0https://api.example").body, as: UTF8.self), "\0https://api.example")
  }

  /// Small servers leave the media type out, and a replay must not lead to them either.
  func testATextWithoutAMediaTypeIsSearchedToo() throws {
    let response = applied([:], #"{"next":"https://api.example/2"}"#)
    XCTAssertEqual(String(decoding: response.body, as: UTF8.self), #"{"next":"{base}/2"}"#)
    let result = try PreparedResponse(StubResponse(response, to: "GET", followedBy: 0), folder: nil).filled(
      withBase: "http://[::1]:5")
    XCTAssertEqual(String(decoding: result.bytes, as: UTF8.self), #"{"next":"http://[::1]:5/2"}"#)
  }
}
