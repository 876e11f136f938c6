import Foundation
import TrackingSockets

/// Lets devices on one network reach a server: by one address of this machine, and with a pairing token in front of every path.
///
/// Only for `tracking serve --device`. A UI test on a device doesn't need it, because its runner is on the device, where loopback works.
@_spi(TrackingCommand)
public struct DeviceAccess: Sendable {
  let address: IPv4Address
  /// 128 random bits.
  let token: String

  /// Access by the interface with a name such as `en0`, or with an IPv4 address; `nil` chooses the only one that other machines can reach.
  ///
  /// - Throws: ``DeviceAccessError`` with the interfaces that there are.
  public init(interface: String?) throws(DeviceAccessError) {
    try self.init(interface: interface, of: NetworkInterface.all)
  }

  init(interface: String?, of interfaces: [NetworkInterface]) throws(DeviceAccessError) {
    address = try Self.address(interface, of: interfaces)
    var generator = SystemRandomNumberGenerator()
    token = (0..<2).map { _ in
      let digits = String(generator.next() as UInt64, radix: 16)
      return String(repeating: "0", count: 16 - digits.count) + digits
    }
    .joined()
  }

  private static func address(
    _ interface: String?, of interfaces: [NetworkInterface]
  ) throws(DeviceAccessError) -> IPv4Address {
    guard let interface else {
      let shared = interfaces.filter(\.isShared)
      guard shared.count == 1 else { throw .choose(shared.map(\.description)) }
      return shared[0].address
    }
    if let address = IPv4Address(interface) {
      guard address.isOfAnInterface else { throw .notAnInterface(interface) }
      guard address != .loopback else { throw .loopback(interface) }
      return address
    }
    guard !isIPv6(interface) else { throw .ipv6(interface, interfaces.filter(\.isShared).map(\.description)) }
    guard let named = interfaces.first(where: { $0.name == interface }) else {
      throw .unknown(interface, interfaces.filter(\.isShared).map(\.description))
    }
    guard named.address != .loopback else { throw .loopback(interface) }
    return named.address
  }

  /// Whether a text is an IPv6 address, also in brackets or with a zone.
  private static func isIPv6(_ text: String) -> Bool {
    let address = text.trimmingCharacters(in: CharacterSet(charactersIn: "[]")).prefix { $0 != "%" }
    var parsed = in6_addr()
    return inet_pton(AF_INET6, String(address), &parsed) == 1
  }
}

/// Why an interface can't be used.
@_spi(TrackingCommand)
public enum DeviceAccessError: Error, Hashable, CustomStringConvertible {
  /// None is named, and there is not exactly one.
  case choose([String])
  case unknown(String, [String])
  /// An IPv6 address, and the interfaces that there are.
  ///
  /// A device may have any number of IPv6 addresses and changes them, so "one address" says nothing about a stranger or a device there. And the
  /// address that each interface has, the link-local one, needs a zone, which is no part of URLs.
  case ipv6(String, [String])
  /// A wildcard, multicast or broadcast address.
  case notAnInterface(String)
  case loopback(String)

  /// What is wrong and what to do, in one sentence.
  public var description: String {
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
      "\(address) is no address of one interface; the server never listens on all of them, so name one"
    case .loopback(let name):
      "\(name) is this machine's loopback, which the server listens on anyway; name an interface of a network"
    }
  }
}
