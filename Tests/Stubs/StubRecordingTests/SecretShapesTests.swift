import TestSupport

@testable import StubRecording

/// Rule 2: secrets that are known by their form; and texts that only look like secrets.
final class SecretShapesTests: RedactionTestCase {
  /// Tokens of providers, made here, so that no scanner takes this file for a leak.
  private var tokens: [String] {
    func made(_ prefix: String, _ count: Int, _ alphabet: String = "aB3dE5gH7jK9mN1pQ4") -> String {
      prefix + String((0..<count).map { Array(alphabet)[$0 * 7 % alphabet.count] })
    }
    let (upper, hex) = ("QW3RT5YU7", "0a1b2c3d4e5f6789")
    return [
      made("AK" + "IA", 16, upper), made("AS" + "IA", 16, upper), made("AI" + "za", 35), made("gh" + "p_", 36),
      made("gh" + "o_", 36), made("ghs" + "_", 36), made("github" + "_pat_", 60), made("gl" + "pat-", 20),
      made("sk_" + "live_", 24), made("rk_" + "live_", 24), made("wh" + "sec_", 32), made("xo" + "xb-1-2-", 24),
      made("xo" + "xp-1-2-", 24), made("np" + "m_", 36), made("S" + "G.", 22) + "." + made("", 43),
      made("py" + "pi-", 60), made("sk-" + "ant-api03-", 40), made("sk-" + "proj-", 40), made("h" + "f_", 34),
      made("shp" + "at_", 32, hex), made("dop" + "_v1_", 64, hex), made("hv" + "s.", 24), made("GOC" + "SPX-", 28),
      made("ya" + "29.", 40), made("gl" + "sa_", 41), made("key" + "-", 32, hex), made("S" + "K", 32, hex),
    ]
  }

