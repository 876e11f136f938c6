import TrackingChecks
import TrackingServer
import XCTest

extension TrackingVerifier {
  /// Returns an expectation of a number of events or requests, for XCTest to wait for together with others.
  ///
  /// ```swift
  /// let placed = verifier.expectation(for: .request(.post, "/orders"), count: 1)
  /// let tracked = verifier.expectation(for: .named("order_placed"), count: 1)
  /// app.buttons["buy"].tap()
  /// wait(for: [placed, tracked, receiptShown], timeout: 5, enforceOrder: true)
  /// ```
  ///
  /// The pattern runs on the thread that records the entry; for entries from before this call, on the main thread. Expectations of one verifier are
  /// fulfilled in the order of arrival, each by its last required match; for expectations of other kinds, XCTest knows only when they were fulfilled.
  /// Nothing is fulfilled after `stop()`.
  ///
  /// With only an upper bound, the expectation is inverted. `stop()` reports extras at the line of this call, and, for an unfulfilled
  /// expectation of a failed test, the received entries.
  ///
  /// In a task that isn't on the main thread, earlier entries fulfil expectations 2 ms after the last one was created, or at once if it is inverted.
  /// If an expectation created later matches an entry that arrived before those that fulfilled the others, `stop()` adds a warning.
  public func expectation(
    for pattern: EntryPattern, count: some EventCountConvertible, since mark: Mark? = nil,
    fileID: StaticString = #fileID, file: StaticString = #filePath, line: UInt = #line, column: UInt = #column
  ) -> XCTestExpectation {
    let location = CodeLocation(fileID: fileID, file: file, line: line, column: column)
    let count = count.eventCount
    let call: CheckCall
    do throws(InvalidCheck) {
      call = try self.call(.count(count, of: pattern), since: mark, nil, at: location)
    } catch {
      fail(error.failure)
      return XCTestExpectation(description: "nothing: \(error.failure.message)")
    }
    use()
    let run = CheckRun(expecting: call, from: .now)
    ledger.edit { $0.keep(run) }
    let place = log?.add(expecting: call)
    // With only an upper bound, the first extra match fulfils the inverted expectation, which fails XCTest's wait.
    let isInverted = count.least == 0 && count.most != nil
    let expectation = board.add(
      run, wanted: isInverted ? count.most.map { $0 + 1 } ?? 0 : count.least, kept: place)
    if isInverted { expectation.isInverted = true }
    return expectation
  }
}
