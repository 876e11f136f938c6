import Foundation

/// A TCP socket over IPv4 that never blocks and is closed in child processes.
///
/// Sending to a closed peer raises SIGPIPE, which the command ignores. Its owner closes it once.
struct TCPSocket {
  enum Transfer: Equatable {
    case bytes(Int)
    /// Nothing at present.
    case wouldBlock
    /// The peer has ended its side.
    case ended
    case failed
  }

  let descriptor: Int32

  private init() throws(DeviceRelayError) {
    // SOCK_STREAM, which is the same on Linux and Darwin and is imported with different types.
    descriptor = Foundation.socket(AF_INET, 1, 0)
    guard descriptor >= 0 else { throw .systemCall("socket", errno: errno) }
    // Can't fail for an open descriptor.
    _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
  }

  private init(accepted: Int32) {
    descriptor = accepted
  }

  /// A socket that listens on an address.
  static func listening(on address: IPv4Address, port: UInt16) throws(DeviceRelayError) -> TCPSocket {
    let socket = try TCPSocket()
    var on: Int32 = 1
    setsockopt(socket.descriptor, SOL_SOCKET, SO_REUSEADDR, &on, socklen_t(MemoryLayout<Int32>.size))
    guard with(address, port, { bind(socket.descriptor, $0, $1) }) == 0,
      listen(socket.descriptor, SOMAXCONN) == 0, fcntl(socket.descriptor, F_SETFL, O_NONBLOCK) == 0
    else {
      let number = errno
      socket.close()
      throw .systemCall("bind on \(address):\(port)", errno: number)
    }
    return socket
  }

  /// A socket that is connected to a server on loopback.
  static func connected(toLoopback port: UInt16) throws(DeviceRelayError) -> TCPSocket {
    let socket = try TCPSocket()
    // Blocks for no longer than the system takes to queue the connection.
    guard with(.loopback, port, { connect(socket.descriptor, $0, $1) }) == 0 else {
      let number = errno
      socket.close()
      throw .systemCall("connect", errno: number)
    }
    socket.prepare()
    return socket
  }

  /// The next connection of a listening socket, and the address that it comes from; `nil` if no connection is pending.
  ///
  /// - Throws: `DeviceRelayError` if the connection can't be accepted, as at the limit of descriptors; it still waits then.
  func accept() throws(DeviceRelayError) -> (socket: TCPSocket, peer: IPv4Address)? {
    var address = sockaddr_in()
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let accepted = withUnsafeMutablePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { Foundation.accept(descriptor, $0, &length) }
    }
    guard accepted >= 0 else {
      // Read first: the memory of an array can change it.
      let number = errno
      guard [EAGAIN, EWOULDBLOCK, EINTR, ECONNABORTED].contains(number) else {
        throw .systemCall("accept", errno: number)
      }
      return nil
    }
    let socket = TCPSocket(accepted: accepted)
    _ = fcntl(accepted, F_SETFD, FD_CLOEXEC)
    socket.prepare()
    return (socket, IPv4Address(bits: UInt32(address.sin_addr.s_addr).bigEndian))
  }

  private func prepare() {
    _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
    var on: Int32 = 1
    setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &on, socklen_t(MemoryLayout<Int32>.size))
  }

  /// Appends received bytes.
  func receive(into bytes: inout [UInt8]) -> Transfer {
    var transfer = Transfer.wouldBlock
    withUnsafeTemporaryAllocation(byteCount: 64 * 1_024, alignment: 1) { space in
      let count = recv(descriptor, space.baseAddress, space.count, 0)
      transfer = Self.transfer(count, ofEnd: .ended)
      if count > 0 { bytes.append(contentsOf: UnsafeRawBufferPointer(rebasing: space[..<count])) }
    }
    return transfer
  }

  /// Sends bytes and removes those that were sent.
  func send(_ bytes: inout [UInt8]) -> Transfer {
    let transfer = Self.transfer(bytes.withUnsafeBytes { Foundation.send(descriptor, $0.baseAddress, $0.count, 0) })
    if case .bytes(let count) = transfer { bytes.removeFirst(count) }
    return transfer
  }

  private static func transfer(_ count: Int, ofEnd end: Transfer = .failed) -> Transfer {
    if count > 0 { return .bytes(count) }
    if count == 0 { return end }
    let number = errno
    return [EAGAIN, EWOULDBLOCK, EINTR].contains(number) ? .wouldBlock : .failed
  }

  /// Ends this side; receiving continues.
  func endSending() {
    _ = shutdown(descriptor, Int32(SHUT_WR))
  }

  /// Makes the next `close` reset the connection.
  func resetOnClose() {
    var option = linger(l_onoff: 1, l_linger: 0)
    _ = setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &option, socklen_t(MemoryLayout<linger>.size))
  }

  func close() {
    _ = Foundation.close(descriptor)
  }

  private static func with(
    _ address: IPv4Address, _ port: UInt16, _ call: (UnsafePointer<sockaddr>, socklen_t) -> Int32
  ) -> Int32 {
    var address = address.systemAddress(port: port)
    return withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { call($0, socklen_t(MemoryLayout<sockaddr_in>.size)) }
    }
  }
}
