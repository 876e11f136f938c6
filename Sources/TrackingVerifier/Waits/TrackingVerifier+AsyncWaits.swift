import Foundation
import TrackingModel
import TrackingPatterns
import TrackingServer

// The waits of asynchronous tests, which suspend: any number of tests may wait on a few threads. A wait ends at once when its task is cancelled, and
// closures run on the caller's actor. <doc:AskingQuestions> describes all waits.

extension TrackingVerifier {
  /// Waits for an event equal to one: `verifier.wait(for: .init(name: "button_tapped", params: [.screen: "main_screen"]))`.
  ///
  /// - Returns: The event, or `nil` after the test has been failed, at the line of the call. See <doc:AskingQuestions>.
  @discardableResult
  public func wait(
    for event: TrackingEvent, since mark: Mark? = nil, timeout: TimeInterval? = nil,
    isolation: isolated (any Actor)? = #isolation,
    fileID: StaticString = #fileID, file: StaticString = #filePath, line: UInt = #line, column: UInt = #column
  ) async -> TrackingEvent? {
    let location = CodeLocation(fileID: fileID, file: file, line: line, column: column)
    return await ask(question(.one(.equal(to: event)), since: mark, timeout, location)).event
  }

  /// Waits for an event of a pattern: `verifier.wait(for: .named("button_tapped"))`.
  ///
  /// - Returns: The event, or `nil` after the test has been failed, at the line of the call. See <doc:AskingQuestions>.
  @discardableResult
  public func wait(
    for pattern: EventPattern, since mark: Mark? = nil, timeout: TimeInterval? = nil,
    isolation: isolated (any Actor)? = #isolation,
    fileID: StaticString = #fileID, file: StaticString = #filePath, line: UInt = #line, column: UInt = #column
  ) async -> TrackingEvent? {
    let location = CodeLocation(fileID: fileID, file: file, line: line, column: column)
    return await ask(question(.one(pattern.entryPattern), since: mark, timeout, location)).event
  }

  /// Waits for a number of events of a pattern: `verifier.wait(for: .named("button_tapped"), count: 2)`.
  ///
  /// - Returns: The events that arrived, also after a failure. See <doc:AskingQuestions>.
  @discardableResult
  public func wait(
    for pattern: EventPattern, count: some CountConvertible, since mark: Mark? = nil, timeout: TimeInterval? = nil,
    isolation: isolated (any Actor)? = #isolation,
    fileID: StaticString = #fileID, file: StaticString = #filePath, line: UInt = #line, column: UInt = #column
  ) async -> [TrackingEvent] {
    let location = CodeLocation(fileID: fileID, file: file, line: line, column: column)
    return await ask(question(.count(count, of: pattern), since: mark, timeout, location)).outcome.events
  }

  // Disfavored, so that the type checker does not try a pattern's closure with every type that could be `S`.

  /// Waits for a typed event equal to one: `verifier.wait(for: AddedToCart(product: "42", quantity: 2))`.
  ///
  /// - Returns: The typed event, or `nil` after the test has been failed, at the line of the call. See <doc:AskingQuestions>.
  @_disfavoredOverload
  @discardableResult
  public func wait<S: TrackingSchema>(
    for schema: S, since mark: Mark? = nil, timeout: TimeInterval? = nil,
    isolation: isolated (any Actor)? = #isolation,
    fileID: StaticString = #fileID, file: StaticString = #filePath, line: UInt = #line, column: UInt = #column
  ) async -> S? {
    let location = CodeLocation(fileID: fileID, file: file, line: line, column: column)
    return await ask(question(.one(.equal(to: schema)), since: mark, timeout, location)).event.map { _ in schema }
  }

