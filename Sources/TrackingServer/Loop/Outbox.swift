import TrackingSockets

/// Bytes on their way to a client, as fast as it takes them.
struct Outbox {
  /// The outcome of an attempt to send.
  enum Progress {
    case all
    /// The client takes no more for now.
    case part
    /// The client takes no more at all.
    case ended
  }

  /// Room that is kept between answers, in bytes.
  private static let keptCapacity = 16 * 1_024
  /// Contents that are larger are sent from where they lie; smaller ones are copied, so that they leave with their heads.
  private static let largestCopy = 64 * 1_024

  private struct Piece {
    let bytes: ArraySlice<UInt8>
    /// What keeps the bytes in memory for others, too.
    let owner: (any AnyObject)?
  }

  /// What is sent before `bytes`.
  private var pieces: [Piece] = []
  /// What was appended last.
  private var bytes: [UInt8] = []
  /// How much of the first piece, or of `bytes`, is sent already.
  private var sent = 0
  /// Bytes that are not sent yet.
  private(set) var count = 0

  /// Whether everything is sent.
  var isEmpty: Bool { count == 0 }

  /// Lets `write` append bytes.
  mutating func append(_ write: (inout [UInt8]) -> Void) {
    let before = bytes.count
    write(&bytes)
    count += bytes.count - before
  }

  /// Appends bytes; many of them are shared and not copied.
  mutating func append(_ slice: ArraySlice<UInt8>, owner: (any AnyObject)? = nil) {
    guard slice.count > Self.largestCopy else { return append { $0.append(contentsOf: slice) } }
    if !bytes.isEmpty {
      pieces.append(Piece(bytes: bytes[...], owner: nil))
      bytes = []
    }
    pieces.append(Piece(bytes: slice, owner: owner))
    count += slice.count
  }

  /// Sends as much as the client takes.
  mutating func send(on socket: Socket) -> Progress {
    while let piece = pieces.first {
      let progress = send(piece.bytes, on: socket)
      guard case .all = progress else { return progress }
      pieces.removeFirst()
    }
    let progress = send(bytes[...], on: socket)
    guard case .all = progress else { return progress }
    bytes.removeAll(keepingCapacity: bytes.capacity <= Self.keptCapacity)
    return .all
  }

  private mutating func send(_ slice: ArraySlice<UInt8>, on socket: Socket) -> Progress {
    while sent < slice.count {
      let transfer = slice.withUnsafeBytes { socket.send(UnsafeRawBufferPointer(rebasing: $0[sent...])) }
      switch transfer {
      case .bytes(let count):
        sent += count
        self.count -= count
      case .wouldBlock: return .part
      case .closed, .failed: return .ended
      }
    }
    sent = 0
    return .all
  }
}
