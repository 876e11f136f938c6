import Foundation
import TrackingModel
import TrackingPatterns
import TrackingChecks
import TrackingServer

// The suspending waits: any number of tests may wait on a few threads. A wait ends at once when its task is cancelled, and closures run on the
// caller's actor. <doc:Checks> describes all waits.

extension TrackingVerifier {
  /// Runs a check: `verifier.wait(for: .named("button_tapped"))`, `verifier.wait(for: .inOrder([.request(.post, "/orders"),
  /// .named("order_placed")]))`.
  ///
  /// - Returns: The event or request, or `nil` after failing the test at the line of the call; or a ``CheckOutcome``. A request includes its response
  ///   unless a stub's closure creates it; in that case, wait for ``TrackingCheck/responded(_:)``. See <doc:Checks>.
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
  /// - Returns: The received events or requests, even after a failure. See <doc:Checks>.
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

  /// Waits for an event that equals another one: `verifier.wait(for: .init(name: "button_tapped", params: [.screen: "main_screen"]))`.
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

  // An existential: with a generic typed event, the type checker tries a pattern's closure with every possible event type.

  /// Waits for an event that equals a typed event: `verifier.wait(for: AddedToCart(product: "42", quantity: 2))`.
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

  /// Runs a check without reporting its failure, now or when the test ends: for helpers that report failures themselves.
  public func outcome<Value>(
    of check: TrackingCheck<Value>, since mark: Mark? = nil, timeout: TimeInterval? = nil,
    isolation: isolated (any Actor)? = #isolation,
    fileID: StaticString = #fileID, file: StaticString = #filePath, line: UInt = #line, column: UInt = #column
  ) async -> CheckOutcome {
    let location = CodeLocation(fileID: fileID, file: file, line: line, column: column)
    return await run(check.untyped, since: mark, timeout, at: location, isSilent: true).outcome
  }
}
