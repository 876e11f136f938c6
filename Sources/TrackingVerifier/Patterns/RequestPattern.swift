import StubModel
import TrackingPatterns
import TrackingServer

/// A condition on requests: on their parts, as for a stub, and on their answers.
///
/// ```swift
/// verifier.wait(for: .request(.post, "/orders", body: .json(["product": .greater(than: 3)])))
/// verifier.wait(for: .request(.get, "/books/:id").answered(200), count: 2)
/// ```
///
/// Submissions of events that were accepted are not requests. A request matches when its head and body have arrived; a pattern that asks for the
/// answer matches when the answer is known. Patterns combine with ``and(_:)``, ``or(_:)`` and ``not()``.
public struct RequestPattern: Sendable {
  indirect enum Condition: Sendable {
    case parts(StubMatcher, RequestBody)
    /// A request that can't exist.
    case impossible(String)
    case answered(ClosedRange<Int>?)
    case both(Condition, Condition)
    case either(Condition, Condition)
    case not(Condition)
  }

  let condition: Condition
  /// Why no request can match; `nil` if one can. A combination has the problems of its parts.
  let problem: String?

  /// Requests with these parts.
  ///
  /// - Parameters:
  ///   - method: The method; `.any` for all.
  ///   - path: The path of a stub: literal, with `:param`, with `*`, or a regular expression.
  ///   - query: The condition on the query, as in a stub.
  ///   - headers: Fields that must have these values.
  ///   - body: The condition on the body: a stub's condition, or matchers for the values of JSON.
  public static func request(
    _ method: StubEndpoint.Method?, _ path: some StubPathConvertible, query: QueryCondition = .ignored,
    headers: [String: ValueMatcher] = [:], body: RequestBody = .ignored
  ) -> RequestPattern {
    let endpoint = StubEndpoint(method, path, query: query, headers: headers, body: body.condition, [])
    do throws(StubError) {
      return RequestPattern(condition: .parts(try StubMatcher(endpoint), body), problem: body.problem)
    } catch {
      return RequestPattern(condition: .impossible("the request \(endpoint)"), problem: "\(error)")
    }
  }

  /// The same requests, answered with this status; without a status, with any answer, even one that a fault cut off.
  public func answered(_ status: Int? = nil) -> RequestPattern {
    and(RequestPattern(condition: .answered(status.map { $0...$0 }), problem: nil))
  }

  /// The same requests with an answer of one of these statuses: `.answered(in: 500...599)`.
  public func answered(in statuses: ClosedRange<Int>) -> RequestPattern {
    and(RequestPattern(condition: .answered(statuses), problem: nil))
  }

  /// Requests that match this pattern and the other.
  public func and(_ other: RequestPattern) -> RequestPattern {
    RequestPattern(condition: .both(condition, other.condition), problem: problem ?? other.problem)
  }

  /// Requests that match this pattern, the other, or both.
  public func or(_ other: RequestPattern) -> RequestPattern {
    RequestPattern(condition: .either(condition, other.condition), problem: problem ?? other.problem)
  }

  /// Requests that do not match this pattern.
  public func not() -> RequestPattern {
    RequestPattern(condition: .not(condition), problem: problem)
  }
}

extension StubEndpoint.Method? {
  /// Any method: `.request(.any, "/ads/*")`.
  public static var any: StubEndpoint.Method? { nil }
}

extension RequestPattern: CustomStringConvertible {
  /// What is asked for, in words that continue "waited for".
  public var description: String { "\(condition)" }
}

// MARK: - Matching

/// One way in which a request differs from a pattern.
struct RequestDifference {
  let text: String
  /// How far it is from matching: above 0, and 1 for an entirely different part.
  let weight: Double
}

extension RequestPattern {
  func matches(_ request: RecordedRequest) -> Bool { problem == nil && condition.matches(request) }

  /// All ways in which a request differs; empty when it matches.
  func differences(of request: RecordedRequest) -> [RequestDifference] { condition.differences(of: request) }

  /// Whether an answer can make a request match, or stop matching.
  var asksForAnswer: Bool { condition.asksForAnswer }