  func testTokensOfProvidersAreRedactedWhereverTheyAre() {
    for token in tokens {
      for (before, behind, type) in [
        ("deployed with ", ", thanks", "text/plain"), (#"{"note":"use "#, #""}"#, "application/json"),
        ("var a='", "';", "text/javascript"), ("<p>", "</p>", "text/html"), ("\0", "\u{1}", "image/png"),
      ] { XCTAssertEqual(redacted(before + token + behind, type), "\(before)[redacted key 1]\(behind)") }
      XCTAssertEqual(redacted(exchange(query: "q=\(token)"))[0].request.query, "q=%5Bredacted%20key%201%5D")
    }
  }

  func testTokensKeysAndCredentialsAreRedactedWhereverTheyAre() {
    // {"alg":"HS256"} and {"sub":"1"}
    let token = "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl"
    let pem = "-----BEGIN PRIVATE KEY-----\nMIIE\n-----END PRIVATE KEY-----"
    for (text, new) in [
      ("see \(token). eyJhbGciOiJub25lIn0", "see [redacted token 1]. eyJhbGciOiJub25lIn0"),
      ("a\n\(pem)\nb", "a\n[redacted PEM 1]\nb"), ("a\n\(pem.prefix(40))", "a\n[redacted PEM 1]"),
      ("got Bearer 0123456789abcdef0123, x", "got Bearer [redacted token 1], x"),
      ("curl -H 'Authorization: Basic YW5uYTpwYXNz'", "curl -H 'Authorization: Basic [redacted token 1]'"),
      ("http://anna:geheim@db.example/x", "http://anna:%5Bredacted%20password%201%5D@db.example/x"),
      ("redis://:S@host", "redis://:%5Bredacted%20password%201%5D@host"),
    ] {
      for type in ["text/plain", "text/javascript", "text/html", "image/png"] {
        XCTAssertEqual(redacted(text, type), new)
      }
    }
    XCTAssertEqual(
      redacted(exchange("GET", "/sessions/\(token)/info"))[0].request.path, "/sessions/%5Bredacted%20token%201%5D/info")
    XCTAssertEqual(redacted(#"{"k":"a\n\#(pem.replacing("\n", with: "\\n"))"}"#), #"{"k":"a\n[redacted PEM 1]"}"#)
  }

  func testASecretBehindAnEscapeIsRedacted() {
    let token = "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl"
    for (secret, name) in [(token, "token"), (tokens[0], "key"), (tokens[3], "key")] {
      for escape in [
        "%3D", "%3d", "%253D", "%25252f", "%20", #"\u003d"#, #"\u003D"#, #"\x3d"#, #"\n"#, #"\t"#, #"\\n"#,
      ] {
        for type in ["text/plain", "text/javascript", "image/png"] {
          XCTAssertEqual(redacted("a\(escape)\(secret)\"", type), "a\(escape)[redacted \(name) 1]\"")
        }
      }
      for inside in ["3D", "=3D", "u003d", "%D", "x3d", "n", #"\u03d"#, #"\z"#] {
        XCTAssertEqual(redacted("a\(inside)\(secret)\"", "text/plain"), "a\(inside)\(secret)\"")
      }
    }
    XCTAssertEqual(
      redacted(exchange(query: "to=%2Fa%3Fid%3D\(token)"))[0].request.query,
      "to=%2Fa%3Fid%3D%255Bredacted%2520token%25201%255D")
  }

  /// RFC 3986 3.2.1 allows these characters.
  func testAPasswordInAURLMayHaveAnySubDelimiter() {
    for character in "!$&'()*+,;=" {
      for password in ["Ab3\(character)E5", "\(character)b3E5", "Ab3E\(character)"] {
        XCTAssertEqual(
          redacted("postgres://user:\(password)@host/x", "text/plain"),
          "postgres://user:%5Bredacted%20password%201%5D@host/x", password)
      }
    }
    for text in ["'http://'+u+':'+p+'@h'", "'http://'.$u.':'.$p.'@h'", "http://$u:$p@h", "http://$(u):$(p)@h"] {
      XCTAssertEqual(redacted(text, "text/javascript"), text)
    }
  }

  func testWhatOnlyLooksLikeASecretStays() {
    for text in [
      "npm_config_registry", "sk-learn-contrib-py-earth", "AKIA", "key-value", "SK", "SG.Utrecht", "xoxo-",
      "a-risk-assessment-of-2026", "task_live_20260101010101010101", "hvs.example.org", "Bearer of good news",
      "Bearer internationalization", "Basic instinct", "Authorization: Bearer token", "https://user:password@host",
      "`http://${user}:${secret}@h`", "'http://'+user+':'+secret+'@h'", "https://host:80/@a", "//cdn/a:b@2.0.0",
      "-----BEGIN PUBLIC KEY-----\nMIIE\n-----END PUBLIC KEY-----", "[redacted x", "eyJhbGciOiJub25lIn0.a",
    ] { XCTAssertEqual(redacted(text, "text/plain"), text) }
  }

  func testSomeItemsAreSecretsIfTheyAreMadeUpAndURLsAreReadInURLs() {
    let exchange = redacted(
      exchange(
        "POST", query: "code=DE&sig=cJlnbmFodXJlLWpmLXNhcw&a=1;sid=t1;b=2&c=x;y", headers: form,
        body: "code=4%2F0AX4XfWh-abcdefgh&session=internationalization&next=%2Fb%3Ftoken%3Dt2",
        response: ["Location": "app://cb/x;jsessionid=A1?code=4/0AX4XfWh-abcdefgh&state=1"]))[0]
    XCTAssertEqual(
      exchange.request.query, "code=DE&sig=%5Bredacted%20token%201%5D&a=1;sid=%5Bredacted%20token%202%5D;b=2&c=x;y")
    XCTAssertEqual(
      string(exchange.request.body),
      "code=%5Bredacted%20token%203%5D&session=internationalization&next=%2Fb%3Ftoken%3D%255Bredacted%2520token%25204%255D"
    )
    XCTAssertEqual(
      exchange.response.headers["Location"],
      "app://cb/x;jsessionid=%5Bredacted%20token%205%5D?code=%5Bredacted%20token%203%5D&state=1")
  }

  func testLabelsCountsAndMessagesStay() {
    for text in [
      #"{"forgot_password":"Forgot it?","password":"Password","new_password":"New password"}"#,
      #"{"password":"Enter your password","reset_password":"Reset","invalid_token":"Please sign in again."}"#,
      #"{"image_key":"covers/42.png","issue_key":"SHOP-42","public_key":"p","sort_key":"title","code":"E1"}"#,
      #"{"paths":{"/users/{id}/password":{"put":{"summary":"Changes it"}}},"pin":{"title":"Cafe"},"session":"Morning"}"#,
      #"{"max_tokens":128000,"MaxKeys":"2","prompt_tokens":1234567,"value":"Walden","name":"title"}"#,
      #"{"errors":{"password":["is too short (minimum is 8 characters)"],"token":{"reason":"has expired"}}}"#,
      #"{"password":{"title":"Password","minLength":8,"pattern":"^[a-z]+$"}}"#,
      #"{"path":"/forgot-password","content":"<p>Forgot it?</p>"}"#,
    ] { XCTAssertEqual(redacted(text, "application/json"), text) }
    XCTAssertEqual(
      redacted(#"{"reset_password_token":"ab12cd34","password":"my dog Rex","expires":"x"}"#),
      #"{"reset_password_token":"[redacted token 1]","password":"[redacted password 1]","expires":"x"}"#)
    let headers: MessageHeaders = [
      "Access-Control-Allow-Credentials": "true", "WWW-Authenticate": "Bearer realm=\"shop\"",
    ]
    XCTAssertEqual(redacted(exchange(response: headers))[0].response.headers, headers)
  }
}
