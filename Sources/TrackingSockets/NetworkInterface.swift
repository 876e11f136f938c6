import Foundation

/// An IPv4 address.
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

  /// Whether it can be the address of one interface: it isn't the wildcard, multicast, broadcast, or reserved.
  package var isOfAnInterface: Bool { bits >> 24 != 0 && bits >> 24 < 224 }
}

extension IPv4Address: CustomStringConvertible {
  package var description: String { [24, 16, 8, 0].map { "\(bits >> $0 & 0xFF)" }.joined(separator: ".") }
}

/// An interface of this machine, with one of its IPv4 addresses.
package struct NetworkInterface: Hashable, Sendable, CustomStringConvertible {
  package let name: String
  package let address: IPv4Address
  /// Whether other machines of its network can reach it: neither loopback nor a tunnel.
  package let isShared: Bool

  /// The name and the address: `en0 (192.168.1.20)`.
  package var description: String { "\(name) (\(address))" }

  /// The interfaces that are up and have an IPv4 address.
  package static var all: [NetworkInterface] {
    // IFF_UP, IFF_LOOPBACK and IFF_POINTOPOINT, which are the same on Linux and Darwin and are imported with different types.
    let (up, loopback, pointToPoint): (UInt32, UInt32, UInt32) = (0x1, 0x8, 0x10)
    var first: UnsafeMutablePointer<ifaddrs>?
    guard getifaddrs(&first) == 0 else { return [] }
    defer { freeifaddrs(first) }
    return sequence(first: first) { $0?.pointee.ifa_next }.compactMap { entry in
      guard let entry = entry?.pointee, entry.ifa_flags & up != 0, let address = entry.ifa_addr,
        Int32(address.pointee.sa_family) == AF_INET
      else { return nil }
      let bits = address.withMemoryRebound(to: sockaddr_in.self, capacity: 1) { $0.pointee.sin_addr.s_addr.bigEndian }
      return NetworkInterface(
        name: String(cString: entry.ifa_name), address: IPv4Address(bits: bits),
        isShared: entry.ifa_flags & (loopback | pointToPoint) == 0)
    }
  }
}

/// The path that lets a device use a server: `/~` and the pairing token, in front of every other path.
package enum PairingPath {
  package static let prefix: StaticString = "/~"
  /// 128 bits, as hexadecimal digits.
  package static let tokenLength = 32

  /// Whether a path begins with a pairing token.
  package static func begins(_ path: String) -> Bool {
    guard path.hasPrefix("\(prefix)") else { return false }
    let token = path.dropFirst(2).prefix { $0 != "/" }
    return token.utf8.count == tokenLength && token.allSatisfy(\.isHexDigit)
  }
}
