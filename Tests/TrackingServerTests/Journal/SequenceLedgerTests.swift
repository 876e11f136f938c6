import TestSupport

@testable import TrackingServer

final class SequenceLedgerTests: XCTestCase {
  func testNumbersInOrderLeaveNoHole() {
    check([1...1, 2...2, 3...5], holes: [], last: 5)
  }

  func testAHoleIsBetweenWhatCame() {
    check([1...1, 4...4], holes: [2...3], last: 4)
    check([1...2, 5...6, 9...9], holes: [3...4, 7...8], last: 9)
  }

  func testWhatIsMissingAtTheStartIsAHole() {
    check([3...3], holes: [1...2], last: 3)
  }

  func testAHoleIsFilledFromEitherEndOrInTheMiddle() {
    check([1...1, 5...5, 2...2], holes: [3...4], last: 5)
    check([1...1, 5...5, 4...4], holes: [2...3], last: 5)
    check([1...1, 5...5, 3...3], holes: [2...2, 4...4], last: 5)
    check([1...1, 5...5, 2...4], holes: [], last: 5)
  }

  func testARangeMaySwallowOthers() {
    check([2...2, 4...4, 6...6, 1...7], holes: [], last: 7)
    check([2...3, 6...7, 3...6], holes: [1...1], last: 7)
    check([10...20, 12...14], holes: [1...9], last: 20)
  }

  func testALedgerOfALaterStartKnowsNoHoleBeforeIt() {
    check([7...7, 9...9], since: 7, holes: [8...8], last: 9)
    check([], since: 7, holes: [], last: 6)
    // A number from before the start fills no hole, and is known.
    check([7...7, 3...3], since: 7, holes: [], last: 7)
  }

  func testTheLargestNumbersDoNotOverflow() {
    check([UInt64.max...UInt64.max], holes: [1...(.max - 1)], last: .max)
    check([UInt64.max...UInt64.max, 1...(.max - 1)], holes: [], last: .max)
    check([1...1, UInt64.max...UInt64.max, 2...2], holes: [3...(.max - 1)], last: .max)
    var all = SequenceLedger()
    all.insert(1 ... .max)
    XCTAssertEqual(all.count(in: 1 ... .max), .max)
    XCTAssertTrue(all.contains(.max))
  }

  func testItAgreesWithASetOfNumbersHoweverTheyCome() {
    var random = RandomCases.generator(seed: 5)
    for _ in 0..<RandomCases.count(600) {
      var ledger = SequenceLedger()
      var model: Set<UInt64> = []
      for _ in 0..<40 {
        let lower = UInt64.random(in: 1...60, using: &random)
        let numbers = lower...(lower + .random(in: 0...4, using: &random))
        XCTAssertEqual(ledger.count(in: numbers), UInt64(numbers.count { model.contains($0) }))
        ledger.insert(numbers)
        model.formUnion(numbers)
        XCTAssertEqual(ledger.last, model.max())
        XCTAssertEqual(Set(ledger.holes.joined()), Set(1...model.max()!).subtracting(model))
      }
      for number in UInt64(1)...70 { XCTAssertEqual(ledger.contains(number), model.contains(number)) }
    }
  }

  private func check(
    _ numbers: [ClosedRange<UInt64>], since first: UInt64 = 1, holes: [ClosedRange<UInt64>], last: UInt64,
    file: StaticString = #filePath, line: UInt = #line
  ) {
    var ledger = SequenceLedger(since: first)
    for range in numbers {
      ledger.insert(range)
      XCTAssertEqual(ledger.count(in: range), range.upperBound - range.lowerBound + 1, file: file, line: line)
    }
    XCTAssertEqual(ledger.holes, holes, file: file, line: line)
    XCTAssertEqual(ledger.last, last, file: file, line: line)
  }
}
