import Foundation
import TrackingModel
import TrackingPatterns

package struct RequestConditions: Hashable, Sendable {
  package var method: ReceivedRequest.Method?
  /// Whether an app has sent the method, so that it isn't a misspelling.
  package var hasSentMethod = false
  package var path: StubPath
  /// `http` or `https`, `nil` for both; used only by stubs in an app, since a verifier's server is reached by `http` only.
  package var scheme: String?
  /// The host without its port, in any case; `nil` for any.
  package var host: ValueMatcher?
  /// The URL's port, `nil` for any; used only by stubs in an app, since a verifier's server has one port.
  package var port: Int?
  package var parts: RequestParts
  package var predicate: RequestPredicate?

  init(
    method: ReceivedRequest.Method?, path: StubPath, host: ValueMatcher? = nil, parts: RequestParts = RequestParts([]),
    predicate: RequestPredicate? = nil
  ) {
    (self.method, self.path, self.host) = (method?.normalized, path, host)
    (self.parts, self.predicate) = (parts, predicate)
  }

  /// The conditions of exactly one URL; `nil` if the text isn't a URL with a host.
  init?(method: ReceivedRequest.Method?, url: String) {
    guard let components = URLComponents(string: url), let host = components.host, !host.isEmpty else { return nil }
    self.init(
      method: method, path: .template(StubPath.literal(components.percentEncodedPath)), host: .equal(to: host),
      parts: RequestParts([
        components.percentEncodedQuery.map { QueryCondition.exactItems(ReceivedFields($0)) } ?? .exact([:])
      ]))
    scheme = components.scheme?.lowercased()
    port = components.port ?? ReceivedRequest.defaultPort(ofScheme: scheme)
  }
}

extension RequestConditions {
  private var matchers: [ValueMatcher] { [host].compactMap(\.self) + parts.list.flatMap(\.matchers) }

  /// The reason why a condition can't match anything, such as an invalid regular expression; `nil` if all are usable.
  var invalidCondition: PatternProblem? { .all(of: matchers.map(\.invalidity)) }

  /// The kind of the first part with an empty name; `nil` if all have names.
  var namelessPart: String? {
    for part in parts.list {
      if let headers = part as? HeaderCondition, headers.fields.keys.contains("") { return "header field" }
      if let cookies = part as? CookieCondition, cookies.cookies.keys.contains("") { return "cookie" }
    }
    return nil
  }

  /// The first condition that may run code, a closure or a Swift `Regex`.
  var code: String? {
    if let predicate { return "its condition \"\(predicate.description)\" is a closure" }
    return matchers.lazy.compactMap(\.closure).first.map { "its condition \"\($0)\" is a closure or a Regex" }
  }

  /// Whether deciding needs the whole body; code may read any part.
  var needsBody: Bool { predicate != nil || parts.list.contains { $0.known == nil } }

  var specificity: Specificity {
    let named = [method != nil, scheme != nil, port != nil].count { $0 }
    return Specificity(conditions: named, singleValues: named)
      + [host].compactMap(\.self).map(Specificity.init).sum + parts.list.map(\.specificity).sum
      + Specificity(conditions: predicate == nil ? 0 : 1)
  }
}

extension RequestConditions: CustomStringConvertible {
  package var description: String {
    var text = "\(method.map { "\($0)" } ?? "*") \(origin)\(path)"
    for words in parts.list.compactMap(\.words) { text += " \(words)" }
    if let predicate { text += " where \(predicate.description)" }
    return text
  }

  /// The text before the path: empty, a host, or `https://api.example:8443`.
  private var origin: String {
    let host = host.map { $0.onlyText ?? "(\($0))" } ?? ""
    guard let scheme else { return port.map { "\(host):\($0)" } ?? host }
    let port = port == ReceivedRequest.defaultPort(ofScheme: scheme) ? "" : port.map { ":\($0)" } ?? ""
    return "\(scheme)://\(host)\(port)"
  }
}

extension ValueMatcher {
  /// The only accepted text, or in parentheses a description: `1`, `(a text that contains "a")`.
  var fieldText: String { onlyText ?? "(\(self))" }
}
