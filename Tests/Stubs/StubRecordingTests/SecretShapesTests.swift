import TestSupport
@testable import StubRecording

/// Secrets that are known by their shape, or by a name that isn't before them; and texts that only look like secrets.
final class SecretShapesTests: RedactionTestCase {
  private func body(_ json: String) -> String {
    String(decoding: redacted(exchange(answer: self.json, says: json))[0].answer.body, as: UTF8.self)
  }

  private func text(_ text: String) -> String {
    String(
      decoding: redacted(exchange(answer: ["Content-Type": "text/plain"], says: text))[0].answer.body, as: UTF8.self)
  }

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
      XCTAssertEqual(text("deployed with \(token), thanks"), "deployed with [redacted key 1], thanks", token)
      XCTAssertEqual(body(#"{"note":"use \#(token)"}"#), #"{"note":"use [redacted key 1]"}"#, token)
      let exchange = redacted(exchange(query: "q=\(token)"))[0]
      XCTAssertEqual(exchange.request.query, "q=%5Bredacted%20key%201%5D", token)
    }
  }

  func testWordsThatBeginAsTokensDoStay() {
    for text in [
      "npm_config_registry", "sk-learn-contrib-py-earth", "AKIA", "key-value", "SK", "SG.Utrecht",
      "a-risk-assessment-of-2026",
      "task_live_20260101010101010101", "xoxo-", "hvs.example.org",
    ] {
      XCTAssertEqual(self.text(text), text)
    }
  }

  func testTheNameOfAPairIsThatOfItsValue() {
    XCTAssertEqual(
      body(#"{"name":"password","value":"hunter22"}"#), #"{"name":"password","value":"[redacted password 1]"}"#)
    XCTAssertEqual(
      body(#"[{"value":"abc-1","type":"text","key":"api_key"}]"#),
      #"[{"value":"[redacted key 1]","type":"text","key":"api_key"}]"#)
    XCTAssertEqual(
      body(#"{"headers":[{"name":"Authorization","value":"Bearer abc-1"},{"name":"Accept","value":"*/*"}]}"#),
      #"{"headers":[{"name":"Authorization","value":"Bearer [redacted token 1]"},{"name":"Accept","value":"*/*"}]}"#)
    XCTAssertEqual(
      body(#"{"id":"access_token","values":["a-1",{"b":"c-2"}]}"#),
      #"{"id":"access_token","values":["[redacted token 1]",{"b":"[redacted token 2]"}]}"#)
    XCTAssertEqual(body(#"{"value":"Walden","name":"title"}"#), #"{"value":"Walden","name":"title"}"#)
  }

  func testACookieWithoutANameIsASecret() {
    let exchange = redacted(exchange(headers: ["Cookie": "a-1; b=2"], answer: ["Set-Cookie": "c-3; Path=/"]))[0]
    XCTAssertEqual(exchange.request.headers["Cookie"], "[redacted cookie 1]; b=[redacted cookie 2]")
    XCTAssertEqual(exchange.answer.headers["Set-Cookie"], "[redacted cookie 3]; Path=/")
  }

  func testKeysUnderASecretNameAreSecretsIfTheyAreMadeUp() {
    XCTAssertEqual(
      body(#"{"tokens":{"f3a9c1b27d5e48a0":{"scope":"all"},"accessTokenExpirationDate":"x"}}"#),
      #"{"tokens":{"[redacted token 1]":{"scope":"all"},"accessTokenExpirationDate":"[redacted token 2]"}}"#)
  }

  func testAnAssignmentInPlainTextMayHaveSpaces() {
    XCTAssertEqual(text("password = hunter22\nuser = anna"), "password = [redacted password 1]\nuser = anna")
    XCTAssertEqual(text("token = none, if token == other"), "token = none, if token == other")
  }

  func testAccessAndRefreshAreTokensIfTheyAreMadeUp() {
    XCTAssertEqual(
      body(#"{"access":"f3a9c1b27d5e48a0","refresh":"0a84e5d72b1c9a3f"}"#),
      #"{"access":"[redacted token 1]","refresh":"[redacted token 2]"}"#)
    XCTAssertEqual(body(#"{"access":"granted","refresh":"daily"}"#), #"{"access":"granted","refresh":"daily"}"#)
  }

  func testLabelsStay() {
    for text in [
      #"{"forgot_password":"Forgot it?","password":"Password","new_password":"New password"}"#,
      #"{"password":"Enter your password","reset_password":"Reset","invalid_token":"Please sign in again."}"#,
      #"{"image_key":"covers/42.png","issue_key":"SHOP-42"}"#,
      #"{"paths":{"/users/{id}/password":{"put":{"summary":"Changes it","tags":["users"]}}}}"#,
    ] {
      XCTAssertEqual(body(text), text)
    }
    XCTAssertEqual(
      body(#"{"reset_password_token":"ab12cd34","password":"my dog Rex","recovery_phrase":"stand anew by itself"}"#),
      #"{"reset_password_token":"[redacted token 1]","password":"[redacted password 1]","recovery_phrase":"[redacted secret 1]"}"#
    )
  }
}
