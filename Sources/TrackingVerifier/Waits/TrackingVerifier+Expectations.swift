import TrackingChecks
import TrackingServer
import XCTest

extension TrackingVerifier {
  /// An expectation of a number of events or requests, which XCTest waits for together with the test's own.
  ///
  /// ```swift
  /// let placed = verifier.expectation(for: .request(.post, "/orders"), count: 1)
  /// let tracked = verifier.expectation(for: .named("order_placed"), count: 1)
  /// app.buttons["buy"].tap()
  /// wait(for: [placed, tracked, receiptShown], timeout: 5, enforceOrder: true)
  /// ```
  ///
  /// Expectations of one verifier are fulfilled in the order of arrival, each by its last match that is needed. Among them and expectations of other
  /// kinds XCTest knows only when each was fulfilled. An upper bound alone makes an inverted expectation; extras are reported at `stop()`, at the line of
  /// this call, and so is what arrived instead when an expectation was not fulfilled and the test has failed. The pattern runs on the thread that records
  /// the entry; for entries from before this call, on the main thread. In a task that isn't on the main thread, entries from before this call fulfil
  /// expectations 2 ms after the last one was made, or at once when it is inverted; if an expectation made later is met by an entry that
  /// arrived before those that fulfilled the others, `stop()` adds a warning. Nothing is fulfilled after `stop()`.
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
    // With an upper bound alone, the first extra match fulfils it, which fails XCTest's wait.
    let isInverted = count.least == 0 && count.most != nil
    let expectation = board.add(
      run, wanted: isInverted ? count.most.map { $0 + 1 } ?? 0 : count.least, kept: place)
    if isInverted { expectation.isInverted = true }
    return expectation
  }
}
