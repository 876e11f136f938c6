import TestSupport

@testable import TrackingChecks

final class PatternAssignmentTests: XCTestCase {
  private func set(_ members: [Int], of count: Int) -> PatternSet {
    var set = PatternSet(of: count)
    for member in members { set.insert(member) }
    return set
  }

  func testAnItemMovesWhereAnotherNeedsItsPattern() {
    var assignment = PatternAssignment(patterns: 3)
    XCTAssertTrue(assignment.offer(0, fitting: set([0, 1], of: 3)))
    XCTAssertTrue(assignment.offer(1, fitting: set([0], of: 3)))
    XCTAssertEqual(assignment.items, [1, 0, nil])
    XCTAssertFalse(assignment.offer(2, fitting: set([0, 1], of: 3)))
    XCTAssertTrue(assignment.saturated.contains(0) && assignment.saturated.contains(1))
    XCTAssertTrue(assignment.offer(3, fitting: set([1, 2], of: 3)))
    XCTAssertEqual(assignment.items, [1, 0, 3])
    XCTAssertTrue(assignment.isComplete)
  }

  func testNoPatternsAreCompleteAndNoItemIsTaken() {
    var assignment = PatternAssignment(patterns: 0)
    XCTAssertTrue(assignment.isComplete)
    XCTAssertFalse(assignment.offer(0, fitting: PatternSet(of: 0)))
  }

  /// Against trying everything: of small graphs, the number of assigned patterns after each item is the largest there is.
  func testItIsAsLargeAsPossibleAfterEveryItem() {
    var random = RandomCases.generator(seed: 42)
    for _ in 0..<RandomCases.count(2_000) {
      let count = Int.random(in: 1...6, using: &random)
      let density = Int.random(in: 1...6, using: &random)
      var assignment = PatternAssignment(patterns: count)
      var fits: [[Int]] = []
      for item in 0..<Int.random(in: 1...8, using: &random) {
        fits.append((0..<count).filter { _ in Int.random(in: 0..<8, using: &random) < density })
        _ = assignment.offer(item, fitting: set(fits[item], of: count))
        XCTAssertEqual(assignment.assigned, Self.largest(fits[...], taken: []), "\(fits)")
        for (pattern, item) in assignment.items.enumerated() {
          if let item { XCTAssertTrue(fits[item].contains(pattern)) }
        }
        XCTAssertEqual(Set(assignment.items.compactMap(\.self)).count, assignment.assigned)
      }
    }
  }

  func testSeventyPatternsNeedMoreThanOneWord() {
    var assignment = PatternAssignment(patterns: 70)
    for item in 0..<70 { XCTAssertTrue(assignment.offer(item, fitting: set(Array(0...69 - item), of: 70))) }
    XCTAssertEqual(assignment.items, (0..<70).reversed().map(Optional.some))
  }

  private static func largest(_ fits: ArraySlice<[Int]>, taken: Set<Int>) -> Int {
    guard let first = fits.first else { return 0 }
    let rest = fits.dropFirst()
    let used = first.filter { !taken.contains($0) }.map { 1 + largest(rest, taken: taken.union([$0])) }
    return max(used.max() ?? 0, largest(rest, taken: taken))
  }
}
