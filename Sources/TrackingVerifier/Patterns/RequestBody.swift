import Foundation
import StubModel
import TrackingModel
import TrackingPatterns

/// A request pattern's condition on a body: a stub's condition, or matchers for the values of JSON.
///
/// ```swift
/// .request(.post, "/orders", body: .jsonSubset(["product": 42]))
/// .request(.post, "/orders", body: .json(["product": .greater(than: 3), "note": .any]))
/// .request(.post, "/orders", body: .json(.object(["product": .greater(than: 3)])))       // among other members
/// ```
public struct RequestBody: Sendable {
  /// The stub's condition.
  let condition: BodyCondition
  private let matcher: ValueMatcher?

  private init(_ condition: BodyCondition, _ matcher: ValueMatcher? = nil) {
    self.condition = condition
    self.matcher = matcher
  }

  /// Any body, or none.
  public static let ignored = RequestBody(.ignored)

  /// The same condition as a stub's.
  public static func matching(_ condition: BodyCondition) -> RequestBody { RequestBody(condition) }

  /// These bytes.
  public static func exact(_ body: Data) -> RequestBody { RequestBody(.exact(body)) }

  /// This text in UTF-8.
  public static func text(_ text: String) -> RequestBody { RequestBody(.text(text)) }

  /// JSON that a matcher accepts; a literal of an object asks for exactly its members.
  public static func json(_ matcher: ValueMatcher) -> RequestBody { RequestBody(.ignored, matcher) }

  /// JSON with at least these members, at every level; arrays must be equal in length.
  public static func jsonSubset(_ value: TrackingValue) -> RequestBody { RequestBody(.jsonSubset(value)) }

  /// These form fields and no others, in any order.
  public static func form(_ fields: [String: String]) -> RequestBody { RequestBody(.form(fields)) }

  /// These form fields among others.
  public static func formSubset(_ fields: [String: String]) -> RequestBody { RequestBody(.formSubset(fields)) }
}

extension RequestBody {
  var isIgnored: Bool { condition == .ignored && matcher == nil }
  var problem: String? { pattern?.problem }
  /// The matcher in words that continue a path.
  var words: String { matcher.map { " with the body \($0)" } ?? "" }

  /// The matcher as a pattern for an event whose only param is the body, so that bodies are matched and explained as params are.
  private var pattern: EventPattern? { matcher.map { .params(["body": $0]) } }

  func matches(_ request: StubRequest) -> Bool {
    guard let pattern else { return true }
    return event(of: request).map { pattern.mismatch(of: $0) == nil } ?? false
  }

  func differences(of request: StubRequest) -> [RequestDifference] {
    guard let pattern else { return [] }
    guard let event = event(of: request) else {
      let body = request.body.isEmpty ? "is empty" : "is not valid JSON"
      return [RequestDifference(text: "the body \(body)", weight: 0.4)]
    }
    guard let mismatch = pattern.mismatch(of: event) else { return [] }
    // The first line is the name of the event.
    let lines = EventDiff.lines(for: event, mismatch).dropFirst()
    return lines.enumerated().map { RequestDifference(text: $1, weight: $0 == 0 ? 0.3 : 0) }
  }

  private func event(of request: StubRequest) -> TrackingEvent? {
    guard case .success(let value) = JSONBody(of: request).value else { return nil }
    return TrackingEvent(name: "request", params: ["body": value])
  }
}
