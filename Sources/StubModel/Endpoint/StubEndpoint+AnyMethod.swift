extension StubEndpoint {
  /// A stub for any method, with one answer: `StubEndpoint("/1.0/books", .status(503))`.
  public init(
    _ path: StubPath, host: String? = nil, query: QueryCondition = .ignored, headers: [String: String] = [:],
    body: BodyCondition = .ignored, _ result: StubResult, times: Times = .always, name: String? = nil
  ) {
    self.init(nil, path, host: host, query: query, headers: headers, body: body, [result], times: times, name: name)
  }

  /// A stub for any method, with several answers: each is given once, the last one from then on.
  public init(
    _ path: StubPath, host: String? = nil, query: QueryCondition = .ignored, headers: [String: String] = [:],
    body: BodyCondition = .ignored, _ results: [StubResult], times: Times = .always, name: String? = nil
  ) {
    self.init(nil, path, host: host, query: query, headers: headers, body: body, results, times: times, name: name)
  }
}
