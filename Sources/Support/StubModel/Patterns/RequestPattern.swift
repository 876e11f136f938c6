import TrackingPatterns

/// A condition on requests: on their parts and, in waits, on their responses.
///
/// ```swift
/// verifier.stub(.request(.get, "/search", query: ["q": .present]), .json(["results": []]))
/// verifier.wait(for: .request(.post, "/orders", body: .jsonSubset(["product": .greater(than: 3)])))
/// verifier.wait(for: .request(.get, "/books/:id", headers: ["Accept": .contains("json")]), count: 2)
/// ```
///
/// Stubs and waits for requests use the same patterns. Combine patterns with ``and(_:)``, ``or(_:)`` and ``not()``. In a wait, a request matches
/// when its head and body have arrived; with `responded(_:)`, when the response is sent. Accepted submissions of events aren't requests.
public struct RequestPattern: Hashable, Sendable {
  package indirect enum Condition: Hashable, Codable, Sendable {
    case parts(RequestMatcher)
    case impossible(RequestConditions)
    case responded(ClosedRange<Int>?)
    case both(Condition, Condition)
    case either(Condition, Condition)
    case not(Condition)
  }

  package let condition: Condition
  /// The reason why no request can match, including the problems of a combination's parts; `nil` if one can.
  package let problem: StubError?

  private init(_ condition: Condition, problem: StubError?) {
    (self.condition, self.problem) = (condition, problem)
  }

  init(_ condition: Condition) {
    self.init(condition, problem: condition.problem)
  }

  package init(_ conditions: RequestConditions) {
    do throws(StubError) {
      self.init(.parts(try RequestMatcher(conditions)), problem: nil)
    } catch {
      self.init(.impossible(conditions), problem: error)
    }
  }

  /// Keeps the method as sent: neither changed to upper case nor refused as a misspelling.
  package func with(sentMethod method: ReceivedRequest.Method) -> RequestPattern {
    single.map { RequestPattern($0.with(sentMethod: method)) } ?? self
  }

  init(_ method: ReceivedRequest.Method?, url: String) {
    if let conditions = RequestConditions(method: method, url: url) {
      self.init(conditions)
    } else {
      self.init(
        .impossible(RequestConditions(path: .template(url), parts: [method.map { MethodCondition($0) }])),
        problem: .path(url, reason: "isn't a URL with a host, as https://api.example/users is"))
    }
  }

  /// Requires a response with one of these statuses, or any; for waits, where such a request is ordered by the time of its response.
  package func responding(in statuses: ClosedRange<Int>?) -> RequestPattern {
    let wrong = statuses.flatMap { [$0.lowerBound, $0.upperBound].first { !(100...599).contains($0) } }
    return and(RequestPattern(.responded(statuses), problem: wrong.map { .status($0) }))
  }

  /// Unavailable: for waits only.
  @available(
    *, unavailable,
    message:
      "a stub has no condition on its own response; for a variable of a wait, write the type EntryPattern or TrackingCheck"
  )
  public func responded(_ status: Int? = nil) -> RequestPattern { self }

  /// Returns a pattern for requests that match both patterns.
  ///
  /// Two methods, or two literal paths, can't both match: a stub or a check of such a pattern is refused.
  public func and(_ other: RequestPattern) -> RequestPattern {
    let both = Condition.both(condition, other.condition)
    return RequestPattern(both, problem: .all(of: [problem, other.problem]) ?? both.contradiction)
  }

  /// Returns a pattern for requests that match at least one of the two patterns.
  public func or(_ other: RequestPattern) -> RequestPattern {
    RequestPattern(.either(condition, other.condition), problem: .any(of: [problem, other.problem]))
  }

  /// Returns a pattern for requests that don't match.
  public func not() -> RequestPattern {
    RequestPattern(.not(condition), problem: problem?.ofNegation)
  }
}

extension RequestPattern.Condition {
  fileprivate var problem: StubError? {
    switch self {
    case .parts, .responded: nil
    case .impossible(let conditions): RequestPattern(conditions).problem
    case .both(let left, let right): .all(of: [left.problem, right.problem]) ?? contradiction
    case .either(let left, let right): .any(of: [left.problem, right.problem])
    case .not(let condition): condition.problem?.ofNegation
    }
  }
}

// MARK: - Description

extension RequestPattern: CustomStringConvertible {
  /// The conditions in words that continue "waited for".
  public var description: String { words.text }

  package var words: Headline { condition.words }

  /// The conditions in words that continue "the stub": `GET /books/:id and not * /* with page=2 in the query`.
  var stubWords: String { condition.stubWords(isOperand: false) }
}

extension RequestPattern.Condition {
  /// Alternatives in an operand need parentheses.
  fileprivate func stubWords(isOperand: Bool) -> String {
    switch self {
    case .parts(let matcher): return "\(matcher.conditions)"
    case .impossible(let conditions): return "\(conditions)"
    case .responded: return "\(self)"
    case .both(let left, let right):
      return "\(left.stubWords(isOperand: true)) and \(right.stubWords(isOperand: true))"
    case .either(let left, let right):
      let words = "\(left.stubWords(isOperand: false)) or \(right.stubWords(isOperand: false))"
      return isOperand ? "(\(words))" : words
    case .not(.parts(let matcher)): return "not \(matcher.conditions)"
    case .not(let condition): return "not (\(condition.stubWords(isOperand: false)))"
    }
  }
}

extension RequestPattern.Condition: CustomStringConvertible {
  package var description: String { words.text }

  fileprivate var words: Headline {
    switch self {
    case .parts(let matcher): "the request \(matcher.conditions.words)"
    case .impossible(let conditions): "the request \(conditions.words)"
    case .responded(nil): "responded"
    case .responded(let statuses?): "responded \(Self.words(statuses))"
    case .both(let left, .responded(let statuses)):
      "\(left.operand) \(RequestPattern.Condition.responded(statuses).words)"
    case .both(let left, let right): "\(left.operand) and \(right.operand)"
    case .either:
      "\(alternatives[0].words) or \(params: alternatives.dropFirst().map { Headline.Param($0.words.text, isWhole: true) }, separator: " or ")"
    case .not(.parts(let matcher)): "a request other than \(matcher.conditions.words)"
    case .not(let condition): "a request that is not (\(condition.words))"
    }
  }

  private var alternatives: [Self] {
    if case .either(let left, let right) = self { left.alternatives + right.alternatives } else { [self] }
  }

  /// Adds parentheses to alternatives, which would be ambiguous.
  private var operand: Headline {
    if case .either = self { "(\(words))" } else { words }
  }

  static func words(_ statuses: ClosedRange<Int>) -> String {
    statuses.lowerBound == statuses.upperBound
      ? "\(statuses.lowerBound)" : "\(statuses.lowerBound) to \(statuses.upperBound)"
  }
}
