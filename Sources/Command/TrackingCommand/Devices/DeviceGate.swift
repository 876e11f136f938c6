import TrackingSockets

/// Admits or refuses requests of devices.
///
/// A request is admitted if its path begins with the pairing token. SDKs may drop the prefix of a URL, so an address that has used the right
/// path once is admitted without it until the relay stops.
struct DeviceGate {
  enum Verdict: Equatable {
    /// The request is passed on with this target.
    case admit(target: String)
    case refuse(status: Int, String)
    /// The connection is closed without an answer.
    case ignore
  }

  /// The beginning of every path, before the token.
  static let prefix = "/~"
  /// The wrong requests of an address that are answered in a minute.
  static let mostWrong = 10
  /// The connections of devices that may be open at one time.
  private static let mostConnections = 64
  /// The connections of all strangers, and of one stranger, who could hold them all without sending a request.
  private static let mostStrangersConnections = 32
  private static let mostConnectionsOfAStranger = 8
  /// The addresses whose wrong requests are remembered for a minute; beyond this number, new strangers get no answer.
  private static let mostStrangers = 1_000
  private static let minute = Duration.seconds(60)

  /// The token: 128 random bits as 32 hexadecimal digits.
  let token: String
  private let authority: String
  private var admitted: Set<IPv4Address> = []
  private var wrong: [IPv4Address: [ContinuousClock.Instant]] = [:]

  /// - Parameter authority: The host and port of the printed URL.
  init(authority: String) {
    self.authority = authority
    var generator = SystemRandomNumberGenerator()
    token = (0..<2).map { _ in
      let digits = String(generator.next() as UInt64, radix: 16)
      return String(repeating: "0", count: 16 - digits.count) + digits
    }
    .joined()
  }

  /// Whether an address has made too many wrong requests in the last minute to be answered.
  mutating func ignores(_ peer: IPv4Address, now: ContinuousClock.Instant) -> Bool {
    guard !admitted.contains(peer) else { return false }
    guard let times = wrong[peer] else {
      if wrong.count >= Self.mostStrangers {
        wrong = wrong.filter { $0.value.last.map { now - $0 < Self.minute } ?? false }
      }
      return wrong.count >= Self.mostStrangers
    }
    return times.count >= Self.mostWrong && now - times[times.count - Self.mostWrong] < Self.minute
  }

  /// Whether one more connection of an address may be open in addition to those of `peers`.
  mutating func hasRoom(
    for peer: IPv4Address, among peers: some Sequence<IPv4Address>, now: ContinuousClock.Instant
  ) -> Bool {
    guard !ignores(peer, now: now) else { return false }
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
  mutating func noteWrong(_ peer: IPv4Address, now: ContinuousClock.Instant) {
    guard !admitted.contains(peer), wrong[peer] != nil || wrong.count < Self.mostStrangers else { return }
    wrong[peer] = ((wrong[peer] ?? []) + [now]).suffix(Self.mostWrong)
  }

  /// Decides about a request whose head has arrived.
  mutating func verdict(on head: RelayedHead, from peer: IPv4Address, now: ContinuousClock.Instant) -> Verdict {
    guard !ignores(peer, now: now) else { return .ignore }
    let verdict = judge(head, from: peer)
    if case .refuse = verdict { noteWrong(peer, now: now) }
    return verdict
  }

  private mutating func judge(_ head: RelayedHead, from peer: IPv4Address) -> Verdict {
    // DNS rebinding: a web page can make its own host name resolve to this address, but its requests still carry that name. Absolute-form
    // targets, which proxies get, aren't served.
    guard head.target.hasPrefix("/"), head.values(of: "host") == [authority] else {
      return .refuse(status: 403, "the host isn't the address that was printed")
    }
    guard head.values(of: "origin").isEmpty else {
      return .refuse(status: 403, "web pages may not use this address")
    }
    var target = head.target
    if target.hasPrefix(Self.prefix) {
      guard let rest = Self.removing(token, from: target) else {
        return .refuse(status: 404, "nothing is served here")
      }
      target = rest
      admitted.insert(peer)
      wrong[peer] = nil
    } else if !admitted.contains(peer) {
      return .refuse(status: 404, "nothing is served here")
    }
    // The live page shows everything that arrives, so it stays on loopback.
    guard !target.hasPrefix("/-tracking") else { return .refuse(status: 404, "nothing is served here") }
    return .admit(target: target)
  }

  /// The target without the pairing token, which is compared in constant time; `nil` if it has another one.
  private static func removing(_ token: String, from target: String) -> String? {
    let rest = target.utf8.dropFirst(prefix.utf8.count)
    let end = rest.firstIndex { $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "?") } ?? rest.endIndex
    let given = Array(rest[..<end])
    guard given.count == token.utf8.count else { return nil }
    guard zip(given, token.utf8).reduce(UInt8(0), { $0 | ($1.0 ^ $1.1) }) == 0 else { return nil }
    let path = String(Substring(rest[end...]))
    return path.hasPrefix("/") ? path : "/" + path
  }
}