  /// Waits for a typed event for which a condition holds: `verifier.wait(for: AddedToCart.self) { $0.quantity > 1 }`.
  ///
  /// The condition runs on the caller's actor.
  ///
  /// - Returns: The typed event, or `nil` after the test has been failed, at the line of the call. See <doc:AskingQuestions>.
  @discardableResult
  public func wait<S: TrackingSchema>(
    for type: S.Type, since mark: Mark? = nil, timeout: TimeInterval? = nil,
    isolation: isolated (any Actor)? = #isolation,
    fileID: StaticString = #fileID, file: StaticString = #filePath, line: UInt = #line, column: UInt = #column,
    where condition: (S) -> Bool = { _ in true }
  ) async -> S? {
    let location = CodeLocation(fileID: fileID, file: file, line: line, column: column)
    return await ask(question(type, since: mark, timeout, location), where: { S.meets(condition, $0) }).typed()
  }

  // The count is an `Int`: with a generic one, the type checker gives up on the closure of a `.satisfying` with a count in asynchronous code.

  /// Waits for a number of typed events equal to one: `verifier.wait(for: DriverRated(stars: 5), count: 2)`.
  ///
  /// - Returns: The typed events that arrived, also after a failure. See <doc:AskingQuestions>.
  @_disfavoredOverload
  @discardableResult
  public func wait<S: TrackingSchema>(
    for schema: S, count: Int, since mark: Mark? = nil, timeout: TimeInterval? = nil,
    isolation: isolated (any Actor)? = #isolation,
    fileID: StaticString = #fileID, file: StaticString = #filePath, line: UInt = #line, column: UInt = #column
  ) async -> [S] {
    let location = CodeLocation(fileID: fileID, file: file, line: line, column: column)
    return await ask(question(.count(count, of: .equal(to: schema)), since: mark, timeout, location)).allTyped()
  }

  /// Waits for a number of typed events: `verifier.wait(for: DriverRated.self, count: 1...2)`.
  ///
  /// - Returns: The typed events that arrived, also after a failure. See <doc:AskingQuestions>.
  @discardableResult
  public func wait<S: TrackingSchema>(
    for type: S.Type, count: some CountConvertible, since mark: Mark? = nil, timeout: TimeInterval? = nil,
    isolation: isolated (any Actor)? = #isolation,
    fileID: StaticString = #fileID, file: StaticString = #filePath, line: UInt = #line, column: UInt = #column
  ) async -> [S] {
    let location = CodeLocation(fileID: fileID, file: file, line: line, column: column)
    return await ask(question(.count(count, of: .typed(type)), since: mark, timeout, location)).allTyped()
  }

  /// Waits for a request of the app to its backend: `verifier.wait(for: .request(.get, "/books/:id"))`.
  ///
  /// - Returns: The request, or `nil` after the test has been failed, at the line of the call. It has its answer where that was decided at once; where
  ///   a stub's closure decides it, wait for `RequestPattern.answered(_:)`. See <doc:AskingQuestions>.
  @discardableResult
  public func wait(
    for pattern: RequestPattern, since mark: Mark? = nil, timeout: TimeInterval? = nil,
    isolation: isolated (any Actor)? = #isolation,
    fileID: StaticString = #fileID, file: StaticString = #filePath, line: UInt = #line, column: UInt = #column
  ) async -> RecordedRequest? {
    let location = CodeLocation(fileID: fileID, file: file, line: line, column: column)
    return await ask(question(.one(pattern.entryPattern), since: mark, timeout, location)).request
  }

  /// Waits for a number of requests of the app to its backend: `verifier.wait(for: .request(.get, "/books/:id"), count: 2)`.
  ///
  /// - Returns: The requests that arrived, also after a failure. See <doc:AskingQuestions>.
  @discardableResult
  public func wait(
    for pattern: RequestPattern, count: some CountConvertible, since mark: Mark? = nil, timeout: TimeInterval? = nil,
    isolation: isolated (any Actor)? = #isolation,
    fileID: StaticString = #fileID, file: StaticString = #filePath, line: UInt = #line, column: UInt = #column
  ) async -> [RecordedRequest] {
    let location = CodeLocation(fileID: fileID, file: file, line: line, column: column)
    return await ask(question(.count(count, of: pattern), since: mark, timeout, location)).outcome.requests
  }

