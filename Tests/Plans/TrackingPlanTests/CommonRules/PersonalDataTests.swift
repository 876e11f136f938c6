import TestSupport

@testable import TrackingPlan

final class PersonalDataTests: XCTestCase {
  private func found(_ params: [TrackingParam: TrackingValue], name: String = "e", by rule: PersonalData) -> [String] {
    rule.findings(in: TrackingEvent(name: name, params: params)).map(\.description)
  }

  func testThePersonaIsFoundInEveryFormInWhichItTravels() {
    let rule = PersonalData(of: ["Anna.Berg@example.com"], detecting: [])
    let email = "Anna.Berg@example.com"
    XCTAssertEqual(found(["a": .string("mailto:\(email)")], by: rule), ["a: holds \"\(email)\""])
    XCTAssertEqual(found(["a": "ANNA.BERG@EXAMPLE.COM"], by: rule), ["a: holds \"\(email)\""])
    XCTAssertEqual(
      found(["a": "https://x.y/?u=anna.berg%40example.com"], by: rule), ["a: holds \"\(email)\", percent-encoded"])
    for shift in 0..<3 {
      let text = Data((String(repeating: "x", count: shift) + email.lowercased() + "&b=1").utf8).base64EncodedString()
      XCTAssertEqual(found(["a": .string(text)], by: rule), ["a: holds \"\(email)\" in base64"], text)
      let url = text.replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
      XCTAssertEqual(found(["a": .string(url)], by: rule), ["a: holds \"\(email)\" in base64"], url)
    }
    XCTAssertEqual(
      found(["items": [["note": .string(email)]]], by: rule), ["items[0].note: holds \"\(email)\""])
    XCTAssertEqual(found([.custom(key: email): 1], by: rule), ["\(email): holds \"\(email)\""])
    XCTAssertEqual(found([:], name: email, by: rule), ["the event's name holds \"\(email)\""])
    XCTAssertEqual(found(["a": "anna", "b": "berg@example", "c": 1], by: rule), [])
  }

  func testATextThatIsTooShortToSearchForIsAFinding() {
    XCTAssertEqual(
      found(["a": "a jo b"], by: PersonalData(of: ["Jo", " "], detecting: [])),
      [
        "can't be searched for \"Jo\"; personal data needs at least 3 characters",
        "can't be searched for \" \"; personal data needs at least 3 characters",
      ])
  }

  func testWhatHasACheckDigitIsFoundAndItsNeighbourIsNot() {
    let rule = PersonalData(detecting: [.card, .iban])
    for card in [
      "4111111111111111", "4111 1111 1111 1111", "5555-5555-5555-4444", "378282246310005", "pan=4111111111111111;",
    ] {
      XCTAssertEqual(found(["a": .string(card)], by: rule), ["a: holds a payment card number"], card)
    }
    XCTAssertEqual(found(["a": 4_111_111_111_111_111], by: rule), ["a: holds a payment card number"])
    for other in [
      "4111111111111112", "1234567890123452", "411111111111", "00000000000000000000", "2026-11-21 10:00:00",
    ] {
      XCTAssertEqual(found(["a": .string(other)], by: rule), [], other)
    }
    for account in [
      "DE89370400440532013000", "GB82 WEST 1234 5698 7654 32", "to NL91ABNA0417164300 now",
      "de89 3704 0044 0532 0130 00",
    ] {
      XCTAssertEqual(found(["a": .string(account)], by: rule), ["a: holds a bank account number (IBAN)"], account)
    }
    for other in [
      "DE89370400440532013001", "XX89370400440532013000", "DE8937040044053201300", "ADELE CHARGES 20 DE LUXE",
    ] {
      XCTAssertEqual(found(["a": .string(other)], by: rule), [], other)
    }
  }

