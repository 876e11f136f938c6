import Foundation

extension LoopbackAddress {
  /// Calls `body` with this address as the system's calls take it.
  func withSystemAddress(_ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32) -> Int32 {
    switch family {
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
