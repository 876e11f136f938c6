#if canImport(Darwin)
  import Foundation

  extension Socket {
    static let streamType = SOCK_STREAM

    /// Seconds without traffic before the first keep-alive probe.
    static let keepAliveTime = TCP_KEEPALIVE

    /// Leaves received bytes in the socket.
    static let peekFlags = MSG_PEEK

    /// Empty: older SDKs have no `MSG_NOSIGNAL`, so each socket has `SO_NOSIGPIPE`.
    static let sendFlags: Int32 = 0

    /// Makes `send` to a closed peer an error instead of a signal for the process.
    func raiseNoSignal() throws(SocketError) {
      try set(SOL_SOCKET, SO_NOSIGPIPE, to: 1)
    }

    /// The number of sent bytes that the peer's system hasn't acknowledged.
    package var unacknowledgedCount: Int {
      var count: Int32 = 0
      var length = socklen_t(MemoryLayout<Int32>.size)
      // getsockopt(2): SO_NWRITE, the bytes in the send buffer, where TCP keeps them until they are acknowledged.
      return getsockopt(descriptor, SOL_SOCKET, SO_NWRITE, &count, &length) == 0 ? Int(count) : 0
    }
  }

  extension SocketAddress {
    var ipv4: sockaddr_in {
      var address = sockaddr_in()
      address.sin_len = UInt8(MemoryLayout<sockaddr_in>.size)
      address.sin_family = sa_family_t(AF_INET)
      return address
    }

    var ipv6: sockaddr_in6 {
      var address = sockaddr_in6()
      address.sin6_len = UInt8(MemoryLayout<sockaddr_in6>.size)
      address.sin6_family = sa_family_t(AF_INET6)
      return address
    }
  }
#endif