  func testACardIsFoundBesideOtherDigits() {
    let rule = PersonalData(detecting: [.card])
    for card in [
      "4111 1111 1111 1111 12/25", "4111-1111-1111-1111-123", "4111111111111111 12 25 123", "12/25 4111 1111 1111 1111",
      "order 17 4111 1111 1111 1111", "2026-11-21 5555-5555-5555-4444", "3782 822463 10005 1225", "1 - 378282246310005",
      "4111 1111 1111 1112 5555 5555 5555 4444",
    ] {
      XCTAssertEqual(found(["a": .string(card)], by: rule), ["a: holds a payment card number"], card)
    }
    for other in [
      "4111 1111 1111 1112 12/25", "4111 1111-1111 1111 12/25", "41111111111111110000", "4 1111 1111 1111 1112",
      "order 4111-11-11-111111111-12 34",
      "1795428000500 1795428000501 1795428000502", "2026-11-21 10 30 45 123456", "+49 30 4111 1111 11 11",
      "35-209900-176148-1 12", "978-3-16-148410-0 4", "550e8400-e29b-41d4-a716-446655440000", "50667 50668 50669 50670",
    ] {
      XCTAssertEqual(found(["a": .string(other)], by: rule), [], other)
    }
  }

  func testACardHasTheLengthAndThePrefixOfAnIssuer() {
    let rule = PersonalData(detecting: [.card])
    for card in [
      "4000000000006", "4000000000000000006", "36000000000008", "38000000000006", "30500000000003", "340000000000009",
      "2221000000000009", "2720000000000005", "6011000000000004", "6500000000000002", "3500000000000009",
      "6200000000000005", "6200000000000", "6200000000000000000", "50000000000000005", "570000000000000002",
    ] {
      XCTAssertEqual(found(["a": .string(card)], by: rule), ["a: holds a payment card number"], card)
    }
    for other in ["2220000000000000", "2721000000000004", "30600000000001", "360000000000004"] {
      XCTAssertEqual(found(["a": .string(other)], by: rule), [], other)
    }
  }

  func testEmailsAndSecretsAreFoundByTheirForm() {
    let rule = PersonalData(detecting: [.email, .secrets])
    XCTAssertEqual(
      found(["a": "write to a.b+c@mail.example.org!"], by: rule), ["a: holds an email address, a.b+c@mail.example.org"])
    XCTAssertEqual(found(["a": "@home", "b": "a@b", "c": "1@2.3", "d": "user@host.1"], by: rule), [])
    XCTAssertEqual(
      found(["a": "Bearer eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.abc"], by: rule), ["a: holds a JSON Web Token"])
    XCTAssertEqual(
      found(["a": "-----BEGIN RSA PRIVATE KEY-----\nMII"], by: rule), ["a: holds a private key"])
    XCTAssertEqual(found(["a": "eyJ.b.c", "b": "1.2.3"], by: rule), [])
  }

  func testFormsAreFoundBehindPercentEncoding() {
    let rule = PersonalData(detecting: [.email, .card, .iban])
    for (text, form) in [
      ("https://x.y/?u=anna%40shop.example&n=100%", "an email address, anna@shop.example"),
      ("https://x.y/?next=https%3A%2F%2Fx.y%2F%3Fu%3Danna%2540shop.example", "an email address, anna@shop.example"),
      ("?card=4111%201111%201111%201111", "a payment card number"),
      ("?card=4111+1111+1111+1111", "a payment card number"),
      ("?iban=DE89%203704%200044%200532%200130%2000", "a bank account number (IBAN)"),
    ] {
      XCTAssertEqual(found(["a": .string(text)], by: rule), ["a: holds \(form), percent-encoded"])
    }
    // The text as it is comes first: a plus may be part of an address.
    XCTAssertEqual(
      found(["a": "?u=anna+news@shop.example"], by: rule), ["a: holds an email address, anna+news@shop.example"])
    let persona = PersonalData(of: ["anna@shop.example"], detecting: [])
    XCTAssertEqual(
      found(["a": "?next=%3Fu%3Danna%2540shop.example%"], by: persona),
      ["a: holds \"anna@shop.example\", percent-encoded"])
  }

