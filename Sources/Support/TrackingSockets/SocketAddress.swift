import Foundation

/// One of the two loopback addresses, with a port.
package struct SocketAddress: Hashable, Sendable {
  package enum Host: Hashable, Sendable {
    /// `::1`
    case ipv6
    /// `127.0.0.1`
    case ipv4
  }

  package var host: Host
  package var port: UInt16

  package init(_ host: Host, port: UInt16) {
    self.host = host
    self.port = port
  }

  /// The loopback addresses of a URL's host, in the order in which to try them; empty for other hosts.
  package static func named(_ host: String, port: UInt16) -> [SocketAddress] {
    switch host.lowercased() {
    case "::1", "[::1]": [SocketAddress(.ipv6, port: port)]
    case "127.0.0.1": [SocketAddress(.ipv4, port: port)]
    case "localhost": [SocketAddress(.ipv6, port: port), SocketAddress(.ipv4, port: port)]
    default: []
    }
  }
}

extension SocketAddress: CustomStringConvertible {
  /// As in a URL: `[::1]:8080`, `127.0.0.1:8080`.
  package var description: String {
    switch host {
    case .ipv6: "[::1]:\(port)"
    case .ipv4: "127.0.0.1:\(port)"
    }
  }
}

extension SocketAddress {
  func withSystemAddress(_ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32) -> Int32 {
    switch host {
    case .ipv6:
      var address = ipv6
      address.sin6_port = port.bigEndian
      address.sin6_addr = in6addr_loopback
      return Self.withPointer(to: &address, body)
    case .ipv4:
      var address = ipv4
      address.sin_port = port.bigEndian
      address.sin_addr.s_addr = in_addr_t(0x7F00_0001).bigEndian
      return Self.withPointer(to: &address, body)
    }
  }

  private static func withPointer<Address>(
    to address: inout Address, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32
  ) -> Int32 {
    withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0, socklen_t(MemoryLayout<Address>.size)) }
    }
  }
}
