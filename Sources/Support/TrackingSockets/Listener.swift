import Foundation

/// A server's listening sockets: both loopback addresses on one port, or IPv4 alone on a machine without IPv6.
package struct Listener: Sendable {
  /// IPv6 first.
  package let sockets: [Socket]
  /// The address to pass to clients.
  package let address: SocketAddress

  /// Listens on a port that is free on both addresses; 0 lets the system choose one.
  ///
  /// Throws the error of the address that can't be bound.
  package init(port: UInt16) throws(SocketError) {
    var attemptsLeft = port == 0 ? 64 : 1
    while true {
      attemptsLeft -= 1
      do throws(SocketError) {
        self = try Listener(binding: port)
        return
      } catch {
        // The system chose a port that is in use on the other address (seen in 4 of 2,000 tries): start over.
        guard error.errno == EADDRINUSE, attemptsLeft > 0 else { throw error }
      }
    }
  }

  private init(binding port: UInt16) throws(SocketError) {
    var sockets: [Socket] = []
    do throws(SocketError) {
      let ipv6 = try Self.listen(.ipv6, port: port)
      if let ipv6 { sockets.append(ipv6) }
      let chosen = try ipv6?.localPort() ?? port
      let ipv4 =
        ipv6 == nil
        ? try Socket.listening(on: SocketAddress(.ipv4, port: chosen)) : try Self.listen(.ipv4, port: chosen)
      if let ipv4 { sockets.append(ipv4) }
      address = SocketAddress(ipv6 == nil ? .ipv4 : .ipv6, port: try sockets[0].localPort())
      self.sockets = sockets
    } catch {
      for socket in sockets { socket.close() }
      throw error
    }
  }

  /// `nil` if the machine doesn't support the address family.
  private static func listen(_ family: SocketAddress.Host, port: UInt16) throws(SocketError) -> Socket? {
    do throws(SocketError) {
      return try Socket.listening(on: SocketAddress(family, port: port))
    } catch {
      guard [EAFNOSUPPORT, EADDRNOTAVAIL, EPROTONOSUPPORT].contains(error.errno) else { throw error }
      return nil
    }
  }

  /// Connections that haven't been accepted are reset.
  package func close() {
    for socket in sockets {
      socket.close()
    }
  }
}
