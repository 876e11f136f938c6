import TestSupport
import TrackingSecrets

@testable import StubRecording

final class RedactionTests: RedactionTestCase {
  // MARK: By position

  func testHeadersAreRedactedByTheirNames() {
    let exchange = redacted(
      exchange(
        headers: [
          "Authorization": "Bearer abc.def", "Proxy-Authorization": "Basic dXNlcjpwYXNz", "X-Api-Key": "k1",
          "X-CSRF-Token": "t1", "X-Client-Secret": "s1", "X-Sort-Key": "title", "Accept": "text/plain",
          "Cookie": "sid=abc123; theme=dark; quoted=\"x y\"",
        ], answer: ["Set-Cookie": "sid=abc123; Path=/; HttpOnly", "set-cookie": "b=2;Secure", "ETag": "\"1\""]))[0]
    XCTAssertEqual(
      exchange.request.headers,
      [
        "Authorization": "Bearer [redacted token 1]", "Proxy-Authorization": "Basic [redacted token 2]",
        "X-Api-Key": "[redacted key 1]", "X-CSRF-Token": "[redacted token 3]",
        "X-Client-Secret": "[redacted secret 1]", "X-Sort-Key": "title", "Accept": "text/plain",
        "Cookie": "sid=[redacted cookie 2]; theme=[redacted cookie 3]; quoted=\"[redacted cookie 1]\"",
      ])
    XCTAssertEqual(
      exchange.answer.headers,
      [
        "Set-Cookie": "sid=[redacted cookie 2]; Path=/; HttpOnly", "set-cookie": "b=[redacted cookie 4];Secure",
        "ETag": "\"1\"",
      ])
  }

  func testQueryItemsFieldsPartsAndMembersAreRedactedByTheSameNames() {
    let multipart =
      "--b\r\nContent-Disposition: form-data; name=\"password\"\r\n\r\nhunter2\r\n--b\r\n"
      + "Content-Disposition: form-data; name=\"title\"\r\n\r\nWalden\r\n--b--\r\n"
    let exchanges = redacted(
      exchange(query: "page=2&access_token=a%2Fb&apiKey=k&key=g&flag"),
      exchange("POST", headers: form, body: "user=anna&password=p+w&client_secret=s"),
      exchange("POST", headers: ["Content-Type": "multipart/form-data; boundary=b"], body: multipart),
      exchange(
        "POST", headers: json,
        body:
          #"{"user": {"refreshToken": "r", "apiKey": "k"}, "tokens": ["a/b", {"type": "Bearer", "value": "v"}], "n": 1e2}"#
      ))
    XCTAssertEqual(
      exchanges[0].request.query,
      "page=2&access_token=%5Bredacted%20token%201%5D&apiKey=%5Bredacted%20key%201%5D&key=%5Bredacted%20key%202%5D&flag"
    )
    XCTAssertEqual(
      String(decoding: exchanges[1].request.body, as: UTF8.self),
      "user=anna&password=%5Bredacted%20password%202%5D&client_secret=%5Bredacted%20secret%201%5D")
    XCTAssertEqual(
      String(decoding: exchanges[2].request.body, as: UTF8.self),
      multipart.replacingOccurrences(of: "hunter2", with: "[redacted password 1]"))
    XCTAssertEqual(
      String(decoding: exchanges[3].request.body, as: UTF8.self),
      #"{"user": {"refreshToken": "[redacted token 2]", "apiKey": "[redacted key 1]"}, "tokens": ["[redacted token 1]", {"type": "Bearer", "value": "[redacted token 3]"}], "n": 1e2}"#
    )
  }

  func testNamesAreRecognizedInTheirSpellings() {
    let names = SecretNames()
    for name in [
      "access_token", "accessToken", "ACCESS-TOKEN", "accesstoken", "tokens", "X-Auth-Token", "idToken", "X-Session-Id",
    ] { XCTAssertEqual(names.verdict(on: name), .secret(.token), name) }
    for name in ["apiKey", "APIKey", "api_keys", "apikey", "X-Api-Key", "x-apikey", "private-key"] {
      XCTAssertEqual(names.verdict(on: name), .secret(.key), name)
    }
    for name in ["password", "newPassword", "passwd", "db_pwd", "passphrase", "password_confirmation"] {
      XCTAssertEqual(names.verdict(on: name), .secret(.password), name)
    }
    for name in ["title", "key", "monkey", "tokenizer", "secretary", "passwordRequired", "keys", "", "id", "cookies2"] {
      XCTAssertEqual(names.verdict(on: name), .plain, name)
    }
  }

