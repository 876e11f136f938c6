import Foundation

/// A TCP socket on loopback: never blocks, is closed in child processes, and raises no SIGPIPE.
///
/// A descriptor that its creator must close once; a value, so that a poll loop can keep it next to a `pollfd`.
package struct Socket: Hashable, Sendable {
  package let descriptor: Int32

  package init(descriptor: Int32) {
    self.descriptor = descriptor
  }

  /// Port 0 lets the system choose one.
  package static func listening(on address: SocketAddress) throws(SocketError) -> Socket {
    let socket = try make(address.host)
    do throws(SocketError) {
      // Allows binding a port in TIME_WAIT. SO_REUSEPORT would let two servers share a port, so it is never set.
      try socket.set(SOL_SOCKET, SO_REUSEADDR, to: 1)
      guard address.withSystemAddress({ Foundation.bind(socket.descriptor, $0, $1) }) == 0 else {
        throw SocketError.call("bind", errno: errno, address: "\(address)")
      }
      guard Foundation.listen(socket.descriptor, SOMAXCONN) == 0 else {
        throw SocketError.call("listen", errno: errno, address: "\(address)")
      }
      return socket
    } catch {
      socket.close()
      throw error
    }
  }

  /// Starts to connect; once the socket is writable, `connectionError` has the result.
  package static func connecting(to address: SocketAddress) throws(SocketError) -> Socket {
    let socket = try make(address.host)
    do throws(SocketError) {
      try socket.set(Int32(IPPROTO_TCP), TCP_NODELAY, to: 1)
      let result = address.withSystemAddress { Foundation.connect(socket.descriptor, $0, $1) }
      guard result == 0 || errno == EINPROGRESS || errno == EINTR else {
        throw SocketError.call("connect", errno: errno, address: "\(address)")
      }
      return socket
    } catch {
      socket.close()
      throw error
    }
  }

  package static func connected(
    to address: SocketAddress, until deadline: ContinuousClock.Instant
  ) throws(SocketError) -> Socket {
    let socket = try connecting(to: address)
    let error =
      if !socket.wait(for: Int32(POLLOUT), until: deadline) { ETIMEDOUT } else { socket.connectionError }
    guard error == 0, !socket.isConnectedToItself else {
      socket.close()
      throw SocketError.call("connect", errno: error == 0 ? ECONNREFUSED : error, address: "\(address)")
    }
    return socket
  }

  /// Whether the socket is connected to itself, because the system chose its destination port as its local one.
  ///
  /// TCP allows this, and it would block the port for the server that is about to start there. Ports for servers and for clients come from one
  /// range, so it happens to a client that keeps trying the port of a stopped server.
  var isConnectedToItself: Bool {
    guard let here = try? localPort(), let there = try? remotePort() else { return false }
    return here == there
  }

  private static func make(_ host: SocketAddress.Host) throws(SocketError) -> Socket {
    let descriptor = socket(host == .ipv6 ? AF_INET6 : AF_INET, streamType, 0)
    guard descriptor >= 0 else { throw SocketError.call("socket", errno: errno) }
    let made = Socket(descriptor: descriptor)
    do throws(SocketError) {
      try descriptor.closeInChildrenAndNeverBlock()
      try made.raiseNoSignal()
      return made
    } catch {
      made.close()
      throw error
    }
  }

  /// The result of connecting, once the socket is writable: 0, or the system's error.
  package var connectionError: Int32 {
    var value: Int32 = 0
    var length = socklen_t(MemoryLayout<Int32>.size)
    guard getsockopt(descriptor, SOL_SOCKET, SO_ERROR, &value, &length) == 0 else { return errno }
    return value
  }

  /// Accepts a connection; `nil` if none is waiting; throws `EMFILE` or `ENFILE` if the process or the system is out of descriptors.
  package func accept() throws(SocketError) -> Socket? {
    while true {
      let accepted = Foundation.accept(descriptor, nil, nil)
      if accepted >= 0 {
        let socket = Socket(descriptor: accepted)
        do throws(SocketError) {
          try accepted.closeInChildrenAndNeverBlock()
          try socket.raiseNoSignal()
          // Responses are small and may follow one another closely.
          try socket.set(Int32(IPPROTO_TCP), TCP_NODELAY, to: 1)
          return socket
        } catch {
          // The client has left already: Darwin refuses options on a socket that was reset.
          socket.close()
          continue
        }
      }
      switch errno {
      case EINTR, ECONNABORTED: continue
      case EAGAIN, EWOULDBLOCK: return nil
      case let number: throw SocketError.call("accept", errno: number)
      }
    }
  }

  package enum Transfer: Equatable, Sendable {
    case bytes(Int)
    /// Try again when `poll` reports it.
    case wouldBlock
    /// The peer has closed its sending side; for `send`, the peer is closed.
    case closed
    case failed(errno: Int32)
  }

  /// `space` must not be empty.
  package func receive(into space: UnsafeMutableRawBufferPointer) -> Transfer {
    receive(into: space, flags: 0)
  }

  /// Whether bytes or an end have arrived; consumes nothing.
  package func peek() -> Transfer {
    var byte: UInt8 = 0
    return withUnsafeMutableBytes(of: &byte) { receive(into: $0, flags: Self.peekFlags) }
  }

  private func receive(into space: UnsafeMutableRawBufferPointer, flags: Int32) -> Transfer {
    while true {
      let count = recv(descriptor, space.baseAddress, space.count, flags)
      if count > 0 { return .bytes(count) }
      if count == 0 { return .closed }
      switch errno {
      case EINTR: continue
      case EAGAIN, EWOULDBLOCK: return .wouldBlock
      case let number: return .failed(errno: number)
      }
    }
  }

  /// Turns on keep-alive probes every second, which fail the socket if the peer is gone.
  ///
  /// A peer that has only closed its sending side acknowledges them. So does, for about a minute, the system of a peer that has closed its socket.
  package func probePeer() {
    try? set(SOL_SOCKET, SO_KEEPALIVE, to: 1)
    try? set(Int32(IPPROTO_TCP), Self.keepAliveTime, to: 1)
    try? set(Int32(IPPROTO_TCP), TCP_KEEPINTVL, to: 1)
    try? set(Int32(IPPROTO_TCP), TCP_KEEPCNT, to: 1)
  }

  /// Sends as many bytes as possible without blocking.
  package func send(_ bytes: UnsafeRawBufferPointer) -> Transfer {
    while true {
      let count = Foundation.send(descriptor, bytes.baseAddress, bytes.count, Self.sendFlags)
      if count >= 0 { return .bytes(count) }
      switch errno {
      case EINTR: continue
      case EAGAIN, EWOULDBLOCK: return .wouldBlock
      // Darwin has been seen to return EPROTOTYPE while the peer closes.
      case EPIPE, EPROTOTYPE: return .closed
      case let number: return .failed(errno: number)
      }
    }
  }

  package func localPort() throws(SocketError) -> UInt16 {
    try port("getsockname", getsockname)
  }

  package func remotePort() throws(SocketError) -> UInt16 {
    try port("getpeername", getpeername)
  }

  private func port(
    _ name: String, _ call: (Int32, UnsafeMutablePointer<sockaddr>, UnsafeMutablePointer<socklen_t>) -> Int32
  ) throws(SocketError) -> UInt16 {
    var storage = sockaddr_storage()
    var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
    let result = withUnsafeMutablePointer(to: &storage) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { call(descriptor, $0, &length) }
    }
    guard result == 0 else { throw SocketError.call(name, errno: errno) }
    // The port is at the same offset in addresses of both families, in network byte order.
    return withUnsafeBytes(of: &storage) {
      UInt16(bigEndian: $0.loadUnaligned(fromByteOffset: 2, as: UInt16.self))
    }
  }

  /// Closes the sending side; receiving continues.
  package func shutdownWriting() {
    _ = Foundation.shutdown(descriptor, Int32(SHUT_WR))
  }

  /// Makes the next `close` reset the connection.
  package func resetOnClose() {
    // RFC 9293 3.10.4 ABORT: SO_LINGER with a time of zero sends RST and discards unsent bytes.
    var option = linger(l_onoff: 1, l_linger: 0)
    _ = setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &option, socklen_t(MemoryLayout<linger>.size))
  }

  /// Call it once.
  package func close() {
    // Not repeated after EINTR: the descriptor is closed, and may already be reused.
    _ = Foundation.close(descriptor)
  }

  /// Waits until the socket has failed, or is ready for any of `events` (`POLLIN`, `POLLOUT`); `false` at the deadline.
  package func wait(for events: Int32, until deadline: ContinuousClock.Instant) -> Bool {
    var entry = pollfd(fd: descriptor, events: Int16(events), revents: 0)
    while true {
      let ready = poll(&entry, 1, PollTimeout.milliseconds(until: deadline))
      if ready > 0 { return true }
      if ready < 0, errno != EINTR { return true }
      if ready == 0, ContinuousClock.now >= deadline { return false }
    }
  }

  func set(_ level: Int32, _ option: Int32, to value: Int32) throws(SocketError) {
    var value = value
    guard setsockopt(descriptor, level, option, &value, socklen_t(MemoryLayout<Int32>.size)) == 0 else {
      throw SocketError.call("setsockopt", errno: errno)
    }
  }
}

extension Int32 {
  func closeInChildrenAndNeverBlock() throws(SocketError) {
    guard fcntl(self, F_SETFD, FD_CLOEXEC) == 0, fcntl(self, F_SETFL, O_NONBLOCK) == 0 else {
      throw SocketError.call("fcntl", errno: errno)
    }
  }
}
