import TestSupport
import TrackingServer

final class LinkedClassTests: XCTestCase {
  private let module = String(reflecting: LinkedClassTests.self).prefix { $0 != "." }

  func testALinkedClassIsFound() {
    XCTAssertNotNil(LinkedClass<any Linkage.Type>("\(module).LinkedPart").type)
  }

  func testAClassThatIsNotLinkedIsNamedByItsProduct() {
    let link = LinkedClass<any Linkage.Type>("TrackingParts.LinkedPart")
    XCTAssertNil(link.type)
    XCTAssertEqual(
      link.missing("parts are set"),
      "parts are set, but this test target doesn't link the product TrackingParts: add it to its dependencies")
  }

  /// A class of another copy conforms to that copy's protocol, as one that doesn't conform at all.
  func testAClassOfAnotherCopyIsLinkedTwice() {
    let link = LinkedClass<any Linkage.Type>("\(module).PartOfAnotherCopy")
    XCTAssertNil(link.type)
    XCTAssertEqual(
      link.missing("parts are set"),
      """
      parts are set, but the product \(module) is linked twice: the app that hosts the tests has a copy, too, which they can't \
      use; link it to one of them
      """)
  }
}

protocol Linkage: Sendable {}
final class LinkedPart: Linkage {}
final class PartOfAnotherCopy {}
