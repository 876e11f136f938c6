import TestSupport
import TrackingSecrets

@testable import StubRecording

/// Rule 1: names in data, and nothing by name in programs and prose.
final class RedactionByNameTests: RedactionTestCase {
  func testNamesAreRecognizedInTheirSpellings() {
    let names: [(SecretNames.Classification, String)] = [
      (
        .secret(.token),
        "access_token accessToken ACCESS-TOKEN accesstoken tokens X-Auth-Token idToken X-Session-Id oauth_verifier"
      ),
      (.secret(.key), "apiKey APIKey api_keys apikey X-Api-Key x-apikey private-key client-key-data"),
      (
        .secret(.password),
        "password newPassword passwd db_pwd passphrase password_confirmation password1 password_2 newPassword2 pass1 "
          + "user_pass DB_PASS SMTP_PASS userPass1 pwd2"
      ),
      (.secret(.secret), "client_secret SECRET_KEY_BASE secretKeyBase"),
      (
        .plain,
        "title key monkey tokenizer secretary passwordRequired keys id cookies2 boarding_pass compass bypass first_pass "
          + "appid app_id token1 key_2 client-certificate-data"
      ),
    ]
    for (classification, list) in names {
      for name in list.split(separator: " ") {
        XCTAssertEqual(SecretNames().classification(of: String(name)), classification, "\(name)")
      }
    }
    XCTAssertEqual(
      redacted(exchange(query: "appid=0f1e2d3c4b5a&appId=com.shop&app_id=7"))[0].request.query,
      "appid=%5Bredacted%20key%201%5D&appId=com.shop&app_id=7")
  }

  /// A second definition: runs of letters between single separators; of the capitals in a run, several in a row only begin or end it.
  func testAWordIsRecognized() {
    func isWord(_ text: String) -> Bool {
      var parts = [""]
      for character in text {
        if ["_", "-", ".", "/"].contains(character) {
          parts.append("")
        } else {
          parts[parts.count - 1].append(character)
        }
      }
      return !parts.contains { part in
        let letters = Array(part)
        let runs = letters.indices.filter { $0 == 0 || letters[$0].isUppercase != letters[$0 - 1].isUppercase }
        let isGenerated = zip(runs, runs.dropFirst()).dropFirst().contains { $1 - $0 > 1 && letters[$0].isUppercase }
        return letters.isEmpty || letters.contains { !$0.isLetter } || isGenerated
      }
    }
    for word in [
      "created_at", "createdAt", "same-origin", "application/json", "Passwort", "GRÖSSE", "größe", "userID",
      "HTMLElement",
      "a", "日本語", "e\u{301}tat",
    ] {
      XCTAssertTrue(SecretNames.isWord(word), word)
      XCTAssertTrue(isWord(word), word)
    }
    for value in ["", "a1", "correct horse", "a__b", "-a", "a-", "kJHgf", "a+b", "cookie-88d1f0aa", "a@b", "a%20b"] {
      XCTAssertFalse(SecretNames.isWord(value), value)
      XCTAssertFalse(isWord(value), value)
    }
    var random = RandomCases.generator(seed: 26)
    for _ in 0..<RandomCases.count(20_000) {
      let characters = (0..<Int.random(in: 0...9, using: &random)).compactMap { _ in
        ["a", "b", "C", "D", "é", "É", "日", "_", "-", "1"].randomElement(using: &random)
      }
      let text = characters.joined()
      XCTAssertEqual(SecretNames.isWord(text), isWord(text), text)
    }
  }

  func testOfALongNameTheEndDecides() {
    let long = String(repeating: "member.", count: 40)
    XCTAssertEqual(SecretNames().classification(of: "\(long)password"), .secret(.password))
    XCTAssertEqual(SecretNames().classification(of: "\(long)title"), .plain)
    XCTAssertEqual(SecretNames().classification(of: "/\(long)password"), .plain)
  }

