import TrackingSockets

extension SocketAddress.Host {
  /// The address families of this machine, the preferred one first: many containers have no IPv6.
  package static let available = [SocketAddress.Host.ipv6, .ipv4].filter { family in
    guard let socket = try? Socket.listening(on: SocketAddress(family, port: 0)) else { return false }
    socket.close()
    return true
  }

  /// The family of the address that apps are given on this machine.
  package static var preferred: SocketAddress.Host { available.first ?? .ipv4 }
}

/// A port that no process listens on.
package func freePort() throws -> UInt16 {
  let listener = try Listener(port: 0)
  defer { listener.close() }
  return listener.address.port
}
