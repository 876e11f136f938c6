import Foundation
import TrackingChecks
import TrackingServer

// A wait for what an action causes: it takes the mark before the action, so that nothing from before it matches.
//
// The blocking ones are disfavored, because an action that isn't asynchronous would choose them in an asynchronous test, too.

extension TrackingVerifier {
  /// Runs an action, and checks what has arrived since it began.
  ///
  /// ```swift
  /// verifier.expect(.named("cart_shown")) { app.buttons["cart"].tap() }
  /// verifier.expect(.equal(to: AddedToCart(productID: "42", quantity: 1))) { app.buttons["add"].tap() }
  /// ```
  ///
  /// - Parameters:
  ///   - timeout: Seconds from the end of the action; by default those of the configuration.
  ///   - action: Runs once, before the wait, on the thread of the call. If it throws, nothing is waited for, and a warning lists what has arrived.
  /// - Returns: The same as `wait(for:since:timeout:)`.
  @available(*, noasync, message: "blocks its thread; write `await`")
  @_disfavoredOverload
  @discardableResult
  public func expect<Value>(
    _ check: TrackingCheck<Value>, timeout: TimeInterval? = nil,
    fileID: StaticString = #fileID, file: StaticString = #filePath, line: UInt = #line, column: UInt = #column,
    from action: () throws -> Void
  ) rethrows -> Value {
    let location = CodeLocation(fileID: fileID, file: file, line: line, column: column)
    let result = ask(try asked(check.untyped, timeout, location, after: action))
    return check.answer(result.matched, result.failure)
  }

  /// Runs an action, and waits for a number of events or requests since it began.
  ///
  /// ```swift
  /// verifier.expect(.named("order_placed"), count: 1) { app.buttons["buy"].tap() }
  /// ```
  ///
  /// - Parameters:
  ///   - timeout: Seconds from the end of the action; by default those of the configuration.
  ///   - action: Runs once, before the wait, on the thread of the call. If it throws, nothing is waited for, and a warning lists what has arrived.
  /// - Returns: The events or requests that arrived, also after a failure.
  @available(*, noasync, message: "blocks its thread; write `await`")
  @_disfavoredOverload
  @discardableResult
  public func expect<Entry>(
    _ check: TrackingCheck<Entry?>, count: some EventCountConvertible, timeout: TimeInterval? = nil,
    fileID: StaticString = #fileID, file: StaticString = #filePath, line: UInt = #line, column: UInt = #column,
    from action: () throws -> Void
  ) rethrows -> [Entry] {
    let location = CodeLocation(fileID: fileID, file: file, line: line, column: column)
    let result = ask(try asked(check.counted(count.eventCount), timeout, location, after: action))
    return check.entries(result.matched)
  }

  /// Runs an action, and checks what has arrived since it began: `await verifier.expect(.named("cart_shown")) { await model.openCart() }`.
  ///
  /// - Parameters:
  ///   - timeout: Seconds from the end of the action; by default those of the configuration.
  ///   - action: Runs once, before the wait, on the caller's actor. If it throws, nothing is waited for, and a warning lists what has arrived.
  /// - Returns: The same as `wait(for:since:timeout:)`.
  @discardableResult
  public func expect<Value>(
    _ check: TrackingCheck<Value>, timeout: TimeInterval? = nil, isolation: isolated (any Actor)? = #isolation,
    fileID: StaticString = #fileID, file: StaticString = #filePath, line: UInt = #line, column: UInt = #column,
    from action: () async throws -> Void
  ) async rethrows -> Value {
    let location = CodeLocation(fileID: fileID, file: file, line: line, column: column)
    let result = await ask(try await asked(check.untyped, timeout, location, after: action))
    return check.answer(result.matched, result.failure)
  }

  /// Runs an action, and waits for a number of events or requests since it began:
  /// `await verifier.expect(.named("order_placed"), count: 1) { await model.buy() }`.
  ///
  /// - Parameters:
  ///   - timeout: Seconds from the end of the action; by default those of the configuration.
  ///   - action: Runs once, before the wait, on the caller's actor. If it throws, nothing is waited for, and a warning lists what has arrived.
  /// - Returns: The events or requests that arrived, also after a failure.
  @discardableResult
  public func expect<Entry>(
    _ check: TrackingCheck<Entry?>, count: some EventCountConvertible, timeout: TimeInterval? = nil,
    isolation: isolated (any Actor)? = #isolation,
    fileID: StaticString = #fileID, file: StaticString = #filePath, line: UInt = #line, column: UInt = #column,
    from action: () async throws -> Void
  ) async rethrows -> [Entry] {
    let location = CodeLocation(fileID: fileID, file: file, line: line, column: column)
    let result = await ask(try await asked(check.counted(count.eventCount), timeout, location, after: action))
    return check.entries(result.matched)
  }

  /// Runs an action, and returns the check of what has arrived since it began.
  func asked(
    _ check: TrackingCheck<CheckOutcome>, _ timeout: TimeInterval?, _ location: CodeLocation,
    after action: () throws -> Void
  ) rethrows -> ValidCheckCall {
    let mark = mark()
    do { try action() } catch {
      remark(on: error, of: check, since: mark, at: location)
      throw error
    }
    return asked(check, since: mark, timeout, location)
  }

  /// Runs an action, and returns the check of what has arrived since it began.
  func asked(
    _ check: TrackingCheck<CheckOutcome>, _ timeout: TimeInterval?, _ location: CodeLocation,
    isolation: isolated (any Actor)? = #isolation, after action: () async throws -> Void
  ) async rethrows -> ValidCheckCall {
    let mark = mark()
    do { try await action() } catch {
      remark(on: error, of: check, since: mark, at: location)
      throw error
    }
    return asked(check, since: mark, timeout, location)
  }

  /// Adds a warning that lists what has arrived when an action threw, so that its check was not made; the error is the test's to report.
  private func remark(
    on error: any Error, of check: TrackingCheck<CheckOutcome>, since mark: Mark, at location: CodeLocation
  ) {
    guard case .success(let asked) = asked(check, since: mark, nil, location, isSilent: true) else { return }
    let scale = Timescale.until(.now, since: journal.entries(since: asked.origin))
    reporter.warn(report(on: asked, asked: .afterThrowing("\(error)"), asOf: scale), at: location)
  }
}