  func testOfALongNameTheEndDecides() {
    let long = String(repeating: "member.", count: 40)
    let names = SecretNames()
    XCTAssertEqual(names.verdict(on: "\(long)password"), .secret(.password))
    XCTAssertEqual(names.verdict(on: "\(long)title"), .plain)
    XCTAssertEqual(names.verdict(on: "/\(long)password"), .plain)
    let field = "a\(String(repeating: "[b]", count: 80))[password]"
    XCTAssertEqual(
      redacted(exchange("POST", headers: form, body: "\(field)=hunter2"))[0].request.body,
      Data("\(field)=%5Bredacted%20password%201%5D".utf8))
    for (before, behind, type) in [
      ("{\"\(field)\":\"", "\"}", "application/json"), ("{\"\(field)\":\"", "\",", "text/plain"),
      ("<\(long)password>", "</\(long)password>", "text/xml"),
      ("<input name=\"\(field)\" value=\"", "\">", "text/html"),
      ("<plist><key>\(field)</key><string>", "</string></plist>", "text/xml"),
      ("[{\"name\":\"\(field)\",\"value\":\"", "\"}]", "application/json"),
    ] { XCTAssertEqual(redacted(before + "hunter2" + behind, type), before + "[redacted password 1]" + behind) }
  }

  func testNumbersStayNumbersAndFlagsStay() {
    let exchange = redacted(
      exchange(
        "POST", headers: json, body: #"{"pin_token":87654321,"max_tokens":4096,"has_token":true,"token":null}"#,
        says: #"{"code":"87654321","n":87654321}"#))[0]
    XCTAssertEqual(
      String(decoding: exchange.request.body, as: UTF8.self),
      #"{"pin_token":1,"max_tokens":4096,"has_token":true,"token":null}"#)
    XCTAssertEqual(String(decoding: exchange.answer.body, as: UTF8.self), #"{"code":"[redacted token 1]","n":1}"#)
  }

  func testASecretWithTheSeparatorsOfAQueryIsFoundInOne() {
    let result = SecretRedaction().redacted([
      exchange(query: "n=1&left=right&n=2", headers: ["X-Api-Token": "left=right&n"])
    ])
    XCTAssertEqual(result.exchanges[0].request.query, "n=1&%5Bredacted%20token%201%5D=2")
  }

  func testAPasswordOfFewDigitsIsASecretToo() {
    let exchange = redacted(exchange("POST", headers: json, body: #"{"passcode":1234,"token":1234}"#))[0]
    XCTAssertEqual(String(decoding: exchange.request.body, as: UTF8.self), #"{"passcode":1,"token":1234}"#)
  }

  func testTokensAndKeysAreFoundAnywhere() {
    // {"alg":"HS256"} and {"sub":"1"}
    let token = "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl"
    let pem = "-----BEGIN PRIVATE KEY-----\nMIIE\n-----END PRIVATE KEY-----"
    let escaped = pem.replacingOccurrences(of: "\n", with: "\\n")
    let exchange = redacted(
      exchange(
        "GET", "/sessions/\(token)/info", headers: json, body: #"{"note":"see \#(token).","pem":"\#(escaped)"}"#,
        answer: ["Location": "https://a.example/cb?code=1#id_token=xyz&state=2"],
        says:
          "jwt \(token)\n\(pem)\n<Password>a b</Password> https://anna:geheim@db.example/x \"password\" : \"p\" eyJhbGciOiJub25lIn0"
      ))[0]
    XCTAssertEqual(exchange.request.path, "/sessions/%5Bredacted%20token%201%5D/info")
    XCTAssertEqual(
      String(decoding: exchange.request.body, as: UTF8.self),
      #"{"note":"see [redacted token 1].","pem":"[redacted PEM 1]"}"#)
    XCTAssertEqual(
      exchange.answer.headers["Location"],
      "https://a.example/cb?code=1#id_token=%5Bredacted%20token%202%5D&state=2")
    XCTAssertEqual(
      String(decoding: exchange.answer.body, as: UTF8.self),
      "jwt [redacted token 1]\n[redacted PEM 1]\n<Password>[redacted password 1]</Password> "
        + "https://anna:%5Bredacted%20password%202%5D@db.example/x \"password\" : \"[redacted password 3]\" eyJhbGciOiJub25lIn0"
    )
  }

  func testAttributesAreRedactedByTheirNames() {
    let exchange = redacted(
      exchange(
        says:
          "<a data-token=\"a\" title=\"b\" api-key='c' href=\"/x?token=d&n=1\" token=e>if (token == \"x\") { y }</a>"))[
        0]
    XCTAssertEqual(
      String(decoding: exchange.answer.body, as: UTF8.self),
      "<a data-token=\"[redacted token 1]\" title=\"b\" api-key='[redacted key 1]' "
        + "href=\"/x?token=%5Bredacted%20token%202%5D&n=1\" token=e>if (token == \"x\") { y }</a>")
  }

  // MARK: By taint

  func testASecretIsReplacedWhereverItIsAndHoweverItIsWritten() {
    let secret = "s3cr3t/+ tök=n"
    let encoded = Data("anna:\(secret)".utf8).base64EncodedString()
    let urlSafe = Data("\(secret)!".utf8).base64EncodedString().replacingOccurrences(of: "/", with: "_")
      .replacingOccurrences(of: "+", with: "-").replacingOccurrences(of: "=", with: "")
    let percent = "s3cr3t%2F%2B%20t%c3%b6k%3Dn"
    let exchanges = redacted(
      exchange(
        "GET", "/a/\(percent)/b",
        query: "q=x\(percent)y&next=%2Fb%3Fv%3D\(percent.replacingOccurrences(of: "%", with: "%25"))"),
      exchange("POST", headers: json, body: #"{"password":"\#(secret)","again":"<\#(secret)>"}"#),
      exchange(
        headers: ["X-Note": "\(secret);", "X-Both": "v=\(encoded)"],
        says: #"{"a":"s3cr3t\/+ t\u00f6k=n","\#(secret)":1,"b":"\#(urlSafe)","c":"{\"d\":\"\#(encoded)\"}"}"#),
      exchange(says: "raw=\(secret) form=s3cr3t%2f%2b+t%C3%B6k%3dn"))
    XCTAssertEqual(exchanges[0].request.path, "/a/%5Bredacted%20password%201%5D/b")
    XCTAssertFalse(exchanges[0].request.query?.contains("s3cr3t") ?? true, "\(exchanges[0].request.query ?? "")")
    XCTAssertEqual(
      String(decoding: exchanges[1].request.body, as: UTF8.self),
      #"{"password":"[redacted password 1]","again":"<[redacted password 1]>"}"#)
    XCTAssertEqual(exchanges[2].request.headers["X-Note"], "[redacted password 1];")
    let both = Data("anna:[redacted password 1]".utf8).base64EncodedString()
    XCTAssertEqual(exchanges[2].request.headers["X-Both"], "v=\(both)")
    let inner = Data("[redacted password 1]!".utf8).base64EncodedString().replacingOccurrences(of: "=", with: "")
    XCTAssertEqual(
      String(decoding: exchanges[2].answer.body, as: UTF8.self),
      #"{"a":"[redacted password 1]","[redacted password 1]":1,"b":"\#(inner)","c":"{\"d\":\"\#(both)\"}"}"#)
    XCTAssertEqual(
      String(decoding: exchanges[3].answer.body, as: UTF8.self),
      "raw=[redacted password 1] form=%5Bredacted%20password%201%5D")
  }

  func testThePasswordOfBasicCredentialsIsASecretToo() {
    let basic = Data("anna:correct horse".utf8).base64EncodedString()
    let exchanges = redacted(
      exchange(headers: ["Authorization": "Basic \(basic)"]),
      exchange(says: "\(basic) anna:correct horse; correct horse"))
    XCTAssertEqual(exchanges[0].request.headers["Authorization"], "Basic [redacted token 1]")
    XCTAssertEqual(
      String(decoding: exchanges[1].answer.body, as: UTF8.self),
      "[redacted token 1] [redacted token 1]; [redacted password 1]")
  }

  func testALoginsTokenAndTheNextRequestsHeaderAgree() {
    let exchanges = redacted(
      exchange(
        "POST", "/login", headers: json, body: #"{"user":"anna"}"#, answer: json, says: #"{"access_token":"tok-1"}"#),
      exchange("GET", "/orders", headers: ["Authorization": "Bearer tok-1"]))
    XCTAssertEqual(
      String(decoding: exchanges[0].answer.body, as: UTF8.self), #"{"access_token":"[redacted token 1]"}"#)
    XCTAssertEqual(exchanges[1].request.headers["Authorization"], "Bearer [redacted token 1]")
  }

  func testShortValuesAndCommonNamesAreReplacedInTheirPositionOnly() {
    let exchange = redacted(
      exchange(
        "POST", headers: form, body: "password=password&token=abc&client_secret=refresh_token",
        says: #"{"password":"","text":"abc password redacted refresh_token"}"#),
      exchange(query: "secret=redacted"))[0]
    XCTAssertEqual(
      String(decoding: exchange.answer.body, as: UTF8.self),
      #"{"password":"","text":"abc password redacted refresh_token"}"#)
    XCTAssertEqual(
      String(decoding: exchange.request.body, as: UTF8.self),
      "password=%5Bredacted%20password%201%5D&token=%5Bredacted%20token%201%5D&client_secret=%5Bredacted%20secret%202%5D"
    )
  }

  func testOfSecretsThatBeginAlikeTheWholeOneIsReplacedAndShortOnesMangleNothing() {
    let exchanges = redacted(
      exchange(headers: ["X-Api-Token": "secret-12", "X-Auth-Token": "secret-1234", "X-Api-Key": "secret"]),
      exchange(says: "secret-1234 secret-123 secret-12 secret-1 secret secrets"))
    XCTAssertEqual(
      String(decoding: exchanges[1].answer.body, as: UTF8.self),
      "[redacted token 2] [redacted token 1]3 [redacted token 1] secret-1 secret secrets")
  }

  func testALineForAConsoleHasNoSecrets() {
    XCTAssertEqual(
      SecretRedaction().redacting("customer").keeping("page_token").redacted(
        "200 GET /x?access_token=a&page_token=b&customer=c#code=0123456789abcdef"),
      "200 GET /x?access_token=%5Bredacted%20token%201%5D&page_token=b&customer=%5Bredacted%20secret%201%5D#code=%5Bredacted%20token%202%5D"
    )
    XCTAssertEqual(SecretRedaction.off.redacted("GET /x?token=a"), "GET /x?token=a")
  }

  // MARK: Choices

  func testNamesAndValuesCanBeAddedAndKept() {
    let exchanges = redacted(
      exchange(
        query: "customer_number=12345678&page_token=next-page-2", headers: ["Cookie": "theme=midnight; sid=abcdefgh"],
        says: #"{"pageToken":"next-page-2","greeting":"Hello Anna Karenina"}"#),
      by: SecretRedaction().redacting("customerNumber").redacting(values: ["Anna Karenina"])
        .keeping("page_token", "theme"))
    XCTAssertEqual(
      exchanges[0].request.query, "customer_number=%5Bredacted%20secret%201%5D&page_token=next-page-2")
    XCTAssertEqual(exchanges[0].request.headers["Cookie"], "theme=midnight; sid=[redacted cookie 1]")
    XCTAssertEqual(
      String(decoding: exchanges[0].answer.body, as: UTF8.self),
      #"{"pageToken":"next-page-2","greeting":"Hello [redacted secret 2]"}"#)
    let plain = exchange(headers: ["Authorization": "Bearer abcdefgh"])
    XCTAssertEqual(redacted(plain, by: .off), [plain])
  }

  func testAKeptTokenStaysAToken() {
    let token = "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl"
    let answer = #"{"id_token":"\#(token)"}"#
    let exchanges = redacted(
      exchange(says: answer), exchange(headers: ["Authorization": "Bearer \(token)"]),
      by: SecretRedaction().keeping("idToken"))
    XCTAssertEqual(exchanges[1].request.headers["Authorization"], "Bearer \(token)")
  }

  /// `login` isn't a secret name, so keeping it says nothing about a password that is equal to it by chance.
  func testAKeptValueIsReplacedUnderASecretName() {
    let exchanges = redacted(
      exchange(
        "POST", headers: form, body: "login=test-account&password=test-account",
        answer: ["Set-Cookie": "last=test-account"], says: #"{"passcode":12345678,"hello":"test-account"}"#),
      exchange(query: "login=12345678&api_key=test-account", headers: ["Cookie": "theme=midnight; sid=midnight"]),
      by: SecretRedaction().keeping("login", "theme"))
    XCTAssertEqual(
      String(decoding: exchanges[0].request.body, as: UTF8.self),
      "login=test-account&password=%5Bredacted%20password%201%5D")
    XCTAssertEqual(exchanges[0].answer.headers["Set-Cookie"], "last=[redacted password 1]")
    XCTAssertEqual(
      String(decoding: exchanges[0].answer.body, as: UTF8.self), #"{"passcode":2,"hello":"test-account"}"#)
    XCTAssertEqual(exchanges[1].request.query, "login=12345678&api_key=%5Bredacted%20password%201%5D")
    XCTAssertEqual(exchanges[1].request.headers["Cookie"], "theme=midnight; sid=[redacted cookie 1]")
  }

  // MARK: Again and again

  func testRedactingAgainChangesNothingAndContinuesTheNumbers() {
    let first = SecretRedaction().redacted([
      exchange(
        "POST", "/login", query: "token=query-token", headers: ["Cookie": "sid=\"cookie-value\""],
        answer: ["Set-Cookie": "sid=cookie-value"], says: #"{"token":"answer-token","copy":"query-token"}"#)
    ])
    let again = SecretRedaction().redacted(first.exchanges + [exchange(headers: ["X-Auth-Token": "another-token"])])
    XCTAssertEqual(again.exchanges[0], first.exchanges[0])
    XCTAssertEqual(again.exchanges[1].request.headers["X-Auth-Token"], "[redacted token 3]")
    XCTAssertEqual(Array(again.positions.dropLast()), first.positions)
  }

  func testTheReplacedPlacesAreCountedByTheirNames() {
    let page = #"<script>init({apiKey:"AIza-1"})</script><a href="/?sid=s1">"#
    let result = SecretRedaction().redacted([
      exchange(
        headers: ["Authorization": "Bearer token-12", "Cookie": "a=1; b=2"], answer: json,
        says: #"{"tokens":["t1",{"key":"k1"}],"again":"token-12"}"#),
      exchange(answer: ["Content-Type": "text/html"], says: page + "<Password>p1</Password> token-12"),
      exchange("GET", "/token-12", query: "api_key=k2"),
    ])
    XCTAssertEqual(
      result.summary,
      """
      Authorization (1), Password (1), a (1), again (1), answer body (1), apiKey (1), api_key (1), b (1), key (1), \
      request path (1), sid (1), tokens (1)
      """)
    XCTAssertNil(SecretRedaction().redacted([exchange()]).summary)
  }

  func testPositionsAreNamedWithoutTheirValues() {
    let result = SecretRedaction().redacted([
      exchange(headers: json, says: #"[{"user":{"apiKey":"key-value-1"}}]"#),
      exchange("POST", query: "api_key=key-value-1", headers: ["Cookie": "a=1"], body: "a key-value-1 b"),
    ])
    XCTAssertEqual(
      result.positions.map { "\($0.exchange) \($0)" },
      [
        "0 answer body [0].user.apiKey: [redacted key 1]", "1 request header Cookie a: [redacted cookie 1]",
        "1 request query api_key: [redacted key 1]", "1 request body: [redacted key 1]",
      ])
  }

  func testLengthsAreRecomputed() {
    let exchange = redacted(
      exchange(answer: ["Content-Type": "application/json", "Content-Length": "13"], says: #"{"token":"a"}"#))[0]
    XCTAssertEqual(exchange.answer.headers["Content-Length"], "\(exchange.answer.body.count)")
  }

  func testTextThatIsntWhatItSeemsIsRedactedAllTheSame() {
    let exchange = redacted(
      exchange(
        "POST", headers: form, body: #"{"password":"hunter2"}"#, answer: json,
        says: #"{"password":"hunter2","#))[0]
    XCTAssertEqual(String(decoding: exchange.request.body, as: UTF8.self), #"{"password":"[redacted password 1]"}"#)
    XCTAssertEqual(String(decoding: exchange.answer.body, as: UTF8.self), #"{"password":"[redacted password 1]","#)
    let deep = String(repeating: "[", count: 2_000) + #"{"password":"hunter2"}"#
    XCTAssertFalse(
      String(decoding: redacted(self.exchange(says: deep))[0].answer.body, as: UTF8.self).contains("hunter2"))
  }

  // MARK: Leaks

  func testLeaksAreFoundInEveryForm() {
    let secret = "p\u{e4}ss/wörd\n1"
    let literal = #"p\u00e4ss\/wörd\n1"#
    let result = SecretRedaction().redacted([exchange("POST", headers: json, body: #"{"password":"\#(literal)"}"#)])
    let encoded = ["a", "ab", "abc"].map { Data("\($0)\(secret)".utf8).base64EncodedString() }
    for text in [secret, "p%C3%A4ss%2fw%C3%B6rd%0A1", literal] + encoded {
      XCTAssertEqual(result.secrets.leak(in: Array("{\n\"a\": \"\(text)\"}".utf8)), "[redacted password 1]", text)
    }
    XCTAssertNil(result.secrets.leak(in: Array("[redacted password 1]".utf8)))
  }

  func testASecretAcrossTheNameAndTheValueOfAnItemIsReplaced() {
    let result = SecretRedaction().redacted([
      exchange(headers: ["X-Api-Token": "sort=value-1"]),
      exchange("POST", query: "x=1&sort=value-1", headers: form, body: "sort=value-1&y=2"),
    ])
    XCTAssertEqual(result.exchanges[1].request.query, "x=1&%5Bredacted%20token%201%5D")
    XCTAssertEqual(
      String(decoding: result.exchanges[1].request.body, as: UTF8.self), "%5Bredacted%20token%201%5D&y=2")
  }

  /// A secret is removed in each form and at each offset, regardless of the bytes around it.
  func testNoSecretIsLeftInRandomTexts() {
    var random = RandomCases.generator(seed: 20_261_122)
    let pieces = [
      "secret-value-%2F", "\\", "%", "+", "=", "{\"a\":\"", "\"", "&", "a/b", "é", "\u{0}", "eyJ", "-----BEGIN ",
    ]
    for round in 0..<RandomCases.count(1_000) {
      let secret = "Q7\(UInt64.random(in: 0...UInt64.max, using: &random))/x+\u{e9}"
      var body = ""
      for _ in 0..<Int.random(in: 1...8, using: &random) {
        body += pieces.randomElement(using: &random) ?? ""
        let lead = String("abc".prefix(Int.random(in: 0...3, using: &random)))
        switch Int.random(in: 0...3, using: &random) {
        case 0: body += secret
        case 1: body += secret.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
        case 2: body += Data((lead + secret + "z").utf8).base64EncodedString()
        default: break
        }
      }
      let result = SecretRedaction().redacted([
        exchange(headers: ["X-Api-Token": secret]),
        exchange("POST", "/x", query: body, headers: ["X-Note": body], body: body, says: body),
      ])
      let new = result.exchanges[1]
      for text in [
        new.request.query ?? "", new.request.headers["X-Note"] ?? "", String(decoding: new.answer.body, as: UTF8.self),
      ] {
        XCTAssertNil(result.secrets.leak(in: Array(text.utf8)), "round \(round): \(body.debugDescription)")
        XCTAssertFalse(text.contains(secret), "round \(round): \(body.debugDescription)")
      }
    }
  }
}
