import TestSupport

@testable import StubRecording

/// Secrets that are found by their place in a text, whatever else is in the recording.
final class RedactionOfTextsTests: RedactionTestCase {
  // MARK: Markup

  func testTheTextOfAnElementIsRedactedHoweverItIsWritten() {
    assertText(
      redacted(
        """
        <?xml version="1.0"?><r xmlns:w="u"><w:Password Type="x">
          s3cret </w:Password><token><![CDATA[a<b>c]]></token><apiKey>one<![CDATA[two]]></apiKey>\
        <secret>a&amp;b</secret><secret/><title>Walden</title></r>
        """, "text/xml"),
      """
      <?xml version="1.0"?><r xmlns:w="u"><w:Password Type="x">
        [redacted password 1] </w:Password><token><![CDATA[[redacted token 1]]]></token>\
      <apiKey>[redacted key 1]<![CDATA[[redacted key 2]]]></apiKey>\
      <secret>[redacted secret 1]</secret><secret/><title>Walden</title></r>
      """)
  }

  func testEachTextInASecretElementOfXMLIsRedactedButWhatIsSaidAboutIt() {
    XCTAssertEqual(
      redacted(
        "<r><Credentials><Key>AKIA1</Key><Expiration>2026-11-22</Expiration></Credentials><Key>b</Key></r>",
        "application/xml"),
      "<r><Credentials><Key>[redacted token 1]</Key><Expiration>2026-11-22</Expiration></Credentials><Key>b</Key></r>")
    let page = "<app-forgot-password><p>Choose a new one</p></app-forgot-password>"
    XCTAssertEqual(redacted(page, "text/html"), page)
  }

  func testFieldsOfFormsAndMetadataOfPagesAreRedactedByTheirNames() {
    assertText(
      redacted(
        """
        <meta name="csrf-param" content="authenticity_token"><meta content='tok&#45;1' name='csrf-token'>
        <input type="hidden" name="authenticity_token" value="a/b==">
        <input value=plain name=_csrf><input name="title" value="Walden"><input type="password" name="password">
        <textarea name="private_key">k1</textarea><p name="token">text</p>
        """, "text/html"),
      """
      <meta name="csrf-param" content="authenticity_token"><meta content='[redacted token 1]' name='csrf-token'>
      <input type="hidden" name="authenticity_token" value="[redacted token 2]">
      <input value=[redacted token 3] name=_csrf><input name="title" value="Walden"><input type="password" name="password">
      <textarea name="private_key">[redacted key 1]</textarea><p name="token">text</p>
      """)
  }

