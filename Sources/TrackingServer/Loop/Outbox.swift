import TrackingSockets

/// The unsent bytes of a connection.
struct Outbox {
  enum Progress {
    case all
    /// The client accepts no more at present.
    case part
    case ended
  }

  /// The capacity kept between responses, in bytes.
  private static let keptCapacity = 16 * 1_024
  /// The largest content that is copied, so that it is sent in one call with its head; larger contents are shared, or read while they are sent.
  private static let largestCopy = 64 * 1_024
  /// The number of bytes of a file read at a time.
  private static let chunk = 128 * 1_024

  /// The number of unsent bytes that stops further responses: a request of a few bytes may be for a stub's largest file.
  private static let mostPending = 256 * 1_024

  /// The contents that are sent before `bytes`.
  private var pieces: [ResponseContent] = []
  private var bytes: [UInt8] = []
  /// The number of sent bytes of the first piece, or of `bytes`.
  private var sent = 0
  private(set) var count = 0

  var isEmpty: Bool { count == 0 }

  /// Whether nothing more should be appended.
  var isFull: Bool { count >= Self.mostPending }

  mutating func append(_ write: (inout [UInt8]) -> Void) {
    let before = bytes.count
    write(&bytes)
    count += bytes.count - before
  }

  /// Appends a content; a large one isn't copied.
  mutating func append(_ content: ResponseContent) {
    if content.count <= Self.largestCopy {
      let start = content.prefix(content.count)
      // Otherwise the file has become shorter, which `send` detects.
      if start.count == content.count { return append { $0.append(contentsOf: start) } }
    }
    if !bytes.isEmpty {
      pieces.append(.bytes(bytes[...]))
      bytes = []
    }
    pieces.append(content)
    count += content.count
  }

  /// Sends as much as the client accepts.
  mutating func send(on socket: Socket) -> Progress {
    while let piece = pieces.first {
      let progress = send(piece, on: socket)
      guard case .all = progress else { return progress }
      pieces.removeFirst()
    }
    let progress = send(.bytes(bytes[...]), on: socket)
    guard case .all = progress else { return progress }
    bytes.removeAll(keepingCapacity: bytes.capacity <= Self.keptCapacity)
    return .all
  }

  private mutating func send(_ content: ResponseContent, on socket: Socket) -> Progress {
    while sent < content.count {
      let transfer =
        switch content {
        case .bytes(let slice): slice.withUnsafeBytes { socket.send(UnsafeRawBufferPointer(rebasing: $0[sent...])) }
        case .file(let file, let range): Self.send(file, range.dropFirst(sent), on: socket)
        }
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

  private static func send(_ file: OpenFile, _ range: Range<Int>, on socket: Socket) -> Socket.Transfer {
    withUnsafeTemporaryAllocation(byteCount: min(range.count, chunk), alignment: 16) { buffer in
      let count = file.read(into: buffer, at: range.lowerBound)
      // The file has become shorter than the response said.
      guard count > 0 else { return .closed }
      return socket.send(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
    }
  }
}
