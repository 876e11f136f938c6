import TestSupport

/// The name of a launch carries the name of its process.
final class LaunchNameTests: XCTestCase {
  private func roundTrip(_ process: String) -> String? {
    let name = LaunchName.text(token: "k3f9", number: 2, process: process)
    XCTAssertTrue(name.utf8.allSatisfy { (0x21...0x7E).contains($0) }, name)
    XCTAssertEqual(LaunchName.token(of: name), "k3f9")
    return LaunchName.process(of: name)
  }

  func testTheProcessIsBehindTheSecondDot() {
    XCTAssertEqual(LaunchName.text(token: "k3f9", number: 2, process: "ShopWidget"), "k3f9.2.ShopWidget")
    XCTAssertEqual(LaunchName.process(of: "k3f9.2.ShopWidget"), "ShopWidget")
  }

  func testALaunchMayHaveNoProcess() {
    XCTAssertNil(LaunchName.process(of: "k3f9.2"))
    XCTAssertNil(LaunchName.process(of: "k3f9.2."))
    XCTAssertNil(LaunchName.process(of: "anything"))
    XCTAssertNil(LaunchName.process(of: ""))
    XCTAssertNil(roundTrip(""))
  }

  func testAnyNameOfAProcessComesBack() {
    for name in ["Shop Widget", "50 % off", "%41", "a.b.c", "Läden", "店铺", "a\r\nb", "🛒"] {
      XCTAssertEqual(roundTrip(name), name)
    }
  }

  func testALongNameIsCutBetweenCharacters() {
    XCTAssertEqual(roundTrip(String(repeating: "店", count: 200)), String(repeating: "店", count: 11))
    XCTAssertEqual(roundTrip(String(repeating: "a", count: 200)), String(repeating: "a", count: 100))
  }

  func testTextThatIsNotAnEscapeStaysAsItIs() {
    XCTAssertEqual(LaunchName.process(of: "k.1.100%"), "100%")
    XCTAssertEqual(LaunchName.process(of: "k.1.%zz"), "%zz")
  }
}