  func testNamesOfFilesAreNoAddresses() {
    let rule = PersonalData(detecting: .email)
    for name in [
      "icon@2x.png", "https://cdn.example/icon@3x.webp?w=2", "icon%402x.png", "hero@dark.svg", "vue@3.4.0.min.js",
      "Icon@2X.PNG",
    ] {
      XCTAssertEqual(found(["a": .string(name)], by: rule), [], name)
    }
    XCTAssertEqual(
      found(["a": "icon@2x.png from anna@2x.example"], by: rule), ["a: holds an email address, anna@2x.example"])
  }

  func testNamesOfParamsSayWhatTheyHoldUnlessTheyAreAllowed() {
    let rule = PersonalData(detecting: .keyNames, allowing: ["email_hash"])
    XCTAssertEqual(
      found(
        ["userEmail": "x", "email_hash": "y", "mail": "z", "phone_number": "1", "headphones": 2, "passwordless": true],
        by: rule),
      [
        "phone_number: has a name that suggests personal data (a phone number); if it holds none, add its name to `allowing`",
        "userEmail: has a name that suggests personal data (an email address); if it holds none, add its name to `allowing`",
      ])
  }

  func testNamesThatMixAcronymsAndLowerCaseAreFound() {
    let rule = PersonalData(detecting: .keyNames)
    for (name, kind): (TrackingParam, String) in [
      ("APIkey", "a secret"), ("APIKey", "a secret"), ("userAPIkey", "a secret"), ("PASSword", "a password"),
      ("myPASSWORD", "a password"), ("EMail", "an email address"),
    ] {
      XCTAssertEqual(
        found([name: "x"], by: rule),
        ["\(name.key): has a name that suggests personal data (\(kind)); if it holds none, add its name to `allowing`"])
    }
  }

  func testALongTextTakesLinearTime() {
    let rule = PersonalData(detecting: [.iban])
    func time(_ count: Int) -> Duration {
      let event = TrackingEvent(name: "e", params: ["text": .string(String(repeating: "at ", count: count))])
      return ProcessorTime.least(of: 3) { _ = rule.findings(in: event) }
    }
    // Ten times as much text took a hundred times as long.
    XCTAssertLessThan(time(6_000) / max(time(600), .microseconds(50)), 40)
  }

  func testLimitsOfProvidersAreToldPerEvent() {
    let long = String(repeating: "x", count: 101)
    let params: [TrackingParam: TrackingValue] = [
      "value": .string(long), "a-b": 1, .custom(key: String(long.prefix(41))): 1,
    ]
    XCTAssertEqual(
      ProviderLimits.firebase.findings(in: TrackingEvent(name: "ga_x", params: params)).map(\.description),
      [
        "the event's name begins with ga_, which firebase reserves",
        "the param's name a-b must be letters, digits and underscores and begin with a letter for firebase",
        "the param's name \(long.prefix(41)) has 41 characters, firebase accepts at most 40",
        "value: has 101 characters, firebase accepts at most 100",
      ])
    let many = [TrackingParam: TrackingValue](uniqueKeysWithValues: (0..<26).map { (.custom(key: "p\($0)"), 1) })
    XCTAssertEqual(
      ProviderLimits.firebase.findings(in: TrackingEvent(name: "x", params: many)).map(\.description),
      ["has 26 params, firebase accepts at most 25"])
    XCTAssertEqual(
      ProviderLimits.mixpanel.findings(
        in: TrackingEvent(name: "x", params: ["a": .string(String(repeating: "\u{E9}", count: 128))])
      ).map(\.description),
      ["a: has 256 bytes, mixpanel accepts at most 255"])
    XCTAssertEqual(ProviderLimits.braze.findings(in: TrackingEvent(name: "Opened", params: ["$a": 1])).count, 1)
  }

  func testNestedValuesAndReservedNamesAreChecked() {
    let long = String(repeating: "x", count: 101)
    let event = TrackingEvent(name: "session_start", params: ["items": [["name": .string(long)]]])
    XCTAssertEqual(
      ProviderLimits.firebase.findings(in: event).map(\.description),
      [
        "the event's name session_start is reserved by firebase",
        "items[0].name: has 101 characters, firebase accepts at most 100",
      ])
  }
}