  func testValuesOfPropertyListsAndResourcesAreRedactedByTheirKeys() {
    XCTAssertEqual(
      redacted(
        "<plist><dict><key>apiToken</key>\n<string>abc</string><key>title</key><string>W</string></dict></plist>",
        "application/xml"),
      "<plist><dict><key>apiToken</key>\n<string>[redacted token 1]</string><key>title</key><string>W</string></dict></plist>"
    )
    XCTAssertEqual(
      redacted(
        #"<resources><string name="api_key">abc</string><add key="Password" value="x"/></resources>"#, "text/xml"),
      #"<resources><string name="api_key">[redacted key 1]</string><add key="Password" value="[redacted password 1]"/></resources>"#
    )
  }

  func testJSONInAnAttributeIsRedacted() {
    XCTAssertEqual(
      redacted(#"<div data-props="{&quot;token&quot;:&quot;abc-1&quot;,&quot;n&quot;:1}"></div>"#, "text/html"),
      #"<div data-props="{&quot;token&quot;:&quot;[redacted token 1]&quot;,&quot;n&quot;:1}"></div>"#)
  }

  func testProgramsAreRedactedInTheirStringsOnly() {
    let program =
      #"this.token=e.token;n&&(password=f(x));if(token=="a"){};b?token:"c";m={password:"Your new password"};"#
    XCTAssertEqual(redacted(program, "text/javascript"), program)
    XCTAssertEqual(
      redacted(#"init({apiKey:"AIza1",title:"W"});var token = 'abc';"#, "text/javascript"),
      #"init({apiKey:"[redacted key 1]",title:"W"});var token = '[redacted token 1]';"#)
    XCTAssertEqual(
      redacted(
        #"<script>self.token=x;var s="{\"token\":\"abc\",\"u\":\"\/x?api_key=k\u00261\"}"</script>"#, "text/html"),
      #"<script>self.token=x;var s="{\"token\":\"[redacted token 1]\",\"u\":\"\/x?api_key=%5Bredacted%20key%201%5D\u00261\"}"</script>"#
    )
  }

  /// `sortKey: "name"` and `enterKey: "Enter"` are names of columns and keys of a keyboard.
  func testOneSignAndPlainWordsBehindAKeyOfAProgramStay() {
    let program = #"grid({sortedKey:"name",hotKey:"k"});menuKey = "Enter";e.actionKey="go",e.apiKey='x';"#
    for (text, type) in [
      (program, "text/javascript"), ("<!DOCTYPE html><script>\(program)</script>", "text/html"),
    ] { XCTAssertEqual(redacted(text, type), text) }
    XCTAssertEqual(
      redacted(#"grid({apiKey:"a1",hotKey:"correct-horse"});e.menuKey="Enter!",token="go""#, "text/javascript"),
      #"grid({apiKey:"[redacted key 1]",hotKey:"[redacted key 2]"});e.menuKey="[redacted key 3]",token="[redacted token 1]""#
    )
    XCTAssertEqual(redacted(#"<a data-api-key='x'>"#, "text/html"), #"<a data-api-key='[redacted key 1]'>"#)
  }

  // MARK: Lines

  /// In a body of JSON they are tokens by the length of their values, which a text's names alone don't show.
  func testJSONInATextIsRedactedAsABodyOfJSONIs() {
    let pair = #"{"access":"Zm9vYmFyYmF6cXV4","refresh":"cXV4YmF6YmFyZm9v"}"#
    let hidden = #"{"access":"[redacted token 1]","refresh":"[redacted token 2]"}"#
    for (before, behind, type) in [
      ("200 POST /login ", " in 3 ms", "text/plain"), ("event: login\ndata: ", "\n\ndata: {}\n\n", "text/event-stream"),
      (")]}',\n", "", "application/json"), ("# export\n", "\n{\"n\":1}\n", "application/x-ndjson"),
      ("<!DOCTYPE html><script type=\"application/json\">", "</script>", "text/html"),
      ("<script>window.state = ", ";</script>", "text/html"), ("callback(", ")", "text/javascript"),
      ("{\"log\": \"", "\"", "text/plain"), ("{\"a\":{\"b\":", ",oops}", "text/plain"),
    ] {
      XCTAssertEqual(redacted(before + pair + behind, type), before + hidden + behind)
      XCTAssertEqual(SecretRedaction().redacted(before + pair + behind), before + hidden + behind)
    }
    // Encoded, and cut off.
    XCTAssertEqual(
      redacted(#"<div data-state="\#(pair.replacing("\"", with: "&quot;"))">"#, "text/html"),
      #"<div data-state="\#(hidden.replacing("\"", with: "&quot;"))">"#)
    XCTAssertEqual(
      SecretRedaction().redacted(String("ends \(pair)".dropLast(2))),
      #"ends {"access":"[redacted token 1]","refresh":"[redacted token 2]"#)
    // Numbers, names beside their values, and all that is under a secret name.
    XCTAssertEqual(
      SecretRedaction().redacted(
        #"got {"session_id":12345678} {"name":"api_key","value":"k-1"} {"tokens":{"a":["t-1"],"type":"x"}}"#),
      #"got {"session_id":1} {"name":"api_key","value":"[redacted key 1]"} {"tokens":{"a":["[redacted token 2]"],"type":"x"}}"#
    )
  }

  func testWhatReachesOverAnObjectOfJSONIsRedactedAsAWhole() {
    XCTAssertEqual(
      redacted(#"<token>{"id":"a"}</token>"#, "text/xml"), "<token>[redacted token 1]</token>")
  }

  func testEachLineOfJSONIsRedacted() {
    XCTAssertEqual(
      redacted(
        "{\"token\":\"a\",\"pin_token\":12345678}\n\u{1E}[{\"password\":\"b\"}]\nkey and password=c\n{\"token\":\"a\"",
        "application/x-ndjson"),
      "{\"token\":\"[redacted token 1]\",\"pin_token\":2}\n\u{1E}[{\"password\":\"[redacted password 1]\"}]\n"
        + "key and password=[redacted password 2]\n{\"token\":\"[redacted token 1]\"")
  }

  func testAByteOrderMarkHidesNothing() {
    XCTAssertEqual(redacted("\u{FEFF}{\"token\":12345678}"), "\u{FEFF}{\"token\":1}")
    let many = String(repeating: "\u{FEFF}", count: 100_000)
    XCTAssertEqual(redacted(many), many)
    for (mark, encoding) in [([0xFF, 0xFE], String.Encoding.utf16LittleEndian), ([0xFE, 0xFF], .utf16BigEndian)] {
      let body = Data(mark.map(UInt8.init)) + Data("{\"password\":\"hunter-2-é\"}".data(using: encoding) ?? Data())
      var exchange = exchange()
      exchange.answer.body = body
      let result = SecretRedaction().redacted([exchange])
      XCTAssertEqual(
        String(data: result.exchanges[0].answer.body.dropFirst(2), encoding: encoding),
        "{\"password\":\"[redacted password 1]\"}")
      XCTAssertEqual(result.leaks, [])
    }
  }

  func testLogsAreRedactedByTheNamesInThem() {
    assertText(
      redacted(
        """
        user=anna password=hunter2, token=t-1;n=2 {secret=x1} 'api_key'=>'k1'
        Authorization: Bearer abc.def-1
        curl -H "Authorization: Basic YW5uYTpwYXNzLTEy" -H 'Cookie: sid=1; theme=dark' https://a.example
        Token: 9f8e7d6c
        got Bearer 0123456789abcdef0123, DefaultEndpoints=https;AccountKey=a/b==;Suffix=c
        """, "text/plain"),
      """
      user=anna password=[redacted password 1], token=[redacted token 1];n=2 {secret=[redacted secret 1]} 'api_key'=>'[redacted key 1]'
      Authorization: Bearer [redacted token 2]
      curl -H "Authorization: Basic [redacted token 3]" -H 'Cookie: [redacted cookie 1]' https://a.example
      Token: [redacted token 4]
      got Bearer [redacted token 5], DefaultEndpoints=https;AccountKey=%5Bredacted%20key%202%5D;Suffix=c
      """)
  }

  func testALineOfALogMayBeginLikeAnElement() {
    XCTAssertEqual(redacted("<13>Nov 22 app: password=hunter2"), "<13>Nov 22 app: password=[redacted password 1]")
    XCTAssertEqual(
      redacted(#"{"line":"<13>Nov 22 app: password=hunter2"}"#),
      #"{"line":"<13>Nov 22 app: password=[redacted password 1]"}"#)
  }

  func testSentencesStayAsTheyAre() {
    for text in [
      "Forgot your password: click the link below.", "The password: required. Token: expired. tokens: 4096",
      "Bearer of good news", "Bearer internationalization", "Password: see https://help.example/passwords",
      "a token://x",
      "Basic instinct", "Authorization: Bearer token",
      "WWW-Authenticate: Bearer realm=\"shop\", error=\"invalid_token\"",
    ] { XCTAssertEqual(redacted(text, "text/plain"), text) }
  }

  /// Otherwise "required" would be gone from each page of the recording.
  func testAWordThatIsAssignedIsReplacedInItsPlaceOnly() {
    let exchanges = redacted(
      exchange(says: "password=mandatory token=mandatory1"), exchange(says: "mandatory mandatory1"))
    XCTAssertEqual(
      exchanges.map { String(decoding: $0.answer.body, as: UTF8.self) },
      ["password=[redacted password 1] token=[redacted token 1]", "mandatory [redacted token 1]"])
  }

  // MARK: URLs

  func testAURLInAURLIsRedactedAtEachDepth() {
    func encoded(_ text: String, _ times: Int) -> String {
      String(decoding: PercentEncoding.encoded(Array(text.utf8), times: times), as: UTF8.self)
    }
    let placeholder = "[redacted token 1]"
    for depth in 1...3 {
      let (url, new) = (
        encoded("https://b.example/?n=1&access_token=s%2F1&m=2", depth),
        encoded("https://b.example/?n=1&access_token=\(encoded(placeholder, 1))&m=2", depth)
      )
      let exchange = redacted(
        exchange(
          "GET", "/go/\(url)", query: "a=1&next=\(url)&b=2", headers: ["X-Url": "/?u=\(url)&c=3"],
          answer: ["Location": "https://a.example/?next=\(url)&state=2"], says: #"{"u":"https://c.example/?u=\#(url)"}"#
        ))[0]
      XCTAssertEqual(exchange.request.path, "/go/\(new)", "\(depth)")
      XCTAssertEqual(exchange.request.query, "a=1&next=\(new)&b=2", "\(depth)")
      XCTAssertEqual(exchange.request.headers["X-Url"], "/?u=\(new)&c=3", "\(depth)")
      XCTAssertEqual(exchange.answer.headers["Location"], "https://a.example/?next=\(new)&state=2", "\(depth)")
      XCTAssertEqual(
        String(decoding: exchange.answer.body, as: UTF8.self), #"{"u":"https://c.example/?u=\#(new)"}"#, "\(depth)")
    }
  }

  func testASecretIsFoundAtEachDepthOfEncoding() {
    let (secret, placeholder) = ("a b/c\"1+é", "[redacted token 1]")
    for depth in 1...4 {
      let text = String(decoding: PercentEncoding.encoded(Array(secret.utf8), times: depth), as: UTF8.self)
      let result = SecretRedaction().redacted([exchange(headers: ["X-Api-Token": secret]), exchange(says: "<\(text)>")])
      XCTAssertEqual(
        String(decoding: result.exchanges[1].answer.body, as: UTF8.self),
        "<\(String(decoding: PercentEncoding.encoded(Array(placeholder.utf8), times: depth), as: UTF8.self))>")
      XCTAssertEqual(result.secrets.leak(in: Array(text.utf8)), placeholder, "\(depth)")
    }
    let result = SecretRedaction().redacted([
      exchange(headers: ["X-Api-Token": "a&b<c>\"d"]), exchange(says: "<p>a&amp;b&lt;c&#62;&#x22;d</p>"),
    ])
    XCTAssertEqual(String(decoding: result.exchanges[1].answer.body, as: UTF8.self), "<p>[redacted token 1]</p>")
  }

  func testItemsBetweenSemicolonsAreRedacted() {
    let exchange = redacted(
      exchange(
        query: "a=1;access_token=t1;b=2&c=x;y&d=3;token=t2",
        headers: ["X-Url": "/x;jsessionid=A1B2C3D4E5?n=1;sid=s1;m=2"],
        body: "a=1"))[0]
    XCTAssertEqual(
      exchange.request.query,
      "a=1;access_token=%5Bredacted%20token%203%5D;b=2&c=x;y&d=3;token=%5Bredacted%20token%204%5D")
    XCTAssertEqual(
      exchange.request.headers["X-Url"],
      "/x;jsessionid=%5Bredacted%20token%201%5D?n=1;sid=%5Bredacted%20token%202%5D;m=2")
  }

  // MARK: Names

  func testACodeIsASecretOfASignInOnly() {
    let code = "4/0AX4XfWh-abcdefgh"
    let exchange = redacted(
      exchange(
        "POST", query: "code=DE&sig=c2lnbmF0dXJlLW9mLXNhcw", headers: form,
        body: "grant_type=authorization_code&code=4%2F0AX4XfWh-abcdefgh&code_verifier=v1",
        answer: ["Location": "app://cb?code=\(code)&state=1"], says: #"{"code":"INSUFFICIENT_FUNDS","otp":"1234"}"#))[0]
    XCTAssertEqual(exchange.request.query, "code=DE&sig=%5Bredacted%20token%201%5D")
    XCTAssertEqual(
      String(decoding: exchange.request.body, as: UTF8.self),
      "grant_type=authorization_code&code=%5Bredacted%20token%202%5D&code_verifier=%5Bredacted%20token%203%5D")
    XCTAssertEqual(exchange.answer.headers["Location"], "app://cb?code=%5Bredacted%20token%202%5D&state=1")
    XCTAssertEqual(
      String(decoding: exchange.answer.body, as: UTF8.self),
      #"{"code":"INSUFFICIENT_FUNDS","otp":"[redacted password 1]"}"#)
  }

  func testWhatOpensNothingStays() {
    let body =
      #"{"public_key":"p","sort_key":"title","primaryKey":"id","translation_key":"a.b","code":"E1","session":"Morning","state":"s","pin":{"title":"Cafe"},"signature":"Best regards"}"#
    let exchange = redacted(
      exchange(
        says: #"{"credentials":{"expires_at":"2026-11-22","type":"t","secret":"x"}}"#),
      exchange(answer: ["Access-Control-Allow-Credentials": "true", "Cache-Key": "k"], says: body))
    XCTAssertEqual(
      String(decoding: exchange[0].answer.body, as: UTF8.self),
      #"{"credentials":{"expires_at":"2026-11-22","type":"t","secret":"[redacted secret 1]"}}"#)
    XCTAssertEqual(String(decoding: exchange[1].answer.body, as: UTF8.self), body)
    XCTAssertEqual(
      exchange[1].answer.headers, ["Access-Control-Allow-Credentials": "true", "Cache-Key": "k"])
  }

  func testCountsMessagesAndPublicKeysStay() {
    let pem = "-----BEGIN PUBLIC KEY-----\\nMIIE\\n-----END PUBLIC KEY-----"
    for body in [
      #"{"max_tokens":128000,"MaxKeys":"2","prompt_tokens":1234567}"#,
      #"{"pem":"\#(pem)","message":"password=null token=*****"}"#,
      #"{"errors":{"password":["is too short (minimum is 8 characters)"],"token":{"reason":"has expired"}}}"#,
      #"{"password":{"title":"Password","minLength":8,"pattern":"^[a-z]+$"}}"#,
    ] { XCTAssertEqual(redacted(body, "application/json"), body) }
    let page = #"<code>[--otp &lt;otpcode&gt;]</code><a href="/?code=%23!%5Ballow(unused)%5D%0Afn+main()">Run</a>"#
    XCTAssertEqual(redacted(page, "text/html"), page)
    let exchange = exchange(query: "code=fn+main()+%7B+let+x+=+1;+%7D&session=internationalization")
    XCTAssertEqual(redacted(exchange)[0].request, exchange.request)
  }

  // MARK: Again and again

  func testTextsThatWereRedactedStay() {
    let texts = [
      "password=hunter2 Token: abc123x Authorization: Bearer abc-1 Cookie: a=1; b=2",
      "<token>a</token><input name=csrf value='b'>",
      "/x?u=%3Ftoken%3Da", "{\"token\":\"a\"}\n{\"token\":\"b\"}", "a;sid=1", "Bearer 0123456789abcdef0123",
    ]
    let first = SecretRedaction().redacted(texts.map { exchange(headers: ["X-Note": $0], says: $0) })
    XCTAssertEqual(SecretRedaction().redacted(first.exchanges).exchanges, first.exchanges)
  }
}
