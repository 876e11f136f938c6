import TestSupport

@testable import StubRecording

/// Rule 3, values in each spelling, and the choices of users.
final class RedactionTests: RedactionTestCase {
  func testHeadersAreRedactedByTheirNames() {
    let exchange = redacted(
      exchange(
        headers: [
          "Authorization": "Bearer abc.def", "Proxy-Authorization": "Basic dXNlcjpwYXNz", "X-Api-Key": "k1",
          "X-CSRF-Token": "t1", "X-Client-Secret": "s1", "X-Sort-Key": "title", "Accept": "text/plain",
          "Cookie": "sid=abc123; theme=dark; quoted=\"x y\"",
        ], response: ["Set-Cookie": "sid=abc123; Path=/; HttpOnly", "set-cookie": "b=2;Secure", "ETag": "\"1\""]))[0]
    XCTAssertEqual(
      exchange.request.headers,
      [
        "Authorization": "Bearer [redacted token 1]", "Proxy-Authorization": "Basic [redacted token 2]",
        "X-Api-Key": "[redacted key 1]", "X-CSRF-Token": "[redacted token 3]",
        "X-Client-Secret": "[redacted secret 1]", "X-Sort-Key": "title", "Accept": "text/plain",
        "Cookie": "sid=[redacted cookie 2]; theme=[redacted cookie 3]; quoted=\"[redacted cookie 1]\"",
      ])
    XCTAssertEqual(
      exchange.response.headers,
      [
        "Set-Cookie": "sid=[redacted cookie 2]; Path=/; HttpOnly", "set-cookie": "b=[redacted cookie 4];Secure",
        "ETag": "\"1\"",
      ])
  }

