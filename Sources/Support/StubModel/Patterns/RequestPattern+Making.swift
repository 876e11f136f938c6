import TrackingPatterns

/// A type that can be created from a pattern of requests, and so can be written like one: `.request(.get, "/books")`.
public protocol ExpressibleByRequestPattern: Sendable {
  /// Creates a value for the requests that match a pattern.
  init(_ pattern: RequestPattern)
}

extension ExpressibleByRequestPattern {
  /// Matches requests that meet all of these conditions.
  ///
  /// An invalid condition, such as a path without a slash, fails the test where the pattern is used.
  ///
  /// - Parameters:
  ///   - method: The method; `.any` for all.
  ///   - path: The path: literal, with `:param`, with `*`, or a regular expression.
  ///   - host: The condition on the host, without its port and in any case.
  ///   - query: The condition on the query.
  ///   - headers: The conditions on header fields, by names in any case.
  ///   - cookies: The conditions on cookies.
  ///   - body: The condition on the body.
  ///   - predicate: A condition in code on the whole request.
  public static func request(
    _ method: ReceivedRequest.Method, _ path: StubPath, host: ValueMatcher? = nil,
    query: QueryCondition? = nil, headers: [String: ValueMatcher] = [:], cookies: [String: ValueMatcher] = [:],
    body: BodyCondition? = nil, where predicate: RequestPredicate? = nil
  ) -> Self {
    Self(
      RequestPattern(
        RequestConditions(
          path: path,
          parts: [
            method.onlyMethod.map { MethodCondition($0) }, HostCondition(host), query,
            HeaderCondition(fields: FieldMatchers(headers)), CookieCondition(cookies: FieldMatchers(cookies)), body,
            predicate,
          ])))
  }

  /// Unavailable: the path is a ``StubPath``.
  @available(*, unavailable, message: "a path in a variable is written .template(path), and a URL has the label url:")
  public static func request(_ method: ReceivedRequest.Method, _ path: String) -> Self {
    request(method, .template(path))
  }

  /// Matches requests for one URL: its scheme, host and port, its path, and exactly its query.
  ///
  /// ```swift
  /// StubEndpoint(.request(.get, url: "https://api.example/users?page=2"), .json(["posts": 5]))
  /// ```
  ///
  /// A verifier's server ignores scheme and port. A text that isn't a URL fails the test where the pattern is used.
  public static func request(_ method: ReceivedRequest.Method, url: String) -> Self {
    Self(RequestPattern(method.onlyMethod, url: url))
  }
}

extension RequestParts {
  /// The conditions that another process may encode, in the order of their description.
  static let types: [any RequestPart.Type] = [
    MethodCondition.self, HostCondition.self, QueryCondition.self, HeaderCondition.self, CookieCondition.self,
    BodyCondition.self,
  ]
}

extension RequestPattern: ExpressibleByRequestPattern {
  /// Creates a copy of a pattern.
  public init(_ pattern: RequestPattern) { self = pattern }
}
