import StubModel
import TrackingPatterns
import TrackingServer

/// A condition on requests: on their parts, as for a stub, and on their answers.
///
/// ```swift
/// verifier.wait(for: .request(.post, "/orders", body: .json(["product": .greater(than: 3), "note": .any])))
/// verifier.wait(for: .request(.post, "/orders", body: .jsonSubset(["product": .greater(than: 3)])))
/// verifier.wait(for: .request(.get, "/books/:id", headers: ["Accept": .contains("json")]).answered(200), count: 2)
/// ```
///
/// Accepted submissions of events aren't requests. A request matches when its head and body have arrived; a pattern that asks for the answer
/// matches when the answer is known. Patterns combine with ``and(_:)``, ``or(_:)`` and ``not()``.
public struct RequestPattern: Sendable {
  indirect enum Condition: Sendable {
    case parts(StubMatcher)
    /// A request that can't be asked for.
    case impossible(String)
    case answered(ClosedRange<Int>?)
    case both(Condition, Condition)
    case either(Condition, Condition)
    case not(Condition)
  }

  let condition: Condition
  /// Why no request can match; `nil` if one can.
  ///
  /// A combination has the problems of its parts.
  let problem: String?

  /// Requests that meet these conditions, which are those of a stub.
  ///
  /// - Parameters:
  ///   - method: The method; `.any` for all.
  ///   - path: The path: literal, with `:param`, with `*`, or a regular expression.
  ///   - host: The condition on the host, without its port.
  ///   - query: The condition on the query.
  ///   - headers: The conditions on header fields, by names in any case.
  ///   - cookies: The conditions on cookies.
  ///   - body: The condition on the body.
  ///   - predicate: A condition in code on the whole request.
  public static func request(
    _ method: StubEndpoint.Method?, _ path: some StubPathConvertible, host: ValueMatcher? = nil,
    query: QueryCondition = .ignored, headers: [String: ValueMatcher] = [:], cookies: [String: ValueMatcher] = [:],
    body: BodyCondition = .ignored, where predicate: RequestPredicate? = nil
  ) -> RequestPattern {
    let endpoint = StubEndpoint(
      method, path, host: host, query: query, headers: headers, cookies: cookies, body: body, where: predicate, [])
    do throws(StubError) {
      return RequestPattern(condition: .parts(try StubMatcher(endpoint)), problem: nil)
    } catch {
      return RequestPattern(condition: .impossible("the request \(endpoint)"), problem: "\(error)")
    }
  }

  /// The same requests with an answer of this status; without one, with any answer, also one that a fault cut off.
  ///
  /// In an order it has the place of the moment at which the answer was sent.
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

  /// Requests that don't match this pattern.
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

extension RequestPattern {
  func matches(_ request: RecordedRequest) -> Bool { problem == nil && condition.matches(request) }

  /// The pattern and a request, part by part; without a difference when the request matches.
  func comparison(with request: RecordedRequest) -> StubComparison { condition.comparison(with: request) }

  /// Whether an answer can make a request match, or stop matching.
  var asksForAnswer: Bool { condition.asksForAnswer }

  /// Whether it is the answer that makes a request match, and not its arrival.
  func isAnswered(in request: RecordedRequest) -> Bool { condition.asksForAnswer && condition.isAnswered(in: request) }

  /// Whether accepted submissions of events look as if they would match.
  var mayMeanSubmissions: Bool { condition.matches(head: HTTPRequest(method: "POST", path: "/")) }
}

extension RequestPattern.Condition {
  /// Whether a request that matches does so since its answer was sent; of alternatives, the first one that matched decides.
  fileprivate func isAnswered(in request: RecordedRequest) -> Bool {
    switch self {
    case .parts, .impossible: false
    case .answered: true
    case .both(let left, let right): left.isAnswered(in: request) || right.isAnswered(in: request)
    case .either(let left, let right):
      [left, right].filter { $0.matches(request) }.allSatisfy { $0.isAnswered(in: request) }
    case .not(let condition): condition.asksForAnswer && request.isAnswered
    }
  }

  fileprivate func matches(_ request: RecordedRequest) -> Bool {
    switch self {
    case .parts(let matcher):
      matcher.matchesHead(of: request.request) && (request.hasWholeBody || !matcher.endpoint.looksAtBody)
        && matcher.match(request.request) != nil
    case .impossible: false
    case .answered(nil): request.isAnswered
    case .answered(let statuses?): request.status.map(statuses.contains) ?? false
    case .both(let left, let right): left.matches(request) && right.matches(request)
    case .either(let left, let right): left.matches(request) || right.matches(request)
    case .not(let condition): !condition.matches(request)
    }
  }

  fileprivate func comparison(with request: RecordedRequest) -> StubComparison {
    switch self {
    case .parts(let matcher):
      guard matcher.endpoint.looksAtBody, !request.hasWholeBody else {
        return matcher.comparison(with: request.request)
      }
      let kept = request.request.body.count
      let limit = kept == 0 ? "journalBodyBytes" : "recordedBodyBytes"
      return Self.single(
        "body", wanted: "all \(request.bodySize) bytes", found: "\(kept) were kept: raise limits.\(limit)", weight: 0.1)
    case .impossible(let words): return Self.single("request", wanted: words, found: "can't match", weight: 1)
    case .answered(let statuses):
      let found = request.isAnswered ? request.status.map { "\($0)" } ?? "no answer" : "not answered yet"
      let weight = matches(request) ? nil : 0.1
      return Self.single("status", wanted: statuses.map(Self.words) ?? "any", found: found, weight: weight)
    case .both(let left, let right): return left.comparison(with: request) + right.comparison(with: request)
    case .either(let left, let right):
      let (first, second) = (left.comparison(with: request), right.comparison(with: request))
      return first.weight <= second.weight ? first : second
    case .not(let condition):
      let isMatch = matches(request)
      return Self.single(
        "request", wanted: "not \(condition)", found: isMatch ? "another one" : "this one", weight: isMatch ? nil : 0.4)
    }
  }

  private static func single(_ label: String, wanted: String, found: String, weight: Double?) -> StubComparison {
    var comparison = StubComparison()
    comparison.add(label, wanted: wanted, found: found, weight: weight)
    return comparison
  }

  fileprivate func matches(head: HTTPRequest) -> Bool {
    switch self {
    case .parts(let matcher): matcher.matchesHead(of: head)
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
    case .parts(let matcher): "the request \(matcher.endpoint)"
    case .impossible(let words): words
    case .answered(nil): "answered"
    case .answered(let statuses?): "answered \(Self.words(statuses))"
    case .both(let left, .answered(let statuses)): "\(left) \(RequestPattern.Condition.answered(statuses))"
    case .both(let left, let right): "\(left) and \(right)"
    case .either(let left, let right): "\(left) or \(right)"
    case .not(.parts(let matcher)): "a request other than \(matcher.endpoint)"
    case .not(let condition): "a request that is not (\(condition))"
    }
  }
}

extension StubEndpoint {
  /// Whether the whole body is needed to decide; code may look at anything.
  fileprivate var looksAtBody: Bool { body != .ignored || predicate != nil }
}

extension RecordedRequest {
  fileprivate var hasWholeBody: Bool { request.body.count == bodySize }
}