  /// Asks a question: `verifier.wait(for: .inOrder([.request(.post, "/orders"), .named("order_placed")]))`.
  ///
  /// - Returns: The events and requests that answer it, or that break it after the test has been failed, at the line of the call.
  ///   See <doc:AskingQuestions>.
  @discardableResult
  public func wait(
    for verification: Verification, since mark: Mark? = nil, timeout: TimeInterval? = nil,
    isolation: isolated (any Actor)? = #isolation,
    fileID: StaticString = #fileID, file: StaticString = #filePath, line: UInt = #line, column: UInt = #column
  ) async -> Verification.Outcome {
    let location = CodeLocation(fileID: fileID, file: file, line: line, column: column)
    return await ask(question(verification, since: mark, timeout, location)).outcome
  }

  /// Asks a question and reports nothing, now or at the stop: for helpers that report in their own words.
  public func outcome(
    of verification: Verification, since mark: Mark? = nil, timeout: TimeInterval? = nil,
    isolation: isolated (any Actor)? = #isolation,
    fileID: StaticString = #fileID, file: StaticString = #filePath, line: UInt = #line, column: UInt = #column
  ) async -> Verification.Outcome {
    let location = CodeLocation(fileID: fileID, file: file, line: line, column: column)
    return await answer(question(verification, since: mark, timeout, location, isSilent: true)).outcome
  }

  /// Waits for the first event of a pattern that no earlier wait has matched: `verifier.next(.named("added_to_cart"))`.
  ///
  /// Two taps and two `next` need two events, where two `wait` are content with one.
  ///
  /// - Returns: The event, or `nil` after the test has been failed, at the line of the call. See <doc:AskingQuestions>.
  @discardableResult
  public func next(
    _ pattern: EventPattern, since mark: Mark? = nil, timeout: TimeInterval? = nil,
    isolation: isolated (any Actor)? = #isolation,
    fileID: StaticString = #fileID, file: StaticString = #filePath, line: UInt = #line, column: UInt = #column
  ) async -> TrackingEvent? {
    let location = CodeLocation(fileID: fileID, file: file, line: line, column: column)
    return await ask(question(.next(pattern.entryPattern), since: mark, timeout, location)).event
  }

  /// Waits for the first request of a pattern that no earlier wait has matched: `verifier.next(.request(.post, "/orders"))`.
  ///
  /// - Returns: The request, or `nil` after the test has been failed, at the line of the call. See <doc:AskingQuestions>.
  @discardableResult
  public func next(
    _ pattern: RequestPattern, since mark: Mark? = nil, timeout: TimeInterval? = nil,
    isolation: isolated (any Actor)? = #isolation,
    fileID: StaticString = #fileID, file: StaticString = #filePath, line: UInt = #line, column: UInt = #column
  ) async -> RecordedRequest? {
    let location = CodeLocation(fileID: fileID, file: file, line: line, column: column)
    return await ask(question(.next(pattern.entryPattern), since: mark, timeout, location)).request
  }

  /// Waits for the first typed event that no earlier wait has matched and for which a condition holds: `verifier.next(AddedToCart.self)`.
  ///
  /// - Returns: The typed event, or `nil` after the test has been failed, at the line of the call. See <doc:AskingQuestions>.
  @discardableResult
  public func next<S: TrackingSchema>(
    _ type: S.Type, since mark: Mark? = nil, timeout: TimeInterval? = nil,
    isolation: isolated (any Actor)? = #isolation,
    fileID: StaticString = #fileID, file: StaticString = #filePath, line: UInt = #line, column: UInt = #column,
    where condition: (S) -> Bool = { _ in true }
  ) async -> S? {
    let location = CodeLocation(fileID: fileID, file: file, line: line, column: column)
    let question = question(type, isNext: true, since: mark, timeout, location)
    return await ask(question, where: { S.meets(condition, $0) }).typed()
  }
}
