import Foundation

/// Lets devices on one network reach a server that listens on loopback: a listener on one interface, which passes on requests that have the
/// pairing token, each on a new connection to the server.
public final class DeviceRelay: Sendable {
  /// The URL for devices, with the pairing token in its path.
  public let url: URL
  private let stopDescriptor: Int32
  private let hasEnded = DispatchSemaphore(value: 0)

  /// Listens on the server's port of an interface.
  ///
  /// - Parameter mostHeadBytes: The most bytes of a request's head: the server's `limits.requestHead`.
  /// - Throws: ``DeviceRelayError`` if the address isn't this machine's, or its port is in use.
  public init(on interface: DeviceInterface, to port: UInt16, mostHeadBytes: Int) throws(DeviceRelayError) {
    let listener = try TCPSocket.listening(on: interface.address, port: port)
    let authority = "\(interface.address):\(port)"
    let gate = DeviceGate(authority: authority)
    var pipe: [Int32] = [-1, -1]
    guard Foundation.pipe(&pipe) == 0, let url = URL(string: "http://\(authority)\(DeviceGate.prefix)\(gate.token)")
    else {
      let number = errno
      listener.close()
      throw .systemCall("pipe", errno: number)
    }
    for descriptor in pipe { _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC) }
    self.url = url
    stopDescriptor = pipe[1]
    let (stop, hasEnded) = (pipe[0], hasEnded)
    let thread = Thread {
      var loop = RelayLoop(listener: listener, stop: stop, port: port, mostHeadBytes: mostHeadBytes, gate: gate)
      loop.run()
      hasEnded.signal()
    }
    thread.name = "Devices on \(authority)"
    thread.start()
  }

  /// Stops listening and closes every connection; call it once.
  public func stop() {
    close(stopDescriptor)
    hasEnded.wait()
  }
}

/// The reason why a relay can't start.
public enum DeviceRelayError: Error, Hashable, CustomStringConvertible {
  case systemCall(String, errno: Int32)

  /// The failed call and the system's reason.
  public var description: String {
    switch self {
    case .systemCall(let call, let number): "\(call) failed: \(String(cString: strerror(number))) (errno \(number))"
    }
  }
}

/// The loop of a relay's thread, to which all its sockets and its gate belong.
private struct RelayLoop {
  let listener: TCPSocket
  /// Readable when the relay is stopped.
  let stop: Int32
  let port: UInt16
  let mostHeadBytes: Int
  var gate: DeviceGate
  var connections: [RelayedConnection] = []
  /// The end of a pause: `poll` reports a connection again and again that can't be accepted at the limit of descriptors.
  private var acceptsAgain: ContinuousClock.Instant?

  private static let pause = Duration.milliseconds(100)

  init(listener: TCPSocket, stop: Int32, port: UInt16, mostHeadBytes: Int, gate: DeviceGate) {
    self.listener = listener
    self.stop = stop
    self.port = port
    self.mostHeadBytes = mostHeadBytes
    self.gate = gate
  }

  mutating func run() {
    while true {
      var entries = [
        pollfd(fd: stop, events: Int16(POLLIN), revents: 0),
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
    close(stop)
  }

  /// Milliseconds to the next deadline; -1 if there is none.
  private func timeout() -> Int32 {
    guard let next = (connections.compactMap(\.deadline) + [acceptsAgain].compactMap(\.self)).min() else { return -1 }
    return Int32(min(max((next - .now) / .milliseconds(1), 0), 60_000)) + 1
  }

  private mutating func serve(_ entries: [pollfd]) {
    let (now, port) = (ContinuousClock.now, port)
    var kept: [RelayedConnection] = []
    for (index, connection) in connections.enumerated() {
      var connection = connection
      let isReady = entries[2 + 2 * index].revents != 0 || entries[3 + 2 * index].revents != 0
      let isOpen =
        isReady
        ? connection.proceed(&gate, now: now) { () throws(DeviceRelayError) in
          try TCPSocket.connected(toLoopback: port)
        } : connection.deadline.map { $0 > now } ?? true
      if isOpen { kept.append(connection) } else { connection.close() }
    }
    connections = kept
  }

  private mutating func accept() {
    acceptsAgain = nil
    do throws(DeviceRelayError) {
      while let (socket, peer) = try listener.accept() {
        let now = ContinuousClock.now
        if gate.hasRoom(for: peer, among: connections.lazy.map(\.peer), now: now) {
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
