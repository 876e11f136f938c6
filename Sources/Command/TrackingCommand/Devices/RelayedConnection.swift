import Foundation
import TrackingSockets

/// A connection of a device: one request, checked by its head, then its bytes in both directions.
struct RelayedConnection {
  private enum Phase {
    case head
    case relaying(server: Socket)
    /// The answer to a wrong request is sent; received bytes are dropped until the device closes.
    ///
    /// Closing with unread bytes would reset the connection, and the answer might be lost (RFC 9112 9.6).
    case refused
  }

  /// The time in which a head must arrive, and in which a device must receive the end of an answer.
  private static let patience = Duration.seconds(30)
  /// The time that a refused device may keep sending.
  private static let lingerTime = Duration.seconds(2)

  let peer: IPv4Address
  private let mostHeadBytes: Int
  private let device: Socket
  private var phase = Phase.head
  private var toServer: [UInt8] = []
  private var toDevice: [UInt8] = []
  private var hasDeviceEnded = false
  private var hasServerEnded = false
  private(set) var deadline: ContinuousClock.Instant?

  init(_ device: Socket, from peer: IPv4Address, mostHeadBytes: Int, now: ContinuousClock.Instant) {
    self.device = device
    self.mostHeadBytes = mostHeadBytes
    self.peer = peer
    deadline = now + Self.patience
  }

  /// The entries for `poll`, of the device's socket and of the server's.
  ///
  /// A direction is read only when its last bytes have been sent on.
  var entries: [pollfd] {
    let server: Socket? = if case .relaying(let server) = phase { server } else { nil }
    let readsDevice = !hasDeviceEnded && (server == nil || toServer.isEmpty)
    return [
      Self.entry(device, reads: readsDevice, writes: !toDevice.isEmpty),
      Self.entry(server, reads: !hasServerEnded && toDevice.isEmpty, writes: !toServer.isEmpty),
    ]
  }

  /// An entry that waits for nothing has no descriptor, because `poll` would report its end again and again.
  private static func entry(_ socket: Socket?, reads: Bool, writes: Bool) -> pollfd {
    let events = (reads ? Int16(POLLIN) : 0) | (writes ? Int16(POLLOUT) : 0)
    return pollfd(fd: events == 0 ? -1 : socket?.descriptor ?? -1, events: events, revents: 0)
  }

  /// Moves bytes as far as both sides allow.
  ///
  /// - Parameter connect: Connects to the server.
  /// - Returns: `false` if the connection is to be closed.
  mutating func proceed(
    _ gate: inout DeviceGate, now: ContinuousClock.Instant, connect: () throws(SocketError) -> Socket
  ) -> Bool {
    switch phase {
    case .head: readHead(&gate, now, connect)
    case .relaying(let server): relay(server, now)
    case .refused: lingers()
    }
  }

  func close() {
    device.close()
    if case .relaying(let server) = phase { server.close() }
  }

  private mutating func readHead(
    _ gate: inout DeviceGate, _ now: ContinuousClock.Instant, _ connect: () throws(SocketError) -> Socket
  ) -> Bool {
    let known = toServer.count
    switch device.receive(into: &toServer) {
    case .bytes: break
    case .wouldBlock: return true
    case .closed, .failed: return false
    }
    // Bytes that arrive one by one are looked at once.
    switch RelayedHead.read(toServer, known: known, limit: mostHeadBytes) {
    case .needsMore: return true
    case .malformed: return refuseUnread(400, "this isn't an HTTP request", &gate, now)
    case .tooLarge(let isLine):
      // The server's own answer, which it would give to a larger head.
      let part = isLine ? "line is longer" : "head is larger"
      let reason = "the request \(part) than \(mostHeadBytes) bytes; raise the server's limits.requestHead"
      return refuseUnread(isLine ? 414 : 431, reason, &gate, now)
    case .head(let head, let count):
      switch gate.verdict(on: head, from: peer, now: now) {
      case .ignore: return false
      case .refuse(let status, let reason): return refuse(status, reason, now)
      case .admit(let target):
        toServer.replaceSubrange(..<count, with: head.bytes(target: target))
        do throws(SocketError) {
          let server = try connect()
          phase = .relaying(server: server)
          deadline = nil
          return relay(server, now)
        } catch {
          return refuse(503, "the server takes no connection", now)
        }
      }
    }
  }

