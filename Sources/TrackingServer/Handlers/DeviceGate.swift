import TrackingModel
import TrackingSockets

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
  private static let mostConnections = 64
  /// How many of them may be strangers', and one stranger's: a stranger could hold them all without sending a request.
  private static let mostStrangersConnections = 32
  private static let mostConnectionsOfAStranger = 8
  /// The addresses whose wrong requests are remembered for a minute; beyond this number, new strangers get no answer.
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
      guard let times = state.wrong[peer] else {
        if state.wrong.count >= Self.mostStrangers { forgetEarlierStrangers(in: &state) }
        return state.wrong.count >= Self.mostStrangers
      }
      return times.count >= Self.mostWrong && now() - times[times.count - Self.mostWrong] < Self.minute
    }
  }

  private func forgetEarlierStrangers(in state: inout State) {
    let now = now()
    state.wrong = state.wrong.filter { $0.value.last.map { now - $0 < Self.minute } ?? false }
  }

  /// Whether one more connection of an address may be open beside those of `peers`.
  func hasRoom(for peer: IPv4Address, among peers: some Sequence<IPv4Address>) -> Bool {
    guard !ignores(peer) else { return false }
    let admitted = state.withLock { $0.admitted }
    var (open, strangers, own) = (0, 0, 0)
    for other in peers {
      open += 1
      strangers += admitted.contains(other) ? 0 : 1
      own += other == peer ? 1 : 0
    }
    guard open < Self.mostConnections else { return false }
    return admitted.contains(peer)
      || strangers < Self.mostStrangersConnections && own < Self.mostConnectionsOfAStranger
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
