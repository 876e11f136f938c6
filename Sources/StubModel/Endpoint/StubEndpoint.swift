import Foundation
import TrackingPatterns

/// Which requests a stub answers, and with what: a value, shared by tests, scenarios and the app.
///
/// ```swift
/// StubEndpoint(.get, "/1.0/books/:id", .json(file: "book"))
/// StubEndpoint(.get, "/search", query: ["q": .present], headers: ["Accept": .contains("json")], .json(["results": []]))
/// StubEndpoint(.post, "/login", body: .jsonSubset(["user": .hasPrefix("anna")]), .status(403))
/// StubEndpoint(.get, "/orders", [.status(503), .json(["orders": []])])        // one after the other; the last one repeats
/// StubEndpoint(.get, "/echo") { request in .text(request.query["text"] ?? "") }
/// ```
///
/// If several stubs match a request, the path decides first: literal, then with `:param`, then with `*`, then a regular expression. Next is
/// the stub with more conditions: literal segments of the path, method, scheme, host, port, predicate, body, and each query item, header
/// field and cookie. Next is the stub with more conditions that name one value. Last, it is the one that was installed later. A `HEAD` request that no
/// stub matches is answered by the stub for `GET`, without its body.
public struct StubEndpoint: Hashable, Codable, Sendable {
  /// `http` or `https`; `nil` for both.
  ///
  /// Only stubs in an app look at it: a verifier's server is reached by `http` alone.
  public var scheme: String?
  /// The host that the request names, without its port and in any case, for example `.hasSuffix(".example")`; `nil` for any.
  public var host: ValueMatcher?
  /// The port of the request's URL; `nil` for any.
  ///
  /// Only stubs in an app look at it: a verifier's server listens on a single port.
  public var port: Int?
  /// The method; `nil` for any.
  public var method: Method?
  /// The path.
  public var path: StubPath
  /// The condition on the query.
  public var query: QueryCondition
  /// The conditions on header fields, by names in any case.
  public var headers: [String: ValueMatcher]
  /// The conditions on cookies.
  public var cookies: [String: ValueMatcher]
  /// The condition on the body.
  public var body: BodyCondition
  /// A condition in code on the whole request; `nil` for none.
  public var predicate: RequestPredicate?
  /// The answers, one after the other; the last one repeats.
  public var results: [StubResult]
  /// The closure that answers in place of the results; `nil` for none.
  package var handler: StubHandler?
  /// How often the stub answers before it lets other stubs answer.
  public var times: Times
  /// From which epoch on the stub answers; `nil` for always.
  ///
  /// A backend's answers depend on what was changed before. So stubs with an epoch count the `POST`, `PUT`, `PATCH` and `DELETE` requests that
  /// they have answered, and that number is the current epoch of the verifier or session that installed them. Of stubs with the same
  /// conditions, the one with the latest epoch that has begun answers.
  ///
  /// ```swift
  /// var cart = StubEndpoint(.get, "/cart", .json(["items": [42]]))
  /// cart.epoch = 1           // once something was changed
  /// ```
  public var epoch: Int?
  /// The stub's name in messages; without one, its conditions describe it.
  public var name: String?

  /// A stub with several answers: each is sent once, the last one from then on.
  ///
  /// A method of `nil` matches any.
  public init(
    _ method: Method?, _ path: some StubPathConvertible, host: ValueMatcher? = nil, query: QueryCondition = .ignored,
    headers: [String: ValueMatcher] = [:], cookies: [String: ValueMatcher] = [:], body: BodyCondition = .ignored,
    where predicate: RequestPredicate? = nil, _ results: [StubResult], times: Times = .always, name: String? = nil
  ) {
    self.host = host
    self.method = method
    self.path = path.stubPath
    self.query = query
    self.headers = headers
    self.cookies = cookies
    self.body = body
    self.predicate = predicate
    self.results = results
    self.times = times
    self.name = name
  }

  /// A stub with one answer.
  ///
  /// A method of `nil` matches any.
  public init(
    _ method: Method?, _ path: some StubPathConvertible, host: ValueMatcher? = nil, query: QueryCondition = .ignored,
    headers: [String: ValueMatcher] = [:], cookies: [String: ValueMatcher] = [:], body: BodyCondition = .ignored,
    where predicate: RequestPredicate? = nil, _ result: StubResult, times: Times = .always, name: String? = nil
  ) {
    self.init(
      method, path, host: host, query: query, headers: headers, cookies: cookies, body: body, where: predicate,
      [result], times: times, name: name)
  }

  /// A stub whose closure makes the answer from the request.
  ///
  /// A method of `nil` matches any. A closure that returns `nil` declines: the request goes to the next stub that matches. It may be called by several threads at a time.
  /// A stub with a closure can't be handed over to another process.
  public init(
    _ method: Method?, _ path: some StubPathConvertible, host: ValueMatcher? = nil, query: QueryCondition = .ignored,
    headers: [String: ValueMatcher] = [:], cookies: [String: ValueMatcher] = [:], body: BodyCondition = .ignored,
    where predicate: RequestPredicate? = nil, times: Times = .always, name: String? = nil,
    answer: @escaping @Sendable (HTTPRequest) throws -> StubResult?
  ) {
    self.init(
      method, path, host: host, query: query, headers: headers, cookies: cookies, body: body, where: predicate, [],
      times: times, name: name)
    handler = StubHandler(answer)
  }