  /// Refuses a request whose head hasn't been read.
  private mutating func refuseUnread(
    _ status: Int, _ reason: String, _ gate: inout DeviceGate, _ now: ContinuousClock.Instant
  ) -> Bool {
    guard !gate.ignores(peer, now: now) else { return false }
    gate.noteWrong(peer, now: now)
    return refuse(status, reason, now)
  }

  private mutating func relay(_ server: Socket, _ now: ContinuousClock.Instant) -> Bool {
    guard Self.move(from: device, to: server, &toServer, &hasDeviceEnded),
      Self.move(from: server, to: device, &toDevice, &hasServerEnded)
    else {
      // The other side learns that the connection broke off.
      device.resetOnClose()
      server.resetOnClose()
      return false
    }
    if hasServerEnded, toDevice.isEmpty {
      guard !hasDeviceEnded else { return false }
      phase = .refused
      server.close()
      device.shutdownWriting()
      deadline = now + Self.lingerTime
    } else if hasServerEnded, deadline == nil {
      deadline = now + Self.patience
    }
    return true
  }

  /// - Returns: `false` if one of the sockets has failed.
  private static func move(
    from source: Socket, to destination: Socket, _ bytes: inout [UInt8], _ hasEnded: inout Bool
  ) -> Bool {
    if bytes.isEmpty, !hasEnded {
      switch source.receive(into: &bytes) {
      case .bytes, .wouldBlock: break
      case .closed:
        hasEnded = true
        destination.shutdownWriting()
      case .failed: return false
      }
    }
    return bytes.isEmpty || destination.send(&bytes)
  }

  private mutating func refuse(_ status: Int, _ reason: String, _ now: ContinuousClock.Instant) -> Bool {
    let phrases = [
      400: "Bad Request", 403: "Forbidden", 404: "Not Found", 414: "URI Too Long",
      431: "Request Header Fields Too Large", 503: "Service Unavailable",
    ]
    let body = "{\"error\":\"\(reason)\"}\n"
    toDevice = Array(
      """
      HTTP/1.1 \(status) \(phrases[status] ?? "")\r
      Content-Type: application/json\r
      Connection: close\r
      Content-Length: \(body.utf8.count)\r
      \r
      \(body)
      """.utf8)
    toServer = []
    phase = .refused
    deadline = now + Self.lingerTime
    guard device.send(&toDevice) else { return false }
    if toDevice.isEmpty { device.shutdownWriting() }
    return true
  }

  private mutating func lingers() -> Bool {
    if !toDevice.isEmpty {
      guard device.send(&toDevice) else { return false }
      if toDevice.isEmpty { device.shutdownWriting() }
    }
    var dropped: [UInt8] = []
    switch device.receive(into: &dropped) {
    case .bytes, .wouldBlock: return true
    case .closed, .failed: return false
    }
  }
}

extension Socket {
  /// Appends received bytes.
  fileprivate func receive(into bytes: inout [UInt8]) -> Transfer {
    withUnsafeTemporaryAllocation(byteCount: 64 * 1_024, alignment: 1) { space in
      let transfer = receive(into: space)
      if case .bytes(let count) = transfer { bytes.append(contentsOf: space[..<count]) }
      return transfer
    }
  }

  /// Sends bytes and removes those that were sent; `false` if the socket has failed.
  fileprivate func send(_ bytes: inout [UInt8]) -> Bool {
    switch bytes.withUnsafeBytes(send) {
    case .bytes(let count): bytes.removeFirst(count)
    case .wouldBlock: break
    case .closed, .failed: return false
    }
    return true
  }
}
