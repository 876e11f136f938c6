import Foundation

/// The listening sockets of a server: both loopback addresses on one port, or IPv4 alone on a machine without IPv6.
package struct LoopbackListener: Sendable {
  /// One socket for each address, IPv6 first.
  package let sockets: [Socket]
  /// The address to hand over.
  package let address: LoopbackAddress

  /// Listens on a port; 0 lets the system choose one that is free on both addresses.
  ///
  /// - Throws: The error of the address that can't be bound. A port that is given must be free on both addresses.
  package init(port: UInt16) throws(SocketError) {
    var attemptsLeft = port == 0 ? 64 : 1
    while true {
      attemptsLeft -= 1
      do throws(SocketError) {
        self = try LoopbackListener(binding: port)
        return
      } catch {
        // The system chose a port for one address that is in use on the other (seen in 4 of 2,000 tries): start over.
        guard error.errno == EADDRINUSE, attemptsLeft > 0 else { throw error }
      }
    }
  }

  private init(binding port: UInt16) throws(SocketError) {
    guard let ipv6 = try Self.listen(.ipv6, port: port) else {
      let ipv4 = try Socket.listening(on: LoopbackAddress(.ipv4, port: port))
      try self.init(sockets: [ipv4], family: .ipv4)
      return
    }
    do throws(SocketError) {
      let ipv4 = try Self.listen(.ipv4, port: try ipv6.localPort())
      try self.init(sockets: [ipv6] + (ipv4.map { [$0] } ?? []), family: .ipv6)
    } catch {
      ipv6.close()
      throw error
    }
  }

  private init(sockets: [Socket], family: LoopbackAddress.Family) throws(SocketError) {
    self.sockets = sockets
    address = LoopbackAddress(family, port: try sockets[0].localPort())
  }

  /// A socket of an address family; `nil` if this machine doesn't have the family.
  private static func listen(_ family: LoopbackAddress.Family, port: UInt16) throws(SocketError) -> Socket? {
    do throws(SocketError) {
      return try Socket.listening(on: LoopbackAddress(family, port: port))
    } catch {
      guard [EAFNOSUPPORT, EADDRNOTAVAIL, EPROTONOSUPPORT].contains(error.errno) else { throw error }
      return nil
    }
  }

  /// Stops listening; connections that haven't been accepted are reset.
  package func close() {
    for socket in sockets {
      socket.close()
    }
  }
}
