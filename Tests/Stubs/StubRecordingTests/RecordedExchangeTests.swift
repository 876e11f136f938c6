import StubModel
import XCTest

@testable import StubRecording

final class RecordedExchangeTests: XCTestCase {
  func testExchangesAreEqualWhenAllTheirPartsAre() {
    let date = Date(timeIntervalSince1970: 1)
    let request = RecordedExchange.Request(method: "GET", origin: "http://127.0.0.1:8080", path: "/books")
    let exchange = RecordedExchange(request: request, answer: .init(status: 200), date: date)
    XCTAssertEqual(exchange, RecordedExchange(request: request, answer: .init(), date: date))
    XCTAssertNotEqual(exchange, RecordedExchange(request: request, answer: .init(status: 404), date: date))
  }
}
