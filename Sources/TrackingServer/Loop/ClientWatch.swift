import TrackingSockets

/// Watches a client while its response is pending.
///
/// A client that has closed its side may be gone, or may wait for its response. Before a response begins, an interim response tells at once:
/// a waiting client ignores it (RFC 9110 15.2), and the system of a client that is gone resets the connection. Otherwise TCP's keep-alive tells,
/// and until then the client's place is free for others.
struct ClientWatch {
  enum Finding {
    case waits
    case hasEndedItsSide
    case hasGone
  }

  /// Whether nothing more is polled for, because the client has sent something or closed its side, which stays readable.
  private(set) var isOver = false
  /// Whether the client has closed its side.
  private(set) var hasLeft = false

  /// Looks at the client when its socket is readable or has failed.
  mutating func look(at socket: Socket) -> Finding {
    // `poll` reports only errors then.
    guard !isOver else { return .hasGone }
    switch socket.peek() {
    case .wouldBlock: return .waits
    case .failed: return .hasGone
    case .bytes:
      isOver = true
      return .waits
    case .closed:
      (isOver, hasLeft) = (true, true)
      socket.probePeer()
      return .hasEndedItsSide
    }
  }
}
