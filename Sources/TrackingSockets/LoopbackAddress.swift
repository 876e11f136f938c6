/// One of the two addresses of this machine that no other machine can reach, and a port on it.
package struct LoopbackAddress: Hashable, Sendable {
  package enum Family: Hashable, Sendable {
    /// `::1`
    case ipv6
    /// `127.0.0.1`
    case ipv4
  }

  package var family: Family
  package var port: UInt16

  package init(_ family: Family, port: UInt16) {
    self.family = family
    self.port = port
  }

  /// The addresses that a URL's host names, in the order in which to try them; none when it is not a loopback name.
  package static func named(_ host: String, port: UInt16) -> [LoopbackAddress] {
    switch host.lowercased() {
    case "::1", "[::1]": [LoopbackAddress(.ipv6, port: port)]
    case "127.0.0.1": [LoopbackAddress(.ipv4, port: port)]
    case "localhost": [LoopbackAddress(.ipv6, port: port), LoopbackAddress(.ipv4, port: port)]
    default: []
    }
  }
}

extension LoopbackAddress: CustomStringConvertible {
  /// The address as it stands in a URL: `[::1]:8080`, `127.0.0.1:8080`.
  package var description: String {
    switch family {
    case .ipv6: "[::1]:\(port)"
    case .ipv4: "127.0.0.1:\(port)"
    }
  }
}
