import Foundation
import TrackingModel
import TrackingPatterns

package struct RequestConditions: Hashable, Sendable {
  package var path: StubPath
  package var parts: RequestParts

  init(path: StubPath, parts: [(any RequestPart)?]) {
    (self.path, self.parts) = (path, RequestParts(parts))
  }

  /// The conditions of exactly one URL; `nil` if the text isn't a URL with a host.
  init?(method: ReceivedRequest.Method?, url: String) {
    guard let components = URLComponents(string: url), let host = components.host, !host.isEmpty else { return nil }
    let scheme = components.scheme?.lowercased()
    self.init(
      path: .template(StubPath.literal(components.percentEncodedPath)),
      parts: [
        method.map { MethodCondition($0) },
        HostCondition(
          scheme: scheme, .equal(to: host), port: components.port ?? ReceivedRequest.defaultPort(ofScheme: scheme)),
        components.percentEncodedQuery.map { QueryCondition.exactItems(ReceivedFields($0)) } ?? .exact([:]),
      ])
  }

  package var method: ReceivedRequest.Method? { parts.first(MethodCondition.self)?.method }

  /// The conditions for a method as an app has sent it: neither changed to upper case nor refused as a misspelling.
  func with(sentMethod method: ReceivedRequest.Method) -> RequestConditions {
    RequestConditions(
      path: path, parts: [MethodCondition(method, isSent: true)] + parts.list.filter { !($0 is MethodCondition) })
  }

  /// The first condition that may run code, a closure or a Swift `Regex`.
  var code: String? { parts.first(RequestPredicate.self)?.code ?? parts.list.lazy.compactMap(\.code).first }
}

extension RequestConditions: CustomStringConvertible {
  package var description: String {
    var text = "\(method.map { "\($0)" } ?? "*") \(parts.first(HostCondition.self)?.words ?? "")\(path)"
    for part in parts.list where !(part is MethodCondition || part is HostCondition) { text += " \(part.words ?? "")" }
    return text
  }
}

extension RequestConditions: Codable {
  private struct Coded: Codable {
    let path: StubPath.Form
    let parts: CodedForm<RequestParts>
  }

  package init(from decoder: any Decoder) throws {
    let coded = try Coded(from: decoder)
    (path, parts) = (StubPath(coded.path), coded.parts.value)
  }

  package func encode(to encoder: any Encoder) throws {
    try Coded(path: path.form, parts: CodedForm(parts)).encode(to: encoder)
  }
}

extension ValueMatcher {
  /// The only accepted text, or in parentheses a description: `1`, `(a text that contains "a")`.
  var fieldText: String { onlyText ?? "(\(self))" }
}
