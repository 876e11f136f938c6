import TrackingSockets

/// Bytes on their way to a client, as fast as it takes them.
struct Outbox {
  /// What became of an attempt to send.
  enum Progress {
    case all
    /// The client takes no more for now.
    case part
    /// The client takes no more at all.
    case ended
  }

  /// Room that is kept between answers, in bytes.
  private static let keptCapacity = 16 * 1_024

  /// What is to be sent, and what of it is sent already.
  var bytes: [UInt8] = []
  private var sent = 0

  /// Whether everything is sent.
  var isEmpty: Bool { sent == bytes.count }

  /// Sends as much as the client takes.
  mutating func send(on socket: Socket) -> Progress {
    while sent < bytes.count {
      let transfer = bytes.withUnsafeBytes { socket.send(UnsafeRawBufferPointer(rebasing: $0[sent...])) }
      switch transfer {
      case .bytes(let count): sent += count
      case .wouldBlock: return .part
      case .closed, .failed: return .ended
      }
    }
    bytes.removeAll(keepingCapacity: bytes.capacity <= Self.keptCapacity)
    sent = 0
    return .all
  }
}
