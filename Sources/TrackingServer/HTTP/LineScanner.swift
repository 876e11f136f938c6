import Foundation

/// Finds the lines of a head, of chunk framing and of trailers as their bytes arrive.
///
/// It remembers how far it has looked, so a line that comes byte by byte is looked through once.
struct LineScanner {
  enum Outcome {
    /// A whole line, without its CRLF.
    case line(ByteRange)
    case partial
    case tooLong
  }

  /// Where the next line begins.
  private(set) var start: Int
  private var scanned: Int

  init(start: Int = 0) {
    self.start = start
    scanned = start
  }

  /// The next line, when it has arrived whole and ends at or before `limit`.
  ///
  /// What is too long is told by the number of bytes before it is looked at what they are, so that the outcome does not depend on how the bytes
  /// were cut into packets.
  mutating func next(in bytes: RequestBytes, limit: Int) throws(Refusal) -> Outcome {
    guard let lineFeed = firstLineFeed(in: bytes) else {
      scanned = bytes.count
      return bytes.count > limit ? .tooLong : .partial
    }
    guard lineFeed < limit else { return .tooLong }
    // RFC 9112 2.2: a bare LF may be taken for a line end; some parsers do and some do not, so refuse.
    guard lineFeed > start, bytes[lineFeed &- 1] == ASCII.carriageReturn else {
      throw .badRequest("a line ends in LF alone; end every line in CR LF")
    }
    let line = ByteRange(start: start, end: lineFeed &- 1)
    start = lineFeed &+ 1
    scanned = start
    return .line(line)
  }

  /// Passes over bytes that are not lines.
  mutating func skip(to offset: Int) {
    start = offset
    scanned = offset
  }

  /// Follows the bytes from `start` on when they are moved to `offset`.
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