  /// A stub for any method, with several answers: each is sent once, the last one from then on.
  public init(
    _ path: some StubPathConvertible, host: ValueMatcher? = nil, query: QueryCondition = .ignored,
    headers: [String: ValueMatcher] = [:], cookies: [String: ValueMatcher] = [:], body: BodyCondition = .ignored,
    where predicate: RequestPredicate? = nil, _ results: [StubResult], times: Times = .always, name: String? = nil
  ) {
    self.init(
      nil, path, host: host, query: query, headers: headers, cookies: cookies, body: body, where: predicate, results,
      times: times, name: name)
  }

  /// A stub for any method, with one answer: `StubEndpoint("/1.0/books", .status(503))`.
  public init(
    _ path: some StubPathConvertible, host: ValueMatcher? = nil, query: QueryCondition = .ignored,
    headers: [String: ValueMatcher] = [:], cookies: [String: ValueMatcher] = [:], body: BodyCondition = .ignored,
    where predicate: RequestPredicate? = nil, _ result: StubResult, times: Times = .always, name: String? = nil
  ) {
    self.init(
      nil, path, host: host, query: query, headers: headers, cookies: cookies, body: body, where: predicate, [result],
      times: times, name: name)
  }
}

// MARK: - By URL

extension StubEndpoint {
  /// A stub with one answer for one URL: its scheme, host and port, its path as it is, and exactly its query.
  ///
  /// ```swift
  /// StubEndpoint(.get, url: "https://api.example/users?page=2", .json(["posts": 5]))
  /// ```
  ///
  /// A verifier's server doesn't look at scheme and port. A text that isn't a URL is refused when the stub is installed.
  public init(_ method: Method?, url: String, _ result: StubResult, times: Times = .always, name: String? = nil) {
    self.init(method, url: url, [result], times: times, name: name)
  }

  /// A stub with several answers for one URL: each is sent once, the last one from then on.
  public init(_ method: Method?, url: String, _ results: [StubResult], times: Times = .always, name: String? = nil) {
    guard let components = URLComponents(string: url), let host = components.host, !host.isEmpty else {
      // No path begins like this, so installing it fails, with the text as it was written.
      self.init(method, url, results, times: times, name: name)
      return
    }
    let query = components.percentEncodedQuery.map { QueryCondition.exactItems(FormFields($0)) } ?? .exact([:])
    self.init(
      method, Self.literal(components.percentEncodedPath), host: .equal(to: host), query: query, results,
      times: times, name: name)
    scheme = components.scheme?.lowercased()
    port = components.port ?? HTTPRequest.defaultPort(ofScheme: scheme)
  }

  /// A path without params and wildcards.
  package static func literal(_ path: String) -> String {
    path.isEmpty ? "/" : path.replacing("/:", with: "/%3A").replacing("*", with: "%2A")
  }
}

// MARK: - Parts

extension StubEndpoint {
  /// How often a stub answers.
  public enum Times: Hashable, Codable, Sendable {
    /// Each time.
    case always
    /// This many times; then the next stub that matches answers.
    ///
    /// Of two stubs with the same conditions, the later one answers first. So install this one after the one that takes over, or give a
    /// single stub several results.
    case times(Int)

    /// Once; then the next stub that matches answers, see ``times(_:)``.
    public static let once = Times.times(1)
  }

  /// A request method (RFC 9110 9), for example `.get` or `"REPORT"`; methods are case-sensitive.
  public struct Method: RawRepresentable, Hashable, Codable, Sendable, ExpressibleByStringLiteral,
    CustomStringConvertible
  {
    /// The method as it appears in the request line.
    public var rawValue: String

    /// The method with this name.
    public init(rawValue: String) {
      self.rawValue = rawValue
    }

    /// The method with this name.
    public init(stringLiteral value: String) {
      rawValue = value
    }

    /// `GET`.
    public static let get: Method = "GET"
    /// `HEAD`, whose answer has no body.
    public static let head: Method = "HEAD"
    /// `POST`.
    public static let post: Method = "POST"
    /// `PUT`.
    public static let put: Method = "PUT"
    /// `PATCH` (RFC 5789).
    public static let patch: Method = "PATCH"
    /// `DELETE`.
    public static let delete: Method = "DELETE"
    /// `OPTIONS`.
    public static let options: Method = "OPTIONS"

    /// The method as it appears in the request line.
    public var description: String { rawValue }
  }
}

extension StubEndpoint: CustomStringConvertible {
  /// The stub's name, or `GET /books/:id` and its conditions.
  public var description: String {
    if let name { return name }
    var text = "\(method.map { "\($0)" } ?? "*") \(origin)\(path)"
    if let words = query.words { text += " \(words)" }
    for (name, value) in headers.sorted(by: { $0.key < $1.key }) { text += " with \(name): \(value.fieldText)" }
    for (name, value) in cookies.sorted(by: { $0.key < $1.key }) {
      text += " with the cookie \(name)=\(value.fieldText)"
    }
    if let words = body.words { text += " \(words)" }
    if let predicate { text += " where \(predicate)" }
    if let epoch, epoch > 0 { text += " after \(epoch == 1 ? "1 change" : "\(epoch) changes")" }
    return text
  }

  /// What comes before the path: nothing, a host, or `https://api.example:8443`.
  private var origin: String {
    let host = host.map { $0.onlyText ?? "(\($0))" } ?? ""
    guard let scheme else { return port.map { "\(host):\($0)" } ?? host }
    let port = port == HTTPRequest.defaultPort(ofScheme: scheme) ? "" : port.map { ":\($0)" } ?? ""
    return "\(scheme)://\(host)\(port)"
  }
}

extension ValueMatcher {
  /// The text that is accepted, or in parentheses what it must be like: `1`, `(a text that contains "a")`.
  var fieldText: String { onlyText ?? "(\(self))" }
}
