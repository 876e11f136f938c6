import Foundation
import TrackingSockets

/// An interface of this machine, with one of its IPv4 addresses.
struct DeviceInterface: Hashable, Sendable, CustomStringConvertible {
  let name: String
  let address: IPv4Address
  /// Whether other machines of its network can reach it: it is neither loopback nor a tunnel.
  let isShared: Bool

  /// The name and the address: `en0 (192.168.1.20)`.
  var description: String { "\(name) (\(address))" }

  /// The host in URLs for devices: `192.168.1.20`.
  var host: String { "\(address)" }
}

extension DeviceInterface {
  /// The interface with a name such as `en0`, or with an IPv4 address; `nil` chooses the only one that other machines can reach.
  ///
  /// - Throws: ``DeviceInterfaceError`` with the interfaces of this machine.
  init(_ interface: String?) throws(DeviceInterfaceError) {
    self = try Self.chosen(interface, of: Self.all)
  }

  static func chosen(
    _ interface: String?, of interfaces: [DeviceInterface]
  ) throws(DeviceInterfaceError) -> DeviceInterface {
    let shared = interfaces.filter(\.isShared)
    guard let interface else {
      guard shared.count == 1 else { throw .choose(shared.map(\.description)) }
      return shared[0]
    }
    if let address = IPv4Address(interface) {
      guard address.isOfAnInterface else { throw .notAnInterface(interface) }
      guard address != .loopback else { throw .loopback(interface) }
      return DeviceInterface(name: interface, address: address, isShared: true)
    }
    guard !isIPv6(interface) else { throw .ipv6(interface, shared.map(\.description)) }
    guard let named = interfaces.first(where: { $0.name == interface }) else {
      throw .unknown(interface, shared.map(\.description))
    }
    guard named.address != .loopback else { throw .loopback(interface) }
    return named
  }

  /// Whether a text is an IPv6 address, also in brackets or with a zone.
  private static func isIPv6(_ text: String) -> Bool {
    let address = text.filter { !"[]".contains($0) }.prefix { $0 != "%" }
    var parsed = in6_addr()
    return inet_pton(AF_INET6, String(address), &parsed) == 1
  }

  /// The interfaces that are up and have an IPv4 address.
  private static var all: [DeviceInterface] {
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
      return DeviceInterface(
        name: String(cString: entry.ifa_name), address: IPv4Address(bits: bits),
        isShared: entry.ifa_flags & (loopback | pointToPoint) == 0)
    }
  }
}

extension IPv4Address {
  /// Whether it can be the address of one interface: it isn't the wildcard, multicast, broadcast or reserved.
  fileprivate var isOfAnInterface: Bool { bits >> 24 != 0 && bits >> 24 < 224 }
}

/// The reason why an interface can't be used.
enum DeviceInterfaceError: Error, Hashable, CustomStringConvertible {
  /// No interface is named, and there isn't exactly one.
  case choose([String])
  case unknown(String, [String])
  /// An IPv6 address, and the interfaces of this machine.
  ///
  /// A device may have any number of IPv6 addresses and changes them, so an address doesn't identify a device there. And the address that
  /// each interface has, the link-local one, needs a zone, which URLs don't have.
  case ipv6(String, [String])
  /// A wildcard, multicast or broadcast address.
  case notAnInterface(String)
  case loopback(String)
  /// No interface of this machine has the address.
  case noAddress(String)
  /// The failed system call and its reason.
  case system(String)

  /// The problem and the remedy, in one sentence.
  var description: String {
    switch self {
    case .choose([]):
      "this machine has no interface with an IPv4 address that a device could reach; connect it to a network"
    case .choose(let names):
      "this machine has several interfaces: \(names.joined(separator: ", ")); name one with --interface"
    case .unknown(let name, let names):
      "this machine has no interface \(name) with an IPv4 address; it has \(names.isEmpty ? "none" : names.joined(separator: ", "))"
    case .ipv6(let address, let names):
      "\(address) is an IPv6 address, and devices are served over IPv4 alone; this machine has \(names.isEmpty ? "no IPv4 address that a device could reach" : names.joined(separator: ", "))"
    case .notAnInterface(let address):
      "\(address) isn't the address of a network interface. Name one: the server never listens on all."
    case .loopback(let name):
      "\(name) is this machine's loopback, which the server listens on anyway; name an interface of a network"
    case .noAddress(let address): "this machine has no address \(address) (errno \(EADDRNOTAVAIL))"
    case .system(let failure): failure
    }
  }
}
