import Foundation
import TrackingSockets

/// Lets devices on one network reach a server that listens on loopback: a listener on one interface, which passes on requests that have the
/// pairing token, each on a new connection to the server.
final class DeviceRelay: Sendable {
  /// The URL for devices, with the pairing token in its path.
  let url: URL
  private let stopping: WakePipe
  private let hasEnded = DispatchSemaphore(value: 0)

  /// Listens on the server's port of an interface.
  ///
  /// - Parameter mostHeadBytes: The most bytes of a request's head: the server's `limits.requestHead`.
  /// - Throws: ``DeviceInterfaceError`` if the address isn't this machine's, or its port is in use.
  init(on interface: DeviceInterface, to port: UInt16, mostHeadBytes: Int) throws(DeviceInterfaceError) {
    let address = SocketAddress(.machine(interface.address), port: port)
    let gate = DeviceGate(authority: "\(address)")
    guard let url = URL(string: "http://\(address)\(DeviceGate.prefix)\(gate.token)") else {
      throw .noAddress(interface.host)
    }
    self.url = url
    let listener: Socket
    do throws(SocketError) {
      stopping = try WakePipe()
      listener = try Socket.listening(on: address)
    } catch {
      throw error.errno == EADDRNOTAVAIL ? .noAddress(interface.host) : .system("\(error)")
    }
    let (stopping, hasEnded) = (stopping, hasEnded)
    let thread = Thread {
      var loop = RelayLoop(listener: listener, stopping: stopping, port: port, mostHeadBytes: mostHeadBytes, gate: gate)
      loop.run()
      hasEnded.signal()
    }
    thread.name = "Devices on \(address)"
    thread.start()
  }

  /// Stops listening and closes every connection; call it once.
  func stop() {
    stopping.wake()
    hasEnded.wait()
  }
}

/// The loop of a relay's thread, to which all its sockets and its gate belong.
private struct RelayLoop {
  let listener: Socket
  /// Readable when the relay is stopped.
  let stopping: WakePipe
  let port: UInt16
  let mostHeadBytes: Int
  var gate: DeviceGate
  var connections: [RelayedConnection] = []
  /// The end of a pause: `poll` reports a connection again and again that can't be accepted at the limit of descriptors.
  var acceptsAgain: ContinuousClock.Instant?

  private static let pause = Duration.milliseconds(100)

  mutating func run() {
    while true {
      var entries = [
        pollfd(fd: stopping.readDescriptor, events: Int16(POLLIN), revents: 0),
        pollfd(fd: acceptsAgain == nil ? listener.descriptor : -1, events: Int16(POLLIN), revents: 0),
      ]
      for connection in connections { entries += connection.entries }
      _ = poll(&entries, nfds_t(entries.count), timeout())
      guard entries[0].revents == 0 else { break }
      serve(entries)
      if entries[1].revents != 0 || acceptsAgain.map({ $0 <= .now }) == true { accept() }
    }
    for connection in connections { connection.close() }
    listener.close()
  }

  /// Milliseconds to the next deadline.
  private func timeout() -> Int32 {
    let next = (connections.compactMap(\.deadline) + [acceptsAgain].compactMap(\.self)).min()
    return next.map { PollTimeout.milliseconds(until: $0) } ?? PollTimeout.never
  }

  private mutating func serve(_ entries: [pollfd]) {
    let (now, port) = (ContinuousClock.now, port)
    var kept: [RelayedConnection] = []
    for (index, connection) in connections.enumerated() {
      var connection = connection
      let isReady = entries[2 + 2 * index].revents != 0 || entries[3 + 2 * index].revents != 0
      let isOpen =
        isReady
        ? connection.proceed(&gate, now: now) { () throws(SocketError) in
          // Takes no longer than the system needs to queue the connection.
          try Socket.connected(to: SocketAddress(.ipv4, port: port), until: now + .seconds(1))
        } : connection.deadline.map { $0 > now } ?? true
      if isOpen { kept.append(connection) } else { connection.close() }
    }
    connections = kept
  }

  private mutating func accept() {
    acceptsAgain = nil
    do throws(SocketError) {
      while let socket = try listener.accept() {
        let now = ContinuousClock.now
        // A device that has left already has no address.
        if let peer = socket.remoteAddress, gate.hasRoom(for: peer, among: connections.lazy.map(\.peer), now: now) {
          connections.append(RelayedConnection(socket, from: peer, mostHeadBytes: mostHeadBytes, now: now))
        } else {
          socket.close()
        }
      }
    } catch {
      acceptsAgain = .now + Self.pause
    }
  }
}

extension Socket {
  /// The address of the peer of a connection over IPv4; `nil` if it has left.
  fileprivate var remoteAddress: IPv4Address? {
    var address = sockaddr_in()
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let result = withUnsafeMutablePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { getpeername(descriptor, $0, &length) }
    }
    return result == 0 ? IPv4Address(bits: UInt32(address.sin_addr.s_addr).bigEndian) : nil
  }
}
