import Foundation
import TrackingChecks
import TrackingServer

// Waits for the effects of an action: the mark is taken before the action, so that earlier entries don't match.
//
// The blocking ones are disfavored: otherwise, a synchronous action would select them in an asynchronous test, too.

extension TrackingVerifier {
  /// Runs an action, and checks what has arrived since it began.
  ///
  /// ```swift
  /// verifier.expect(.named("cart_shown")) { app.buttons["cart"].tap() }
  /// verifier.expect(.equal(to: AddedToCart(productID: "42", quantity: 1))) { app.buttons["add"].tap() }
  /// ```
  ///
  /// The action runs once, before the wait, on the calling thread. If it throws, there is no wait, and a warning lists the received
  /// entries. The timeout begins at the end of the action; by default, it is the configuration's.
  ///
  /// - Returns: The result of `wait(for:since:timeout:)`.
  @available(*, noasync, message: "blocks its thread; write `await`")
  @_disfavoredOverload
  @discardableResult
  public func expect<Value>(
    _ check: TrackingCheck<Value>, timeout: TimeInterval? = nil,
    fileID: StaticString = #fileID, file: StaticString = #filePath, line: UInt = #line, column: UInt = #column,
    from action: () throws -> Void
  ) rethrows -> Value {
    let location = CodeLocation(fileID: fileID, file: file, line: line, column: column)
    let mark = try mark(before: action, for: check.untyped, at: location)
    return check.value(of: self.check(check.untyped, since: mark, timeout, at: location))
  }

  /// Runs an action, and waits for a number of events or requests since it began.
  ///
  /// ```swift
  /// verifier.expect(.named("order_placed"), count: 1) { app.buttons["buy"].tap() }
  /// ```
  ///
  /// The action runs once, before the wait, on the calling thread. If it throws, there is no wait, and a warning lists the received
  /// entries. The timeout begins at the end of the action; by default, it is the configuration's.
  ///
  /// - Returns: The received events or requests, even after a failure.
  @available(*, noasync, message: "blocks its thread; write `await`")
  @_disfavoredOverload
  @discardableResult
  public func expect<Entry>(
    _ check: TrackingCheck<Entry?>, count: some EventCountConvertible, timeout: TimeInterval? = nil,
    fileID: StaticString = #fileID, file: StaticString = #filePath, line: UInt = #line, column: UInt = #column,
    from action: () throws -> Void
  ) rethrows -> [Entry] {
    let location = CodeLocation(fileID: fileID, file: file, line: line, column: column)
    let counted = check.counted(count.eventCount)
    let mark = try mark(before: action, for: counted, at: location)
    return check.entries(of: self.check(counted, since: mark, timeout, at: location))
  }

  /// Runs an action, and checks what has arrived since it began: `await verifier.expect(.named("cart_shown")) { await model.openCart() }`.
  ///
  /// The action runs once, before the wait, on the caller's actor. If it throws, there is no wait, and a warning lists the received
  /// entries. The timeout begins at the end of the action; by default, it is the configuration's.
  ///
  /// - Returns: The result of `wait(for:since:timeout:)`.
  @discardableResult
  public func expect<Value>(
    _ check: TrackingCheck<Value>, timeout: TimeInterval? = nil, isolation: isolated (any Actor)? = #isolation,
    fileID: StaticString = #fileID, file: StaticString = #filePath, line: UInt = #line, column: UInt = #column,
    from action: () async throws -> Void
  ) async rethrows -> Value {
    let location = CodeLocation(fileID: fileID, file: file, line: line, column: column)
    let mark = try await mark(before: action, for: check.untyped, at: location)
    return check.value(of: await self.check(check.untyped, since: mark, timeout, at: location))
  }

  /// Runs an action, and waits for a number of events or requests since it began:
  /// `await verifier.expect(.named("order_placed"), count: 1) { await model.buy() }`.
  ///
  /// The action runs once, before the wait, on the caller's actor. If it throws, there is no wait, and a warning lists the received
  /// entries. The timeout begins at the end of the action; by default, it is the configuration's.
  ///
  /// - Returns: The received events or requests, even after a failure.
  @discardableResult
  public func expect<Entry>(
    _ check: TrackingCheck<Entry?>, count: some EventCountConvertible, timeout: TimeInterval? = nil,
    isolation: isolated (any Actor)? = #isolation,
    fileID: StaticString = #fileID, file: StaticString = #filePath, line: UInt = #line, column: UInt = #column,
    from action: () async throws -> Void
  ) async rethrows -> [Entry] {
    let location = CodeLocation(fileID: fileID, file: file, line: line, column: column)
    let counted = check.counted(count.eventCount)
    let mark = try await mark(before: action, for: counted, at: location)
    return check.entries(of: await self.check(counted, since: mark, timeout, at: location))
  }

  /// Runs an action, and returns a mark taken before it.
  func mark(
    before action: () throws -> Void, for check: TrackingCheck<CheckOutcome>, at location: CodeLocation
  ) rethrows -> Mark {
    let mark = mark()
    do { try action() } catch {
      warn(of: error, before: check, since: mark, at: location)
      throw error
    }
    return mark
  }

  func mark(
    before action: () async throws -> Void, for check: TrackingCheck<CheckOutcome>, at location: CodeLocation,
    isolation: isolated (any Actor)? = #isolation
  ) async rethrows -> Mark {
    let mark = mark()
    do { try await action() } catch {
      warn(of: error, before: check, since: mark, at: location)
      throw error
    }
    return mark
  }

  /// Adds a warning with the entries received when an action threw, so that its check didn't run; the test reports the error.
  private func warn(
    of error: any Error, before check: TrackingCheck<CheckOutcome>, since mark: Mark, at location: CodeLocation
  ) {
    guard let call = try? call(check, since: mark, nil, at: location, isSilent: true) else { return }
    let scale = Timescale.until(.now, since: journal.entries(since: call.origin))
    reporter.warn(report(on: call, .actionThrew("\(error)"), asOf: scale), at: location)
  }
}
