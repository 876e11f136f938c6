#if os(Linux)
  import Foundation

  extension Socket {
    /// Closed in child processes atomically, including those that another thread launches meanwhile.
    static let streamType = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)

    /// Seconds without traffic before the first keep-alive probe.
    static let keepAliveTime = TCP_KEEPIDLE

    /// Leaves received bytes in the socket.
    static let peekFlags = Int32(MSG_PEEK)

    /// Makes `send` to a closed peer an error instead of a signal for the process.
    static let sendFlags = Int32(MSG_NOSIGNAL)

    /// Does nothing: `sendFlags` has the same effect.
    func raiseNoSignal() throws(SocketError) {}

    /// The number of sent bytes that the peer's system hasn't acknowledged.
    package var unacknowledgedCount: Int {
      var count: Int32 = 0
      // tcp(7): SIOCOUTQ, the same number as TIOCOUTQ.
      return ioctl(descriptor, UInt(TIOCOUTQ), &count) == 0 ? Int(count) : 0
    }
  }

  extension SocketAddress {
    var ipv4: sockaddr_in {
      var address = sockaddr_in()
      address.sin_family = sa_family_t(AF_INET)
      return address
    }

    var ipv6: sockaddr_in6 {
      var address = sockaddr_in6()
      address.sin6_family = sa_family_t(AF_INET6)
      return address
    }
  }
#endif
