import TestSupport

final class DribbleTests: XCTestCase {
  private func pieces(_ pieces: Int, of count: Int) -> [Range<Int>] {
    StubResponse.Dribble(over: 1, pieces: pieces).pieces(ofBytes: count)
  }

  func testABodyIsCutIntoPiecesThatDifferByAByteAtMost() {
    XCTAssertEqual(pieces(3, of: 8), [0..<2, 2..<5, 5..<8])
    XCTAssertEqual(pieces(1, of: 8), [0..<8])
  }

  func testNoPieceIsEmpty() {
    XCTAssertEqual(pieces(5, of: 2), [0..<1, 1..<2])
    XCTAssertEqual(pieces(5, of: 0), [])
    XCTAssertEqual(pieces(0, of: 5), [])
    XCTAssertEqual(pieces(-1, of: 5), [])
  }

  func testALargeBodyIsNotCutIntoSingleBytes() {
    let pieces = pieces(.max, of: 1_000_000_007)
    XCTAssertEqual(pieces.count, 10_000)
    XCTAssertEqual(pieces.first?.lowerBound, 0)
    XCTAssertEqual(pieces.last?.upperBound, 1_000_000_007)
    for (piece, next) in zip(pieces, pieces.dropFirst()) { XCTAssertEqual(piece.upperBound, next.lowerBound) }
  }
}
