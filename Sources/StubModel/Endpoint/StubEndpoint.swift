import Foundation

/// Which requests a stub answers, and what it answers: a value, shared by tests, scenarios and the app.
///
/// ```swift
/// StubEndpoint(.get, "/1.0/books/:id", .json(file: "book"))
/// StubEndpoint(.post, "/login", body: .jsonSubset(["user": "anna"]), .status(403))
/// StubEndpoint(.get, "/orders", [.status(503), .json(["orders": []])])        // one after the other; the last one stays
/// ```
///
/// Where several stubs fit a request, the path decides first: literal, then with `:param`, then with `*`, then a regular expression. Then
/// it is the stub with more constrained parts: literal segments of the path, method, host, and each query item, header and body that is
/// looked at. Then it is the latest. A `HEAD` request that no stub fits is answered by the stub for `GET`, without its body.
public struct StubEndpoint: Hashable, Codable, Sendable {
  /// The host that the request names, without its port, in letters of any case; `nil` for any.
  public var host: String?
  /// The method; `nil` for any.
  public var method: Method?
  /// The path.
  public var path: StubPath
  /// What is asked of the query.
  public var query: QueryCondition
  /// Header fields that must be there with these values; names in letters of any case.
  public var headers: [String: String]
  /// What is asked of the body.
  public var body: BodyCondition
  /// The answers, one after the other; the last one stays.
  public var results: [StubResult]
  /// How often the stub answers before it steps aside for others.
  public var times: Times
  /// What the stub is called in messages; without a name, its method and path are.
  public var name: String?

  /// A stub with one answer; the method is `nil` for any.
  public init(
    _ method: Method?, _ path: StubPath, host: String? = nil, query: QueryCondition = .ignored,
    headers: [String: String] = [:], body: BodyCondition = .ignored, _ result: StubResult, times: Times = .always,
    name: String? = nil
  ) {
    self.init(
      method, path, host: host, query: query, headers: headers, body: body, [result], times: times, name: name)
  }

  /// A stub with several answers, the method `nil` for any: each is given once, the last one from then on.
  public init(
    _ method: Method?, _ path: StubPath, host: String? = nil, query: QueryCondition = .ignored,
    headers: [String: String] = [:], body: BodyCondition = .ignored, _ results: [StubResult], times: Times = .always,
    name: String? = nil
  ) {
    self.host = host
    self.method = method
    self.path = path
    self.query = query
    self.headers = headers
    self.body = body
    self.results = results
    self.times = times
    self.name = name
  }
}

extension StubEndpoint {
  /// How often a stub answers.
  public enum Times: Hashable, Codable, Sendable {
    /// As often as it is asked.
    case always
    /// So many times; then the next stub that fits answers.
    ///
    /// Of two stubs that ask for the same, the latest answers: so install this one after the one that is to answer afterwards, or give one stub several results.
    case times(Int)

    /// One time; then the next stub that fits answers, as ``times(_:)`` says.
    public static let once = Times.times(1)
  }
}

extension StubEndpoint: CustomStringConvertible {
  /// What the stub is called in messages: its name, or `GET /books/:id` with what else it asks for.
  public var description: String {
    if let name { return name }
    var text = "\(method.map { "\($0)" } ?? "*") \(host ?? "")\(path)"
    if let words = query.words { text += " \(words)" }
    for (name, value) in headers.sorted(by: { $0.key < $1.key }) { text += " with \(name): \(value)" }
    if let words = body.words { text += " \(words)" }
    return text
  }
}
