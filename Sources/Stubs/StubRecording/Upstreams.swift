import Foundation

/// The backends of a recording, by the path or the host of their requests; requests are forwarded only to these.
struct Upstreams {
  /// The backends' origins by path or host.
  let byKey: [String: String]
  private let routes: [(pattern: RequestPattern, origin: String)]
  /// The host names by which requests choose a backend.
  let hosts: [String]

  init(_ urls: [String: String]) throws {
    guard !urls.isEmpty else { throw RecordingError("a recording needs the URL of a backend: upstream: url.") }
    byKey = try urls.mapValues(Self.origin)
    hosts = byKey.keys.filter { !$0.hasPrefix("/") }
    routes = try byKey.sorted { $0.key < $1.key }.map { key, origin in
      let pattern: RequestPattern =
        key.hasPrefix("/") ? .request(.any, .template(key)) : .request(.any, "/*", host: .equal(to: key))
      if let problem = pattern.problem { throw RecordingError("the upstream \"\(key)\" can't be used: \(problem).") }
      return (pattern, origin)
    }
    .sorted { $0.pattern.precedes($1.pattern) }
  }

  var origins: [String] { routes.map(\.origin) }

  func origin(for request: ReceivedRequest) -> String? {
    let parsed = ParsedRequest(request)
    return routes.first { $0.pattern.matches(parsed) }?.origin
  }

  /// Scheme, host and port.
  private static func origin(_ text: String) throws -> String {
    // The text is printed, and may have a password.
    let shown = SecretRedaction.standard.redacted(text)
    guard let url = URLComponents(string: text), let scheme = url.scheme?.lowercased(),
      ["http", "https"].contains(scheme),
      let host = url.host?.lowercased(), !host.isEmpty
    else { throw RecordingError("the upstream \(shown) isn't an http or https URL.") }
    // A URL with a port beyond 64 bits has none.
    let port = text.firstMatch(of: /^[^\/]*\/\/[^\/?#]*:([0-9]+)(?:[\/?#]|$)/).map { String($0.1) }
    guard port.map({ Int($0).map((1...65_535).contains) ?? false }) ?? true else {
      throw RecordingError("the port of the upstream \(shown) isn't 1 to 65535.")
    }
    guard url.path.isEmpty || url.path == "/", url.query == nil, url.user == nil else {
      throw RecordingError(
        "the upstream \(shown) is more than scheme, host and port: the app's own path and query are sent to it.")
    }
    return "\(scheme)://\(host)\(url.port.map { ":\($0)" } ?? "")"
  }
}
