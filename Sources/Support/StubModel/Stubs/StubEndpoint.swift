import TrackingPatterns

/// A stub: the requests that it matches, and its responses.
///
/// ```swift
/// StubEndpoint(.get, "/1.0/books/:id", .json(file: "book"))
/// StubEndpoint(.get, "/orders", [.status(503), .json(["orders": []])])        // one after the other; the last one repeats
/// StubEndpoint(.get, "/echo") { request in .text(request.query["text"] ?? "") }
/// StubEndpoint(.request(.get, "/search", query: ["q": .present], headers: ["Accept": .contains("json")]), .json(["results": []]))
/// StubEndpoint(.request(.post, "/login", body: .jsonSubset(["user": .hasPrefix("anna")])), .status(403))
/// ```
///
/// If several stubs match a request, the path decides first: literal, then with `:param`, then with `*`, then a regular expression. Next is the
/// number of conditions: literal segments of the path, method, scheme, host, port, predicate, body, and each query item, header field and cookie.
/// Next is the number of conditions that name one value. Last, the later stub wins. A `HEAD` request without a matching stub gets the response of
/// the stub for `GET`, without its body, and uses up none of the stub's responses.
public struct StubEndpoint: Hashable, Sendable {
  /// The part of a stub besides requests and responses; travels to another process unchanged.
  package struct Options: Hashable, Codable, Sendable {
    /// The number of requests after which other stubs respond; `nil` for no limit.
    package var times: Int?
    /// The epoch in which the stub begins to respond; `nil` for always.
    ///
    /// A backend's responses depend on earlier changes. So a recorded response to a `POST`, `PUT`, `PATCH` or `DELETE` request names the epoch that
    /// follows it, and the latest such epoch is current for the verifier or session that installed the stubs. Of stubs with the same conditions,
    /// the one with the latest begun epoch responds.
    package var epoch: Int?
    var name: String?
  }

  package var pattern: RequestPattern
  /// Sent one after the other; the last one repeats.
  package var results: [StubResponse]
  package var handler: StubHandler?
  package var options: Options
  /// The stub's name in messages; `nil` to use its conditions instead.
  public var name: String? {
    get { options.name }
    set { options.name = newValue }
  }

  /// Creates a stub with several responses: each is sent once, the last one from then on.
  ///
  /// After `times` requests, the next matching stub responds; `nil` means no limit. Of two stubs with the same conditions, the later one responds
  /// first, so install the stub with `times` last.
  public init(_ pattern: RequestPattern, _ results: [StubResponse], times: Int? = nil, name: String? = nil) {
    self.init(pattern, results, Options(times: times, name: name))
  }

  /// Creates a stub with one response.
  public init(_ pattern: RequestPattern, _ result: StubResponse, times: Int? = nil, name: String? = nil) {
    self.init(pattern, [result], times: times, name: name)
  }

  /// Creates a stub whose closure makes the response from the request.
  ///
  /// A closure that returns `nil` declines: the request goes to the next matching stub. Several threads may call the closure at once. A stub with a
  /// closure can't be passed to another process.
  public init(
    _ pattern: RequestPattern, times: Int? = nil, name: String? = nil,
    respond: @escaping @Sendable (ReceivedRequest) throws -> StubResponse?
  ) {
    self.init(pattern, [], Options(times: times, name: name), StubHandler(respond))
  }

  /// Creates a stub whose asynchronous closure makes the response from the request.
  package init(
    _ pattern: RequestPattern, times: Int? = nil, name: String? = nil, asyncRespond: @escaping StubHandler.AsyncClosure
  ) {
    self.init(pattern, [], Options(times: times, name: name), StubHandler(async: asyncRespond))
  }

  init(_ pattern: RequestPattern, _ results: [StubResponse], _ options: Options, _ handler: StubHandler? = nil) {
    (self.pattern, self.results, self.options, self.handler) = (pattern, results, options, handler)
  }
}

// MARK: - By method and path

extension StubEndpoint {
  /// Creates a stub with several responses for a method and a path: each is sent once, the last one from then on.
  public init(
    _ method: ReceivedRequest.Method, _ path: StubPath, _ results: [StubResponse], times: Int? = nil,
    name: String? = nil
  ) {
    self.init(.request(method, path), results, times: times, name: name)
  }

  /// Unavailable: a URL belongs to a pattern.
  @available(*, unavailable, message: "a URL belongs to a pattern: write StubEndpoint(.request(.get, url: ...), ...)")
  public init(
    _ method: ReceivedRequest.Method, url: String, _ result: StubResponse, times: Int? = nil, name: String? = nil
  ) { self.init(.request(method, url: url), [result], times: times, name: name) }

  /// Creates a stub with one response for a method and a path.
  public init(
    _ method: ReceivedRequest.Method, _ path: StubPath, _ result: StubResponse, times: Int? = nil,
    name: String? = nil
  ) {
    self.init(.request(method, path), [result], times: times, name: name)
  }

  /// Creates a stub for a method and a path, whose closure makes the response from the request, or declines with `nil`.
  public init(
    _ method: ReceivedRequest.Method, _ path: StubPath, times: Int? = nil, name: String? = nil,
    respond: @escaping @Sendable (ReceivedRequest) throws -> StubResponse?
  ) {
    self.init(.request(method, path), times: times, name: name, respond: respond)
  }
}

// MARK: - Parts

extension StubEndpoint {
  /// For example `/books/:id`; `nil` for a regular expression and for a combination of patterns.
  package var pathTemplate: String? {
    guard case .parts(let matcher) = pattern.condition, case .template(let text) = matcher.conditions.path.form else {
      return nil
    }
    return text
  }

  /// The part that can't be passed to another process, because it is code.
  package var code: String? {
    handler != nil ? "its response is a closure" : pattern.code
  }

  /// The stub without responses and code, which may retain a test; predicates are kept as words, and a closure as its identity.
  package var outline: StubEndpoint {
    var outline = self
    outline.results = []
    outline.handler = handler?.withoutCode
    guard pattern.code != nil else { return outline }
    outline.name = description
    outline.pattern = .request(pattern.single?.method ?? .any, pathTemplate.map(StubPath.template) ?? "/*")
    return outline
  }
}

extension StubEndpoint: CustomStringConvertible {
  /// The stub's name, or `GET /books/:id` and its other conditions.
  public var description: String {
    if let name { return name }
    guard let epoch = options.epoch, epoch > 0 else { return pattern.stubWords }
    return "\(pattern.stubWords) after \(epoch == 1 ? "1 change" : "\(epoch) changes")"
  }
}
