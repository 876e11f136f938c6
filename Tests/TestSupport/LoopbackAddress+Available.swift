import TrackingSockets

extension LoopbackAddress.Family {
  /// The address families of this machine, the preferred one first: many containers have no IPv6.
  package static let available = [LoopbackAddress.Family.ipv6, .ipv4].filter { family in
    guard let socket = try? Socket.listening(on: LoopbackAddress(family, port: 0)) else { return false }
    socket.close()
    return true
  }

  /// The family of the address that apps are given on this machine.
  package static var preferred: LoopbackAddress.Family { available.first ?? .ipv4 }
}

/// A port that no process listens on.
package func freePort() throws -> UInt16 {
  let listener = try LoopbackListener(port: 0)
  defer { listener.close() }
  return listener.address.port
}