  func testEachCookieIsASecret() {
    let exchange = redacted(
      exchange(
        headers: ["Cookie": "sid=abc123; theme=dark; quoted=\"x y\"; nameless-4"],
        response: [
          "Set-Cookie": "sid=abc123; Path=/; Expires=Wed, 21 Oct 2026 07:28:00 GMT, b=2a;Secure,c=\"3c\", d=4",
          "set-cookie": "nameless-5; Path=/", "Set-COOKIE": "e=f=g,h;Max-Age=1",
        ]))[0]
    XCTAssertEqual(
      exchange.request.headers["Cookie"],
      "sid=[redacted cookie 3]; theme=[redacted cookie 4]; quoted=\"[redacted cookie 2]\"; [redacted cookie 1]")
    XCTAssertEqual(
      exchange.response.headers.lines.map(\.value),
      [
        "sid=[redacted cookie 3]; Path=/; Expires=Wed, 21 Oct 2026 07:28:00 GMT, b=[redacted cookie 5];Secure,"
          + "c=\"[redacted cookie 6]\", d=[redacted cookie 7]",
        "[redacted cookie 9]; Path=/", "e=[redacted cookie 8];Max-Age=1",
      ])
  }

  func testEachKindOfDataIsRedactedByItsNames() {
    let page = #"<p>password: x</p><script>var s="<input name='token' value='"+v+"'>"</script>"#
    for (type, text) in [
      ("application/json", #"{"a":{"refreshToken":"«token 1|r1»"},"n":1e2}"#),
      ("application/json", #"{"tokens":["«token 1|a/b»",{"type":"Bearer","value":"«token 2|v»"}]}"#),
      // Pairs of a name and a value.
      ("application/json", #"[{"name":"password","value":"«password 1|h1»"},{"value":"«key 1|k»","key":"api_key"}]"#),
      ("application/json", #"{"id":"access_token","values":["«token 1|a»",{"b":"«token 2|c»"}],"title":"x"}"#),
      ("application/json-patch+json", #"[{"op":"add","path":"/user/password","value":"«password 1|h1»"}]"#),
      ("application/json-patch+json", #"[{"op":"add","path":"/user/title","value":"h2"}]"#),
      // Names under a secret name, and what a person may have named.
      (
        "application/json", #"{"tokens":{"«token 1|a1b2c3d4e5»":{"user":"«token 2|anna»"}},"a1b2c3d4":{"user":"anna"}}"#
      ),
      ("application/json", #"{"tokens":{"list":[{"«token 1|tok_9f8e7d6c»":1,"«token 2|12345678»":2}]}}"#),
      (
        "application/json",
        #"{"credentials":{"oauth2_google":{"address_line1":"«token 1|a»","Old key 1234":"«token 2|b»"}}}"#
      ),
      // Generated values of some names.
      ("application/json", #"{"access":"«token 1|9f8e7d6c5b4a3f2e»","refresh":["«token 2|opaque-9f8e7d6c5b»"],"n":1}"#),
      (
        "application/json",
        #"{"access":"internationalization","refresh":"2026-11-28T12:00:00Z","a":{"access":"read-write"}}"#
      ),
      ("application/json", #"{"refresh":"https://api.example/v2/9f8e7d","access":{"id":"9f8e7d6c5b4a3f2e"}}"#),
      ("text/xml", "<r><refresh>«token 1|9f8e7d6c5b4a3f2e»</refresh><access>all</access></r>"),
      ("application/x-www-form-urlencoded", "refresh=«%token 1|9f8e7d6c5b4a3f2e»&access=all"),
      // Lines, events, and what isn't JSON to the end.
      ("application/x-ndjson", "{\"token\":\"«token 1|a»\"}\n\u{1E}[{\"password\":\"«password 1|b»\"}]\n"),
      ("text/event-stream", "event: a {\ndata: {\"token\":\"«token 1|a»\"}\n\ndata: {\"n\":1}\n\n"),
      ("text/event-stream", "data: if (a) {\n\ndata: Bearer «token 1|0123456789abcdef0123»\n\n"),
      ("application/json", ")]}',\n{\"token\":\"«token 1|a»\"}"), ("application/json", "{\"token\":\"«token 1|a»\","),
      ("application/json", "\u{FEFF}{\"token\":\"«token 1|a»\"}"), ("text/plain", "{\"token\":\"«token 1|a»\"}"),
      ("", "{\"token\":\"«token 1|a»\"}"), ("application/json", #"{"body":"{\"token\":\"«token 1|a»\"}"}"#),
      ("application/json", "\(String(repeating: "[", count: 2_000)){\"password\":\"«password 1|a»\"}"),
      ("application/json", #"{"url":"/x?n=1&token=«%token 1|a%2Fb»#sid=«%token 2|c»"}"#),
      // Forms.
      ("application/x-www-form-urlencoded", "user=anna&password1=«%password 1|p+w»&key=«%key 1|k»&flag"),
      ("application/x-www-form-urlencoded", #"{"password":"«password 1|h1»"}"#),
      ("application/x-www-form-urlencoded", "json=%7B%22token%22%3A%22«%token 1|a»%22%7D"),
      // XML.
      ("text/xml", "<r xmlns:w='u'><w:Password T='x'>\n «password 1|a&amp;b» </w:Password><title>W</title></r>"),
      ("text/xml", "<r><token><![CDATA[«token 1|a<b>c»]]></token><secret/><n>x</n></r>"),
      (
        "application/soap+xml",
        "<r><Credentials><Key>«token 1|A1»</Key><Expires>2026</Expires></Credentials><Key>b</Key></r>"
      ),
      ("text/xml", #"<r apiKey="«key 1|k1»"><add key="Password" value='«password 1|p1»'/><t name="n">x</t></r>"#),
      ("text/xml", "<member><name>DB_PASS</name><value><string>«password 1|p1»</string></value></member>"),
      ("text/xml", "<member><value>x</value><name>title</name></member>"),
      (
        "text/xml",
        "<r a='/x?n=1&amp;token=«%token 1|t1»&amp;b=2'><u>https://h/x?api_key=«%key 1|k1»&amp;a=1</u><p>token=x</p></r>"
      ),
      // Fields, metadata and links of pages, and nothing else of them.
      ("text/html; charset=utf-8", "<!-- < --><meta content='«token 1|t&#39;1»' name='csrf-token'>\(page)"),
      ("text/html", "<INPUT type=hidden value=«token 1|t2» name=_csrf>\(page)"),
      (
        "text/html",
        #"<p title="/x?token=t"><a href="/x?a=1&amp;token=«%token 1|t3»">token=t</a><script src=/s.js?v=1>"#
      ),
      ("text/html", #"<meta name="csrf-param" content="authenticity_token"><input name="title" value="W">"#),
      (
        "multipart/form-data; boundary=b",
        "--b\r\nContent-Disposition: form-data; name=\"pass1\"\r\n\r\n«password 1|hunter2»\r\n--b\r\nContent-Disposition: "
          + "form-data; name=\"a\"\r\nContent-Type: application/json\r\n\r\n{\"token\":\"«token 1|a»\"}\r\n--b--\r\n"
      ),
    ] { assertRedacted(text, type) }
  }

  /// `x.getKey=function(a){return a.k}` with another right side is a script that doesn't parse.
  func testProgramsAndProseAreNeverChangedByName() {
    for (type, text) in [
      ("text/javascript", "x.getKey=function(a){return a.k};var token='abc';init({apiKey:\"AIza1\",password:`p`})"),
      ("text/html", "<div data-token=\"a\"><a href=\"/x?page=d\"><script>apiKey = `S`; init({apiKey:\"k\"})</script>"),
      ("text/css", "a{content:'token=1'} /* password: x */"),
      ("text/plain", "user=anna password=hunter2 Token: 9f8e7d Cookie: sid=1\n//registry/:_authToken=S\n{\"a\":}"),
      ("", "<13>Nov 22 app: password=hunter2 \"token\": \"x\""),
      ("application/graphql", "mutation { login(password: \"x\") { token } }"),
    ] { XCTAssertEqual(redacted(text, type), text) }
    // By value they are found.
    let text = "apiKey = `S-secret-1`\n//registry/:_authToken=S-secret-1"
    XCTAssertEqual(
      string(redacted(exchange(headers: ["X-Api-Key": "S-secret-1"]), exchange(says: text))[1].response.body),
      text.replacing("S-secret-1", with: "[redacted key 1]"))
  }
}
