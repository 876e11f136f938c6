import Foundation

/// Finds the lines of a head, of chunk framing and of trailers as their bytes arrive.
///
/// It remembers its position, so a line that arrives byte by byte is scanned once.
struct LineScanner {
  enum Outcome {
    /// A complete line, without its CRLF.
    case line(ByteRange)
    case partial
    case tooLong
  }

  /// The beginning of the next line.
  private(set) var start: Int
  private var scanned: Int

  init(start: Int = 0) {
    self.start = start
    scanned = start
  }

  /// The next line, if it is complete and ends at or before `limit`.
  ///
  /// The length is checked before the content, so the outcome doesn't depend on how the bytes were split into packets.
  mutating func next(in bytes: RequestBytes, limit: Int) throws(Refusal) -> Outcome {
    guard let lineFeed = firstLineFeed(in: bytes) else {
      scanned = bytes.count
      return bytes.count > limit ? .tooLong : .partial
    }
    guard lineFeed < limit else { return .tooLong }
    // RFC 9112 2.2: a bare LF may count as a line end; parsers differ, so refuse.
    guard lineFeed > start, bytes[lineFeed &- 1] == ASCII.carriageReturn else {
      throw .badRequest("a line ends in LF alone; end every line in CR LF")
    }
    let line = ByteRange(start: start, end: lineFeed &- 1)
    start = lineFeed &+ 1
    scanned = start
    return .line(line)
  }

  /// Skips bytes that aren't lines.
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
