import Foundation

/// Finds the lines of a head, of chunk framing and of trailers as their bytes arrive; a line that arrives byte by byte is scanned once.
struct LineScanner {
  enum Outcome {
    /// A complete line, without its CRLF.
    case line(ByteRange)
    case partial
    case tooLong
  }

  private(set) var start: Int
  private var scanned: Int

  init(start: Int = 0) {
    self.start = start
    scanned = start
  }

  /// Returns the next line if it is complete and ends at or before `limit`.
  ///
  /// Checks the length before the content, so the result doesn't depend on packet boundaries.
  mutating func next(in bytes: RequestBytes, limit: Int) throws(HTTPError) -> Outcome {
    guard let lineFeed = firstLineFeed(in: bytes) else {
      scanned = bytes.count
      return bytes.count > limit ? .tooLong : .partial
    }
    guard lineFeed < limit else { return .tooLong }
    // RFC 9112 2.2: parsers differ on whether a bare LF ends a line, so refuse.
    guard lineFeed > start, bytes[lineFeed &- 1] == ASCII.carriageReturn else {
      throw .badRequest("a line ends in LF alone; end every line in CR LF")
    }
    let line = ByteRange(start: start, end: lineFeed &- 1)
    start = lineFeed &+ 1
    scanned = start
    return .line(line)
  }

  mutating func skip(to offset: Int) {
    start = offset
    scanned = offset
  }

  /// Adjusts the position after the bytes from `start` were moved to `offset`.
  mutating func move(to offset: Int) {
    scanned = offset + (scanned - start)
    start = offset
  }

  private func firstLineFeed(in bytes: RequestBytes) -> Int? {
    guard scanned < bytes.count, let base = bytes.baseAddress else { return nil }
    let from = UnsafeRawPointer(base + scanned)
    guard let found = memchr(from, Int32(ASCII.lineFeed), bytes.count &- scanned) else { return nil }
    return scanned + (UnsafeRawPointer(found) - from)
  }
}
