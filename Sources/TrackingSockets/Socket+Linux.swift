#if os(Linux)
  import Foundation

  extension Socket {
    /// Closed in child processes from the start: a process that another thread launches in between does not get it.
    static let streamType = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)

    /// Seconds without traffic after which a peer is asked whether it is there.
    static let keepAliveTime = TCP_KEEPIDLE

    /// Looks at what has arrived without taking it.
    static let peekFlags = Int32(MSG_PEEK)

    /// A peer that went away is an error of `send` and not a signal for the process.
    static let sendFlags = Int32(MSG_NOSIGNAL)

    /// Nothing to do: `sendFlags` does it.
    func raiseNoSignal() throws(SocketError) {}

    /// Bytes that were sent and that the peer's system has not confirmed.
    package var unacknowledgedCount: Int {
      var count: Int32 = 0
      // tcp(7): SIOCOUTQ, which has the number of TIOCOUTQ.
      return ioctl(descriptor, UInt(TIOCOUTQ), &count) == 0 ? Int(count) : 0
    }
  }

  extension LoopbackAddress {
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
