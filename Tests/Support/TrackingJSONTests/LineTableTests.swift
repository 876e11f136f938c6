import XCTest

@testable import TrackingJSON

final class LineTableTests: XCTestCase {
  func testOffsetsBecomeLinesAndColumns() {
    let text = Array("{\n  \"a\": 1,\r\n\n}".utf8)
    let table = text.withUnsafeBufferPointer { LineTable($0) }
    let positions = [0, 1, 2, 4, 12, 13, 14].map { table.position(of: $0) }
    XCTAssertEqual(positions.map(\.line), [1, 1, 2, 2, 2, 3, 4])
    XCTAssertEqual(positions.map(\.column), [1, 2, 1, 3, 11, 1, 1])
  }

  func testAnEmptyTextHasOneLine() {
    let table = LineTable(UnsafeBufferPointer(start: nil, count: 0))
    XCTAssertEqual(table.position(of: 0).line, 1)
  }
}
