import TrackingModel

/// The origins whose pages may send requests, as browsers send them.
package struct AllowedOrigins: Sendable {
  private var exact: [String] = []
  /// Origins without their port, whose pages may have any.
  private var withAnyPort: [String] = []

  init(_ origins: [String]) {
    for origin in origins {
      let normalized = Self.normalized(origin) ?? origin
      if normalized.hasSuffix(":*") { withAnyPort.append(String(normalized.dropLast(2))) }
      // As it is, too, for clients that aren't browsers.
      exact += [normalized, origin]
    }
  }

  /// The schemes of URLs whose pages send no origin, or `null`.
  private static let opaque = ["about", "blob", "data", "file", "ftp", "javascript", "ws", "wss"]

  /// Returns an origin as browsers send it, with `:*` for any port; `nil` if they send none that could be meant.
  ///
  /// Browsers write scheme and host in lowercase, and leave out the scheme's usual port (URL Standard 4.5, HTML Standard 7.1.1).
  package static func normalized(_ text: String) -> String? {
    guard !text.isSameText(as: "null") else { return text }
    let form = /([A-Za-z][A-Za-z0-9+.-]*):\/\/([A-Za-z0-9._~-]+|\[[0-9A-Fa-f:.]+\])(?::([0-9]{1,5}|\*))?/
    guard text.utf8.allSatisfy({ $0 < 0x80 }), let parts = text.wholeMatch(of: form)?.output else { return nil }
    let (scheme, host) = (parts.1.lowercased(), parts.2.lowercased())
    guard !opaque.contains(scheme) else { return nil }
    guard let port = parts.3, port != "*" else { return "\(scheme)://\(host)\(parts.3.map { ":\($0)" } ?? "")" }
    guard let number = UInt16(port) else { return nil }
    return ["http": 80, "https": 443][scheme] == number ? "\(scheme)://\(host)" : "\(scheme)://\(host):\(number)"
  }

  func allows(_ origin: String) -> Bool {
    // By bytes: to Swift, a Kelvin sign is a K.
    exact.contains { $0.isSameText(as: origin) }
      || withAnyPort.contains { start in
        guard origin.utf8.starts(with: start.utf8) else { return false }
        let rest = origin.utf8.dropFirst(start.utf8.count)
        return rest.isEmpty || rest.first == UInt8(ascii: ":") && UInt16(String(rest.dropFirst()) ?? "") != nil
      }
  }

  /// Whether the page at a URL has an allowed origin.
  func allows(pageAt url: String) -> Bool {
    guard let scheme = url.range(of: "://") else { return false }
    return allows(String(url[..<scheme.upperBound] + url[scheme.upperBound...].prefix { !"/?#".contains($0) }))
  }
}
