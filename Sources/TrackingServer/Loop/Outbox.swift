import TrackingSockets

/// The unsent bytes of a connection.
struct Outbox {
  /// The outcome of an attempt to send.
  enum Progress {
    case all
    /// The client takes no more at present.
    case part
    /// The connection is broken.
    case ended
  }

  /// The capacity that is kept between answers, in bytes.
  private static let keptCapacity = 16 * 1_024
  /// The largest content that is copied, so that it is sent in one call with its head; larger ones are shared.
  private static let largestCopy = 64 * 1_024

  /// The number of unsent bytes from which on no further answer is begun: a request of a few bytes may ask for a stub's largest file.
  private static let mostPending = 256 * 1_024

  private struct Piece {
    let bytes: ArraySlice<UInt8>
    /// The owner of the bytes, if other answers share them.
    let owner: (any AnyObject)?
  }

  /// The bytes that are sent before `bytes`.
  private var pieces: [Piece] = []
  /// The bytes that were appended last.
  private var bytes: [UInt8] = []
  /// The number of sent bytes of the first piece, or of `bytes`.
  private var sent = 0
  /// The number of unsent bytes.
  private(set) var count = 0

  /// Whether everything is sent.
  var isEmpty: Bool { count == 0 }

  /// Whether so much is unsent that nothing more is to be appended.
  var isFull: Bool { count >= Self.mostPending }

  /// Lets `write` append bytes.
  mutating func append(_ write: (inout [UInt8]) -> Void) {
    let before = bytes.count
    write(&bytes)
    count += bytes.count - before
  }

  /// Appends bytes; large contents are shared instead of copied.
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
