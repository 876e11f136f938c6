import Foundation

/// The address of a socket: one of the two loopback addresses, or that of a machine that serves devices, with a port.
package struct SocketAddress: Hashable, Sendable {
  package enum Host: Hashable, Sendable {
    /// `::1`
    case ipv6
    /// `127.0.0.1`
    case ipv4
    /// The address of a machine that serves devices.
    case machine(IPv4Address)
  }

  package var host: Host
  package var port: UInt16

  package init(_ host: Host, port: UInt16) {
    self.host = host
    self.port = port
  }

  /// The addresses of a URL's host, in the order in which to try them; empty if it isn't a loopback name.
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
  /// The address as in a URL: `[::1]:8080`, `127.0.0.1:8080`.
  package var description: String {
    switch host {
    case .ipv6: "[::1]:\(port)"
    case .ipv4: "127.0.0.1:\(port)"
    case .machine(let address): "\(address):\(port)"
    }
  }
}

extension SocketAddress {
  /// Calls `body` with this address as a `sockaddr`.
  func withSystemAddress(_ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32) -> Int32 {
    switch host {
    case .ipv6:
      var address = ipv6
      address.sin6_port = port.bigEndian
      address.sin6_addr = in6addr_loopback
      return Self.withPointer(to: &address, body)
    case .ipv4: return withSystemAddress(of: .loopback, body)
    case .machine(let address): return withSystemAddress(of: address, body)
    }
  }

  private func withSystemAddress(
    of host: IPv4Address, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32
  ) -> Int32 {
    var address = ipv4
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = in_addr_t(host.bits).bigEndian
    return Self.withPointer(to: &address, body)
  }

  private static func withPointer<Address>(
    to address: inout Address, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32
  ) -> Int32 {
    withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0, socklen_t(MemoryLayout<Address>.size)) }
    }
  }
}

package struct IPv4Address: Hashable, Sendable {
  /// The address as a number: 127.0.0.1 is `0x7F00_0001`.
  package let bits: UInt32

  package init(bits: UInt32) {
    self.bits = bits
  }

  /// An address of four decimal numbers; `nil` for anything else, such as a name, a number with leading zeros, or fewer numbers.
  package init?(_ text: String) {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count == 4 else { return nil }
    var bits: UInt32 = 0
    for part in parts {
      guard let number = UInt8(part), "\(number)" == part else { return nil }
      bits = bits << 8 | UInt32(number)
    }
    self.bits = bits
  }

  package static let loopback = IPv4Address(bits: 0x7F00_0001)
}

extension IPv4Address: CustomStringConvertible {
  package var description: String { [24, 16, 8, 0].map { "\(bits >> $0 & 0xFF)" }.joined(separator: ".") }
}
