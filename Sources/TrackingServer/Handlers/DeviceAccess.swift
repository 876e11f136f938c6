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
    guard let named = interfaces.first(where: { $0.name == interface }) else {
      throw .unknown(interface, interfaces.filter(\.isShared).map(\.description))
    }
    guard named.address != .loopback else { throw .loopback(interface) }
    return named.address
  }
}

/// Why an interface can't be used.
@_spi(TrackingCommand)
public enum DeviceAccessError: Error, Hashable, CustomStringConvertible {
  /// None is named, and there is not exactly one.
  case choose([String])
  case unknown(String, [String])
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
    case .notAnInterface(let address):
      "\(address) is no address of one interface; the server never listens on all of them, so name one"
    case .loopback(let name):
      "\(name) is this machine's loopback, which the server listens on anyway; name an interface of a network"
    }
  }
}

/// Admits or refuses requests that arrive through the interface for devices.
///
/// A request is admitted if its path begins with the pairing token, which is removed before anything else reads the path. SDKs may drop the prefix
/// of a URL, so an address that has used the right path once is admitted without it until the server stops.
final class DeviceGate: Sendable {
  enum Verdict {
    case admit
    case refuse(Refusal)
    /// No answer at all.
    case ignore
  }

  /// The wrong requests of an address that are answered in a minute.
  static let mostWrong = 10
  /// The connections of devices that may be open at one time, so that they leave room for those on loopback.
  static let mostConnections = 64
  /// The addresses whose wrong requests are remembered; beyond it, strangers get no answer.
  private static let mostStrangers = 1_000
  private static let minute = Duration.seconds(60)

  private struct State {
    var admitted: Set<IPv4Address> = []
    var wrong: [IPv4Address: [ContinuousClock.Instant]] = [:]
  }

  private let host: String
  private let port: Int
  private let token: [UInt8]
  private let now: @Sendable () -> ContinuousClock.Instant
  private let state = Locked(State())

  init(_ access: DeviceAccess, port: UInt16, now: @escaping @Sendable () -> ContinuousClock.Instant = { .now }) {
    host = "\(access.address)"
    self.port = Int(port)
    token = Array(access.token.utf8)
    self.now = now
  }

  func isAdmitted(_ peer: IPv4Address) -> Bool { state.withLock { $0.admitted.contains(peer) } }

  /// Whether an address has made too many wrong requests in the last minute to be answered.
  func ignores(_ peer: IPv4Address) -> Bool {
    state.withLock { state in
      guard !state.admitted.contains(peer) else { return false }
      guard let times = state.wrong[peer] else { return state.wrong.count >= Self.mostStrangers }
      return times.count >= Self.mostWrong && now() - times[times.count - Self.mostWrong] < Self.minute
    }
  }

  /// Counts a request of an address that isn't admitted.
  func noteWrong(_ peer: IPv4Address) {
    state.withLock { state in
      guard state.wrong[peer] != nil || state.wrong.count < Self.mostStrangers else { return }
      state.wrong[peer] = ((state.wrong[peer] ?? []) + [now()]).suffix(Self.mostWrong)
    }
  }

  /// Decides about a request whose head has arrived, and removes the token from its path.
  func verdict(on head: inout RequestHead, from peer: IPv4Address) -> Verdict {
    guard !ignores(peer) else { return .ignore }
    // DNS rebinding: a web page can make its own host name resolve to this address, but its requests still carry that name. Absolute-form
    // targets, which proxies get, aren't served.
    guard head.targetForm == .origin, head.host(equals: host), head.port == port else {
      return refuse(peer, Refusal(status: 403, reason: "the host isn't the address that was printed"))
    }
    guard !head.has(.origin) else {
      return refuse(peer, Refusal(status: 403, reason: "web pages may not use this address"))
    }
    switch head.pairing(with: token) {
    case .right:
      head.removePathPrefix(PairingPath.prefix.utf8CodeUnitCount + token.count)
      state.withLock { state in
        state.admitted.insert(peer)
        state.wrong[peer] = nil
      }
    case .none where isAdmitted(peer): break
    case .none, .wrong: return refuse(peer, Refusal(status: 404, reason: "nothing is served here"))
    }
    // The inspector shows everything that arrives: it stays on loopback.
    guard !head.path(hasPrefix: "/-tracking") else {
      return .refuse(Refusal(status: 404, reason: "nothing is served here"))
    }
    return .admit
  }

  private func refuse(_ peer: IPv4Address, _ refusal: Refusal) -> Verdict {
    if !isAdmitted(peer) { noteWrong(peer) }
    return .refuse(refusal)
  }
}

extension RequestHead {
  enum Pairing {
    /// The path doesn't begin with `/~`.
    case none
    case wrong, right
  }

  /// Compares the beginning of the path with the pairing token in constant time.
  func pairing(with token: [UInt8]) -> Pairing {
    guard path(hasPrefix: PairingPath.prefix) else { return .none }
    let path = line.target.path
    let start = path.start + PairingPath.prefix.utf8CodeUnitCount
    let end = ByteRange(start: start, end: path.end).firstIndex(of: ASCII.slash, in: bytes) ?? path.end
    guard end - start == token.count else { return .wrong }
    let difference = token.indices.reduce(UInt8(0)) { $0 | (token[$1] ^ bytes[start + $1]) }
    return difference == 0 ? .right : .wrong
  }
}