  func testNumbersStayNumbersAndFlagsStay() {
    let exchange = redacted(
      exchange(
        "POST", headers: json, body: #"{"pin_token":87654321,"passcode":1234,"token":1234,"has_token":true}"#,
        says: #"{"code":"87654321","n":87654321}"#))[0]
    XCTAssertEqual(string(exchange.request.body), #"{"pin_token":1,"passcode":1,"token":1234,"has_token":true}"#)
    XCTAssertEqual(string(exchange.response.body), #"{"code":"[redacted token 1]","n":1}"#)
  }

  // MARK: By value

  func testASecretIsReplacedWhereverItIsAndInEachSpelling() {
    let secret = "s3cr3t/+ \"tök&n'<\\?"
    let secretForm = "s3cr3t%2F%2B%20%22t%C3%B6k%26n%27%3C%5C%3F"
    let (plain, encoded) = ("[redacted token 1]", "%5Bredacted%20token%201%5D")
    let spellings: [(String, String)] = [
      (secret, plain), (secretForm, encoded), (secretForm.lowercased(), encoded),
      (secretForm.replacing("%20", with: "+"), encoded), (secretForm.replacing("%2F", with: "/"), encoded),
      (secret.addingPercentEncoding(withAllowedCharacters: .urlPathAllowed) ?? "", encoded),
      (secret.addingPercentEncoding(withAllowedCharacters: .urlQueryAllowed) ?? "", encoded),
      (#"s3cr3t/+ \"tök&n'<\\?"#, plain), (#"s3cr3t\/+ \"tök&n'<\\?"#, plain), (#"s3cr3t/+ \"t\u00f6k&n'<\\?"#, plain),
      (#"s3cr3t\/+ \"t\u00f6k&n'<\\?"#, plain), (#"s3cr3t/+ \"tök\u0026n'\u003c\\?"#, plain),
      (#"s3cr3t/+ \"tök\u0026n\u0027\u003c\\?"#, plain), (#"s3cr3t/+ "tök&amp;n'&lt;\?"#, plain),
      (#"s3cr3t/+ &quot;tök&amp;n&#x27;&lt;\?"#, plain), (#"s3cr3t/+ &#34;tök&amp;n&#39;&lt;\?"#, plain),
      (Data(secret.utf8).base64EncodedString(), plain), (Data(secret.utf8).base64URL, plain),
    ]
    for (spelling, new) in spellings {
      for type in ["text/plain", "text/javascript", "text/html", "text/xml", "image/png"] {
        let result = SecretRedaction().redacted([
          exchange(headers: ["X-Api-Token": secret]),
          exchange(response: ["Content-Type": type], says: "<p>\(spelling)</p>"),
        ])
        XCTAssertEqual(string(result.exchanges[1].response.body), "<p>\(new)</p>", type)
        XCTAssertEqual(result.secrets.leak(in: Array("\0\(spelling)".utf8)), plain, spelling)
        XCTAssertEqual(result.leaks, [])
      }
    }
    let exchanges = redacted(
      exchange(
        "GET", "/a/\(secretForm)/b", query: "q=x\(secretForm)y",
        headers: ["X-Api-Token": secret, "X-Note": "<\(secret);"]),
      exchange(says: #"{"a":"s3cr3t\/\u002B \"t\u00F6k\u0026n\u0027\u003C\\\u003F","n":"[]"}"#))
    XCTAssertEqual(exchanges[0].request.path, "/a/\(encoded)/b")
    XCTAssertEqual(exchanges[0].request.query, "q=x\(encoded)y")
    XCTAssertEqual(exchanges[0].request.headers["X-Note"], "<\(plain);")
    XCTAssertEqual(string(exchanges[1].response.body), #"{"a":"[redacted token 1]","n":"[]"}"#)
  }

  func testThePasswordOfBasicCredentialsIsASecretToo() {
    let basic = Data("anna:correct horse".utf8).base64EncodedString()
    let exchanges = redacted(
      exchange(headers: ["Authorization": "Basic \(basic)"]),
      exchange(says: "\(basic) anna:correct horse; correct horse"))
    XCTAssertEqual(exchanges[0].request.headers["Authorization"], "Basic [redacted token 1]")
    XCTAssertEqual(string(exchanges[1].response.body), "[redacted token 1] [redacted token 1]; [redacted password 1]")
  }

  func testShortValuesAndCommonNamesAreReplacedInTheirPositionOnly() {
    let exchange = redacted(
      exchange(
        "POST", headers: form, body: "password=password&token=abc&client_secret=refresh_token",
        says: #"{"password":"","text":"abc password redacted refresh_token"}"#),
      exchange(query: "secret=redacted"))[0]
    XCTAssertEqual(string(exchange.response.body), #"{"password":"","text":"abc password redacted refresh_token"}"#)
    XCTAssertEqual(
      string(exchange.request.body),
      "password=%5Bredacted%20password%201%5D&token=%5Bredacted%20token%201%5D&client_secret=%5Bredacted%20secret%202%5D"
    )
  }

  func testAWordIsReplacedInItsPlaceOnly() {
    func body(_ value: String, _ place: String, _ others: String) -> String {
      #"{"dataKey":"\#(place)","\#(others)":1,"text":"a \#(others) b"}"#
    }
    for word in ["created_at", "revenue_total", "Passwort", "Stehlampe", "same-origin", "confidential", "createdAt"] {
      let exchange = redacted(
        exchange(query: "key=\(word)", headers: ["Cookie": "a=\(word)", "X-Note": word], says: body(word, word, word)))[
          0]
      XCTAssertEqual(exchange.request.query, "key=%5Bredacted%20cookie%201%5D", word)
      XCTAssertEqual(exchange.request.headers, ["Cookie": "a=[redacted cookie 1]", "X-Note": word])
      XCTAssertEqual(string(exchange.response.body), body(word, "[redacted cookie 1]", word))
    }
    for value in ["created_at_2", "correct horse", "cookie-88d1f0aa", "kJHgfDSaqWERtzui"] {
      let exchange = redacted(exchange(query: "secret=\(value)", says: body(value, value, value)))[0]
      let placeholder = "[redacted key 1]"
      XCTAssertEqual(string(exchange.response.body), body(value, placeholder, placeholder))
    }
    let named = SecretRedaction().redacting(values: ["Karenina", "access_token"])
    XCTAssertEqual(
      redacted(exchange(says: "Anna Karenina, access_token"), by: named).map { string($0.response.body) },
      ["Anna [redacted secret 1], [redacted secret 2]"])
  }

  func testOfSecretsThatBeginAlikeTheWholeOneIsReplacedAndShortOnesMangleNothing() {
    let exchanges = redacted(
      exchange(headers: ["X-Api-Token": "secret-12", "X-Auth-Token": "secret-1234", "X-Api-Key": "secret"]),
      exchange(says: "secret-1234 secret-123 secret-12 secret-1 secret secrets"))
    XCTAssertEqual(
      string(exchanges[1].response.body),
      "[redacted token 2] [redacted token 1]3 [redacted token 1] secret-1 secret secrets")
  }

  func testASecretAcrossTheNameAndTheValueOfAnItemIsReplaced() {
    let result = SecretRedaction().redacted([
      exchange(headers: ["X-Api-Token": "sort=value-1"]),
      exchange("POST", query: "x=1&sort=value-1", headers: form, body: "sort=value-1&y=2"),
    ])
    XCTAssertEqual(result.exchanges[1].request.query, "x=1&%5Bredacted%20token%201%5D")
    XCTAssertEqual(string(result.exchanges[1].request.body), "%5Bredacted%20token%201%5D&y=2")
  }

  // MARK: Choices

  func testALineForAConsoleHasNoSecrets() {
    XCTAssertEqual(
      SecretRedaction().redacting("customer").keeping("page_token").redacted(
        "200 GET /x?access_token=a&page_token=b&customer=c#code=0123456789abcdef"),
      "200 GET /x?access_token=%5Bredacted%20token%201%5D&page_token=b&customer=%5Bredacted%20secret%201%5D#code=%5Bredacted%20token%202%5D"
    )
    XCTAssertEqual(SecretRedaction.off.redacted("GET /x?token=a"), "GET /x?token=a")
  }

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
      string(exchanges[0].response.body), #"{"pageToken":"next-page-2","greeting":"Hello [redacted secret 2]"}"#)
    let plain = exchange(headers: ["Authorization": "Bearer abcdefgh"])
    XCTAssertEqual(redacted(plain, by: .off), [plain])
  }

  func testAKeptTokenStaysAToken() {
    let token = "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl"
    let body = #"{"id_token":"\#(token)"}"#
    let exchanges = redacted(
      exchange(says: body), exchange(headers: ["Authorization": "Bearer \(token)"]),
      by: SecretRedaction().keeping("idToken"))
    XCTAssertEqual(exchanges[1].request.headers["Authorization"], "Bearer \(token)")
  }

  /// `login` isn't a secret name, so keeping it says nothing about a password that is equal to it by chance.
  func testAKeptValueIsReplacedUnderASecretName() {
    let exchanges = redacted(
      exchange(
        "POST", headers: form, body: "login=test-account&password=test-account",
        response: ["Set-Cookie": "last=test-account"], says: #"{"passcode":12345678,"hello":"test-account"}"#),
      exchange(query: "login=12345678&api_key=test-account", headers: ["Cookie": "theme=midnight; sid=midnight"]),
      by: SecretRedaction().keeping("login", "theme"))
    XCTAssertEqual(string(exchanges[0].request.body), "login=test-account&password=%5Bredacted%20password%201%5D")
    XCTAssertEqual(exchanges[0].response.headers["Set-Cookie"], "last=[redacted password 1]")
    XCTAssertEqual(string(exchanges[0].response.body), #"{"passcode":2,"hello":"test-account"}"#)
    XCTAssertEqual(exchanges[1].request.query, "login=12345678&api_key=%5Bredacted%20password%201%5D")
    XCTAssertEqual(exchanges[1].request.headers["Cookie"], "theme=midnight; sid=[redacted cookie 1]")
  }

  // MARK: Results

  func testRedactingAgainChangesNothingAndContinuesTheNumbers() {
    let texts = [
      #"{"token":"response-token","copy":"query-token"}"#, "Bearer 0123456789abcdef0123", "redis://:S-1@host",
    ]
    let first = SecretRedaction().redacted(
      texts.map {
        exchange(
          "POST", "/login", query: "token=query-token", headers: ["Cookie": "sid=\"cookie-value\"", "X-Note": $0],
          response: ["Set-Cookie": "sid=cookie-value"], says: $0)
      })
    let again = SecretRedaction().redacted(first.exchanges + [exchange(headers: ["X-Auth-Token": "another-token"])])
    XCTAssertEqual(Array(again.exchanges.dropLast()), first.exchanges)
    XCTAssertEqual(again.exchanges[3].request.headers["X-Auth-Token"], "[redacted token 4]")
  }

  func testTheReplacedPlacesAreCountedByTheirNames() {
    let result = SecretRedaction().redacted([
      exchange(
        headers: ["Authorization": "Bearer token-12", "Cookie": "a=1; b=2"], response: json,
        says: #"{"tokens":["t1",{"key":"k1"}],"again":"token-12"}"#),
      exchange(response: ["Content-Type": "text/xml"], says: "<r><Password>p1</Password> token-12</r>"),
      exchange("GET", "/token-12", query: "api_key=k2"),
      exchange(says: #"{"token-12":{"token":"t2"}}"#),
    ])
    XCTAssertEqual(
      result.summary,
      """
      Authorization (1), Password (1), a (1), again (1), api_key (1), b (1), key (1), request path (1), response body (2), \
      token (1), tokens (1)
      """)
    XCTAssertNil(SecretRedaction().redacted([exchange()]).summary)
  }

  func testLengthsAreRecomputed() {
    let exchange = redacted(
      exchange(response: ["Content-Type": "application/json", "Content-Length": "13"], says: #"{"token":"a"}"#))[0]
    XCTAssertEqual(exchange.response.headers["Content-Length"], "\(exchange.response.body.count)")
  }
}