  /// Whether accepted submissions of events look as if they would match.
  var mayMeanSubmissions: Bool { condition.matches(head: StubRequest(method: "POST", path: "/")) }
}

extension RequestPattern.Condition {
  fileprivate func matches(_ request: RecordedRequest) -> Bool {
    switch self {
    case .parts(let matcher, let body):
      matcher.matchesHead(of: request.request) && (body.isIgnored || request.hasWholeBody)
        && matcher.match(request.request) != nil && body.matches(request.request)
    case .impossible: false
    case .answered(nil): request.isAnswered
    case .answered(let statuses?): request.status.map(statuses.contains) ?? false
    case .both(let left, let right): left.matches(request) && right.matches(request)
    case .either(let left, let right): left.matches(request) || right.matches(request)
    case .not(let condition): !condition.matches(request)
    }
  }

  fileprivate func differences(of request: RecordedRequest) -> [RequestDifference] {
    switch self {
    case .parts(let matcher, let body):
      guard body.isIgnored || request.hasWholeBody else {
        let kept = "\(request.request.body.count) of the body's \(request.bodySize) bytes were kept"
        return [RequestDifference(text: "\(kept): raise limits.recordedBodyBytes or journalBodyBytes", weight: 0.1)]
      }
      return matcher.differences(of: request.request).map { RequestDifference(text: $0.text, weight: $0.weight) }
        + body.differences(of: request.request)
    case .impossible(let words): return [RequestDifference(text: words, weight: 1)]
    case .answered(let statuses):
      guard !matches(request) else { return [] }
      let found =
        request.isAnswered
        ? request.status.map { "the status is \($0)" } ?? "it got no answer" : "it is not answered yet"
      return [RequestDifference(text: "\(found)\(statuses.map { ", not \(Self.words($0))" } ?? "")", weight: 0.1)]
    case .both(let left, let right): return left.differences(of: request) + right.differences(of: request)
    case .either(let left, let right):
      let (first, second) = (left.differences(of: request), right.differences(of: request))
      return first.weight <= second.weight ? first : second
    case .not(let condition):
      return matches(request) ? [] : [RequestDifference(text: "it is \(condition)", weight: 0.4)]
    }
  }

  fileprivate func matches(head: StubRequest) -> Bool {
    switch self {
    case .parts(let matcher, _): matcher.matchesHead(of: head)
    case .impossible, .not, .answered: false
    case .both(let left, let right), .either(let left, let right): left.matches(head: head) || right.matches(head: head)
    }
  }

  fileprivate var asksForAnswer: Bool {
    switch self {
    case .parts, .impossible: false
    case .answered: true
    case .both(let left, let right), .either(let left, let right): left.asksForAnswer || right.asksForAnswer
    case .not(let condition): condition.asksForAnswer
    }
  }

  fileprivate static func words(_ statuses: ClosedRange<Int>) -> String {
    statuses.count == 1 ? "\(statuses.lowerBound)" : "\(statuses.lowerBound) to \(statuses.upperBound)"
  }
}

extension RequestPattern.Condition: CustomStringConvertible {
  var description: String {
    switch self {
    case .parts(let matcher, let body): "the request \(matcher.endpoint)\(body.words)"
    case .impossible(let words): words
    case .answered(nil): "answered"
    case .answered(let statuses?): "answered \(Self.words(statuses))"
    case .both(let left, .answered(let statuses)): "\(left) \(RequestPattern.Condition.answered(statuses))"
    case .both(let left, let right): "\(left) and \(right)"
    case .either(let left, let right): "\(left) or \(right)"
    case .not(.parts(let matcher, let body)): "a request other than \(matcher.endpoint)\(body.words)"
    case .not(let condition): "a request that is not (\(condition))"
    }
  }
}

extension [RequestDifference] {
  /// How far a request is from matching.
  var weight: Double { reduce(0) { $0 + $1.weight } }
}

extension RecordedRequest {
  fileprivate var hasWholeBody: Bool { request.body.count == bodySize }
}
