import Foundation

extension StubEndpoint {
  /// A stub with one answer for one URL: its host, its path as it stands there, and exactly its query.
  ///
  /// ```swift
  /// StubEndpoint(.get, url: "https://api.example/users?page=2", .json(["posts": 5]))
  /// ```
  ///
  /// Scheme and port are not looked at. A text that is no URL is refused when the stub is installed.
  public init(_ method: Method?, url: String, _ result: StubResult, times: Times = .always, name: String? = nil) {
    self.init(method, url: url, [result], times: times, name: name)
  }

  /// A stub with several answers for one URL: each is given once, the last one from then on.
  public init(_ method: Method?, url: String, _ results: [StubResult], times: Times = .always, name: String? = nil) {
    guard let components = URLComponents(string: url), let host = components.host, !host.isEmpty else {
      // No path begins so, and the message says what was written.
      self.init(method, .template(url), results, times: times, name: name)
      return
    }
    let query = components.percentEncodedQuery.map { QueryCondition.exactItems(FormFields($0)) } ?? .exact([:])
    self.init(
      method, .template(Self.literal(components.percentEncodedPath)), host: host, query: query, results, times: times,
      name: name)
  }

  /// A path of which no segment is a param or a wildcard.
  private static func literal(_ path: String) -> String {
    path.isEmpty ? "/" : path.replacing("/:", with: "/%3A").replacing("*", with: "%2A")
  }
}
