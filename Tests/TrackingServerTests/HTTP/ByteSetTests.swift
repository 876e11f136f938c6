import XCTest

@testable import TrackingServer

final class ByteSetTests: XCTestCase {
  private let alphanumeric = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"

  func testTheWordsSayWhatTheRulesSay() {
    XCTAssertEqual(ByteSet.token, ByteSet("!#$%&'*+-.^_`|~" + alphanumeric))
    XCTAssertEqual(ByteSet.registeredName, ByteSet("-._~%!$&'()*+;=" + alphanumeric))
    XCTAssertEqual(ByteSet.target, ByteSet("!$%&'()*+,-./:;=?@[]^_`{|}~" + alphanumeric))
  }

  func testMembershipOfEveryByte() {
    let members = (UInt8.min...UInt8.max).filter { ByteSet.token.contains($0) }
    XCTAssertEqual(String(decoding: members, as: UTF8.self).sorted(), ("!#$%&'*+-.^_`|~" + alphanumeric).sorted())
  }

  func testHexadecimalDigits() {
    let values = (UInt8.min...UInt8.max).compactMap { ASCII.hexadecimalValue($0) }
    XCTAssertEqual(values, Array(0...9) + Array(10...15) + Array(10...15))
  }
}
