import Foundation
import TrackingModel
import TrackingPatterns

/// A condition on the address of a request.
struct HostCondition: RequestPart {
  static let name = "host"

  /// `http` or `https`, `nil` for both; used only by stubs in an app, since a verifier's server is reached by `http` only.
  let scheme: String?
  /// The host without its port, in any case; `nil` for any.
  let host: ValueMatcher?
  /// The URL's port, `nil` for any; used only by stubs in an app, since a verifier's server has one port.
  let port: Int?
  private let lowercased: ValueMatcher?

  init(scheme: String? = nil, _ host: ValueMatcher?, port: Int? = nil) {
    (self.scheme, self.host, self.port, lowercased) = (scheme, host, port, host?.lowercased)
  }

  var known: KnownPart { .line }
  var matchers: [ValueMatcher] { [host].compactMap(\.self) }

  var specificity: Specificity {
    let named = [scheme != nil, port != nil].count { $0 }
    return Specificity(conditions: named, singleValues: named) + matchers.map(Specificity.init).sum
  }

  /// The text before the path: a host, or `https://api.example:8443`; `nil` if the condition accepts everything.
  var words: String? {
    guard scheme != nil || host != nil || port != nil else { return nil }
    let host = host.map { $0.onlyText ?? "(\($0))" } ?? ""
    guard let scheme else { return port.map { "\(host):\($0)" } ?? host }
    let port = port == ReceivedRequest.defaultPort(ofScheme: scheme) ? "" : port.map { ":\($0)" } ?? ""
    return "\(scheme)://\(host)\(port)"
  }

  /// A host that can never match, because it has a scheme or a port; the colons of an IPv6 address belong to the host.
  var problem: StubError? {
    guard let text = host?.onlyText,
      text.isEmpty || text.contains("/") || text.count(where: { $0 == ":" }) == 1
    else { return nil }
    return .host(text)
  }

  func look(_ look: inout Look) {
    let request = look.parsed.request
    if let scheme, let found = request.scheme {
      look.add(scheme == found ? .met : .unmet, Look.Row("scheme", wanted: scheme, found: found, weight: 0.3))
    }
    if let host, let lowercased {
      look.add(
        lowercased.state(of: Self.spellings(ofHost: request.host), in: look, nil),
        Look.Row("host", wanted: host.onlyText ?? "\(host)", found: request.host ?? "not named", weight: 0.4))
    }
    if let port, let found = request.port {
      look.add(port == found ? .met : .unmet, Look.Row("port", wanted: "\(port)", found: "\(found)", weight: 0.3))
    }
  }

  /// An IPv6 address with and without the brackets of a URL; otherwise the host alone.
  private static func spellings(ofHost host: String?) -> [String] {
    guard let host else { return [] }
    guard host.utf8.contains(UInt8(ascii: ":")) else { return [host] }
    let address = host.trimmingCharacters(in: CharacterSet(charactersIn: "[]"))
    return [address, "[\(address)]"]
  }

  var form: TrackingValue {
    .object(
      ["scheme": scheme.map { .string($0) }, "host": host?.form, "port": port.map { .int($0) }].compactMapValues(\.self)
    )
  }

  static func read(_ form: TrackingValue) -> HostCondition? {
    guard case .object(let members) = form else { return nil }
    var (scheme, port): (String?, Int?)
    if case .string(let text)? = members["scheme"] { scheme = text }
    if case .int(let number)? = members["port"] { port = number }
    return HostCondition(scheme: scheme, members["host"].flatMap(ValueMatcher.read), port: port)
  }
}
