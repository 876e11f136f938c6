import Foundation
import TrackingModel
import TrackingPatterns
import TrackingChecks
import TrackingServer

// The waits of asynchronous tests, which suspend: any number of tests may wait on a few threads. A wait ends at once when its task is cancelled, and
// closures run on the caller's actor. <doc:Checks> describes all waits.

extension TrackingVerifier {
  /// Runs a check: `verifier.wait(for: .named("button_tapped"))`, `verifier.wait(for: .inOrder([.request(.post, "/orders"),
  /// .named("order_placed")]))`.
  ///
  /// - Returns: The event or the request, or `nil` after failing the test at the line of the call; or a ``CheckOutcome``. A request has its response
  ///   if that was decided at once; if a stub's closure decides it, wait for ``TrackingCheck/responded(_:)``. See <doc:Checks>.
  @discardableResult
  public func wait<Value>(
    for check: TrackingCheck<Value>, since mark: Mark? = nil, timeout: TimeInterval? = nil,
    isolation: isolated (any Actor)? = #isolation,
    fileID: StaticString = #fileID, file: StaticString = #filePath, line: UInt = #line, column: UInt = #column
  ) async -> Value {
    let location = CodeLocation(fileID: fileID, file: file, line: line, column: column)
    return check.value(of: await self.check(check.untyped, since: mark, timeout, at: location))
  }

  /// Waits for a number of events or requests: `verifier.wait(for: .named("button_tapped"), count: 2)`.
  ///
  /// - Returns: The events or requests that arrived, also after a failure. See <doc:Checks>.
  @discardableResult
  public func wait<Entry>(
    for check: TrackingCheck<Entry?>, count: some EventCountConvertible, since mark: Mark? = nil,
    timeout: TimeInterval? = nil,
    isolation: isolated (any Actor)? = #isolation,
    fileID: StaticString = #fileID, file: StaticString = #filePath, line: UInt = #line, column: UInt = #column
  ) async -> [Entry] {
    let location = CodeLocation(fileID: fileID, file: file, line: line, column: column)
    return check.entries(of: await self.check(check.counted(count.eventCount), since: mark, timeout, at: location))
  }

  /// Waits for an event equal to one: `verifier.wait(for: .init(name: "button_tapped", params: [.screen: "main_screen"]))`.
  ///
  /// - Returns: The event, or `nil` after failing the test at the line of the call. See <doc:Checks>.
  @discardableResult
  public func wait(
    for event: TrackingEvent, since mark: Mark? = nil, timeout: TimeInterval? = nil,
    isolation: isolated (any Actor)? = #isolation,
    fileID: StaticString = #fileID, file: StaticString = #filePath, line: UInt = #line, column: UInt = #column
  ) async -> TrackingEvent? {
    let location = CodeLocation(fileID: fileID, file: file, line: line, column: column)
    return await check(.one(.equal(to: event)), since: mark, timeout, at: location).match
  }

  // An existential: beside a generic typed event, the type checker tries a pattern's closure with every type that the event could have.

  /// Waits for a typed event equal to one: `verifier.wait(for: AddedToCart(product: "42", quantity: 2))`.
  ///
  /// - Returns: The event, or `nil` after failing the test at the line of the call. See <doc:Checks>.
  @discardableResult
  public func wait(
    for typedEvent: any TrackingSchema, since mark: Mark? = nil, timeout: TimeInterval? = nil,
    isolation: isolated (any Actor)? = #isolation,
    fileID: StaticString = #fileID, file: StaticString = #filePath, line: UInt = #line, column: UInt = #column
  ) async -> TrackingEvent? {
    let location = CodeLocation(fileID: fileID, file: file, line: line, column: column)
    return await check(.one(.equal(to: typedEvent)), since: mark, timeout, at: location).match
  }

  /// Runs a check and reports nothing, now or when the test ends: for helpers that report failures themselves.
  public func outcome<Value>(
    of check: TrackingCheck<Value>, since mark: Mark? = nil, timeout: TimeInterval? = nil,
    isolation: isolated (any Actor)? = #isolation,
    fileID: StaticString = #fileID, file: StaticString = #filePath, line: UInt = #line, column: UInt = #column
  ) async -> CheckOutcome {
    let location = CodeLocation(fileID: fileID, file: file, line: line, column: column)
    return await run(check.untyped, since: mark, timeout, at: location, isSilent: true).outcome
  }
}
