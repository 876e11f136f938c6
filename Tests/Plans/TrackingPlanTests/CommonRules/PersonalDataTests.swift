import Foundation
import TestSupport
import TrackingModel
import XCTest

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
      "4111 1111 1111 1112 12/25", "41111111111111110000", "4 1111 1111 1111 1112", "order 4111-11-11-111111111-12 34",
      "1795428000500 1795428000501 1795428000502", "2026-11-21 10 30 45 123456", "+49 30 4111 1111 11 11",
      "35-209900-176148-1 12", "978-3-16-148410-0 4", "550e8400-e29b-41d4-a716-446655440000", "50667 50668 50669 50670",
    ] {
      XCTAssertEqual(found(["a": .string(other)], by: rule), [], other)
    }
  }

  func testCardsInRandomTextsAreThoseOfASecondReading() {
    let rule = PersonalData(detecting: [.card])
    var random = RandomCases.generator(seed: 38)
    var cards = 0
    for _ in 0..<RandomCases.count(2_000) {
      let text = (0..<Int.random(in: 1...7, using: &random)).map { _ in
        let known = ["4111 1111 1111 1111", "378282246310005", "3782-822463-10005", "5555555555554444"]
        let digits = (0..<[1, 2, 4, 4, 4, 5, 6, 13, 16].randomElement(using: &random)!).map { _ in
          String(Int.random(in: 1...6, using: &random))
        }
        let group = Bool.random(using: &random) ? digits.joined() : known.randomElement(using: &random)!
        return (Int.random(in: 0..<4, using: &random) == 0 ? group : digits.joined())
          + [" ", " ", "-", "  ", "/", ""].randomElement(using: &random)!
      }.joined()
      let isCard = Self.holdsCard(text)
      if isCard { cards += 1 }
      XCTAssertEqual(found(["a": .string(text)], by: rule).isEmpty, !isCard, text)
    }
    XCTAssertGreaterThan(cards, RandomCases.count(200))
  }

  /// Whether a part of a text that digits don't continue is a card's number: groups with one separator, or all that is written with the same characters.
  private static func holdsCard(_ text: String) -> Bool {
    let texts = Array(text)
    func isDigit(_ index: Int) -> Bool { texts.indices.contains(index) && texts[index].isNumber }
    func isPart(_ index: Int) -> Bool { isDigit(index) || texts.indices.contains(index) && " -".contains(texts[index]) }
    for start in texts.indices where isDigit(start) && !isDigit(start - 1) {
      for end in start..<texts.count where isDigit(end) && !isDigit(end + 1) {
        let part = String(texts[start...end])
        let before = texts[..<start].reversed().prefix { " -".contains($0) }.count
        let after = texts[(end + 1)...].prefix { " -".contains($0) }.count
        let isWhole = !isPart(start - before - 1) && !isPart(end + after + 1) && part.allSatisfy { $0 != "/" }
        let isGrouped =
          part.wholeMatch(of: /[0-9]+|[0-9]{4,}( [0-9]{4,})* [0-9]+|[0-9]{4,}(-[0-9]{4,})*-[0-9]+/) != nil
        if isWhole || isGrouped, isCard(part.filter(\.isNumber)) { return true }
      }
    }
    return false
  }

  private static func isCard(_ digits: String) -> Bool {
    let issuers =
      /4\d{12}|4\d{15}|4\d{18}|62\d{11}|62\d{14,17}|3[47]\d{13}|3[68]\d{12}|30[0-5]\d{11}|5[1-5]\d{14}|6011\d{12}|65\d{14}|35\d{14}|2(22[1-9]|2[3-9]\d|[3-6]\d\d|7[01]\d|720)\d{12}|5[0678]\d{15,16}/
    guard digits.wholeMatch(of: issuers) != nil else { return false }
    let sum = digits.reversed().map { Int(String($0))! }.enumerated().map { index, digit in
      index.isMultiple(of: 2) ? digit : [0, 2, 4, 6, 8, 1, 3, 5, 7, 9][digit]
    }.reduce(0, +)
    return sum.isMultiple(of: 10)
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
