import TestSupport
import TrackingModel

@testable import TrackingPlan

final class VolatileFormTests: XCTestCase {
  func testEachFormIsTold() {
    let uuid = "6F9619FF-8b86-D011-B42D-00CF4FC964FF"
    let examples: KeyValuePairs<VolatileForm, (yes: [TrackingValue], no: [TrackingValue])> = [
      .uuid: ([.string(uuid)], [.string("{\(uuid)}"), .string("\(uuid.dropLast())g"), 3]),
      .partialUUID: ([.string(uuid), .string("order/{\(uuid)}")], [.string("\(uuid.dropLast())"), ""]),
      .dateTime: (
        ["2026-11-21T10:00:00Z", "2026-11-21t10:00:00.5+01:00"],
        ["2026-11-21T10:00", "2026-13-21T10:00:00Z", "at 2026-11-21T10:00:00Z", 1_795_428_000]
      ),
      .dateTimePrefix: (
        ["2026-11-21T10:00", "2026-99-99 99:99é"], ["2026-11-21t10:00", " 2026-11-21T10:00", "2026-11-21T10:0"]
      ),
      .partialDate: (["at 2026-99-99!"], ["2026-1-21", "21.11.2026"]),
      .partialTime: (["at 10:00:00 PM"], ["10:00", "10:00:0a"]),
      .hash: (["0123456789abcDEF"], ["0123456789abcDE", "abcdefabcdefabcdef", "0123456789abcdefg"]),
      .token: (
        ["abcdefghijklmnopqr-1", "checkout-step-2-confirmed"], ["abcdefghijklmnopqr1", "abcdefghijklmnopqrst 1"]
      ),
      .alternation: (["a1b2c3d4e5f6", "sku-a1b2c3xy"], ["a1b2c3d4e5 f6", "product_detail_2_view", "a1b2c3"]),
      .counter: (
        [
          "order 123456789", 100_000_000, -123_456_789, 730_591_826_473_059_182, .unsigned(.max), .double(1e30),
        ],
        ["order 12345678", "1234 56789", 99_999_999, 123_456_789.5, 0.123456789, .double(.nan), .double(.infinity)]
      ),
      .localAddress: (
        ["http://localhost:80/a.png", "127.0.0.1:9", "[::1]:9"], ["localhost", "http://example.com:80"]
      ),
      .recentTimestamp: (
        [1_795_428_000, 1_795_428_000_000.5], [1_400_000_000, 2_200_000_000, "1795428000", .double(.nan)]
      ),
      .timestamp: (
        [978_307_200, 1_795_428_000_000_000_000, .unsigned(1_795_428_000)],
        [978_307_199, 4_102_444_801, 0, .bool(true)]
      ),
    ]
    for (form, (yes, no)) in examples {
      for value in yes { XCTAssertEqual(VolatileForm.first(of: [form], in: value), form, "\(value)") }
      for value in no { XCTAssertNil(VolatileForm.first(of: [form], in: value), "\(form): \(value)") }
      XCTAssertNil(VolatileForm.first(of: [form], in: .array(yes)), "\(form)")
    }
  }

  func testTheFirstOfTheNamedFormsCounts() {
    let uuid: TrackingValue = "6f9619ff-8b86-d011-b42d-00cf4fc964ff"
    XCTAssertEqual(VolatileForm.first(of: [.token, .uuid], in: uuid), .token)
    XCTAssertEqual(VolatileForm.first(of: [.dateTime, .uuid, .token], in: uuid), .uuid)
    XCTAssertNil(VolatileForm.first(of: [], in: uuid))
  }
}
