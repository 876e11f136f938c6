import TestSupport

@testable import TrackingPatterns

/// The types of a process in which the app that hosts the tests has a copy of TrackingModel, too.
final class TypedEventCopyTests: XCTestCase {
  private struct Bought: TrackingSchema {
    static let eventName = "bought"
    var total: Int
  }

  private struct OfAnotherCopy {}

  func testACastTellsWhetherATypeIsOfThisCopy() {
    XCTAssertTrue(TypedEventCondition.isKnown(Bought.self))
    XCTAssertFalse(TypedEventCondition.isKnown(OfAnotherCopy.self))
    XCTAssertFalse(TypedEventCondition(Bought.self, "", nil).isLinkedTwice)
  }

  func testAnEventThatCannotBeDecodedAsATypeOfAnotherCopySaysSo() {
    let event = TrackingEvent(name: "bought", params: ["total": "12"])
    var condition = TypedEventCondition(Bought.self, "", nil)
    assertText(
      EventDiff.text(event, EventPattern(condition: .typed(condition))),
      """
        bought
      - total: Int
      + total: "12"   (it is a string)
      """)
    condition.isLinkedTwice = true
    assertText(
      EventDiff.text(event, EventPattern(condition: .typed(condition))),
      """
        bought
      - total: Int
      + total: "12"   (it is a string)
      - the type is linked twice: the app and the tests that it hosts have a copy of TrackingModel
          each, and no cast between them succeeds
      """)
  }
}
