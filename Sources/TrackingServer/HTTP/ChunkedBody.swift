/// Removes the chunk framing of a body in place: data moves down in the receive buffer, over the framing before it.
///
/// Each byte moves a bounded number of times, so a million chunks of one byte cost as much as one chunk of a million bytes.
package struct ChunkedBody {
  private enum Stage {
    case size, data, dataEnd, trailers, complete
  }

  private var stage = Stage.size
  private var lines: LineScanner
  /// The number of this chunk's data bytes that haven't arrived.
  private var missing = 0
  /// The number of bytes left for chunk extensions and trailers.
  private var allowance: Int
  private var trailerCount = 0
  package private(set) var end: Int
  private let start: Int

  package init(start: Int, limits: RequestLimits) {
    self.start = start
    end = start
    lines = LineScanner(start: start)
    allowance = limits.head
  }

  /// The first byte that hasn't been decoded; after the last chunk, the beginning of the next request.
  var next: Int { lines.start }

  /// Decodes the received bytes; returns whether the body is complete.
  package mutating func decode(
    _ bytes: UnsafeMutableBufferPointer<UInt8>, limits: RequestLimits
  ) throws(HTTPError) -> Bool {
    let view = RequestBytes(bytes)
    while true {
      switch stage {
      case .size: guard try readSize(view, limits) else { return false }
      case .data: guard moveData(bytes) else { return false }
      case .dataEnd: guard try readDataEnd(view) else { return false }
      case .trailers: guard try readTrailer(view, limits) else { return false }
      case .complete: return true
      }
    }
  }

  /// Adjusts the offsets after the bytes from `next` on were moved down to `end`.
  mutating func closedGap() {
    lines.move(to: end)
  }

  private mutating func readSize(_ bytes: RequestBytes, _ limits: RequestLimits) throws(HTTPError) -> Bool {
    switch try lines.next(in: bytes, limit: lines.start + ChunkSizeLine.mostDigits + allowance + 2) {
    case .partial: return false
    case .tooLong: throw Self.extensionsTooLong
    case .line(let range):
      let line = try ChunkSizeLine(bytes, range)
      guard line.extensionLength <= allowance else { throw Self.extensionsTooLong }
      allowance -= line.extensionLength
      guard line.size <= UInt64(limits.body - (end - start)) else {
        throw limits.bodyTooLarge
      }
      missing = Int(line.size)
      stage = missing == 0 ? .trailers : .data
      return true
    }
  }

  private mutating func moveData(_ bytes: UnsafeMutableBufferPointer<UInt8>) -> Bool {
    let count = min(missing, bytes.count - lines.start)
    guard count > 0, let base = bytes.baseAddress else { return false }
    if lines.start > end {
      UnsafeMutableRawPointer(base + end).copyMemory(from: base + lines.start, byteCount: count)
    }
    end += count
    missing -= count
    lines.skip(to: lines.start + count)
    if missing == 0 { stage = .dataEnd }
    return true
  }

  /// RFC 9112 7.1: chunk-data is followed by CRLF, and by nothing that might be more data or the next size.
  private mutating func readDataEnd(_ bytes: RequestBytes) throws(HTTPError) -> Bool {
    let misplaced = HTTPError.badRequest("the data of a chunk is not followed by CR LF where its size says it ends")
    guard lines.start < bytes.count else { return false }
    guard bytes[lines.start] == ASCII.carriageReturn else { throw misplaced }
    guard lines.start + 1 < bytes.count else { return false }
    guard bytes[lines.start + 1] == ASCII.lineFeed else { throw misplaced }
    lines.skip(to: lines.start + 2)
    stage = .size
    return true
  }

  /// RFC 9112 7.1.2: trailers are fields; RFC 9110 6.5.1: they may be dropped, and nothing here needs them.
  private mutating func readTrailer(_ bytes: RequestBytes, _ limits: RequestLimits) throws(HTTPError) -> Bool {
    let tooLong = HTTPError(status: 431, reason: "the trailer section of the body is too long")
    let lineStart = lines.start
    // The empty line that ends the section is always allowed.
    switch try lines.next(in: bytes, limit: lineStart + allowance + 2) {
    case .partial: return false
    case .tooLong: throw tooLong
    case .line(let range):
      guard !range.isEmpty else {
        stage = .complete
        return true
      }
      allowance -= lines.start - lineStart
      guard allowance >= 0 else { throw tooLong }
      _ = try FieldLine(bytes, range)
      trailerCount += 1
      guard trailerCount <= limits.fieldCount else {
        throw HTTPError(status: 431, reason: "the body has more than \(limits.fieldCount) trailer fields")
      }
      return true
    }
  }

  private static var extensionsTooLong: HTTPError {
    // RFC 9112 7.1.1: the total length of chunk extensions is limited, with a response of class 4xx.
    HTTPError(status: 413, reason: "the chunk extensions of the body are too long")
  }
}

struct ChunkSizeLine {
  /// The maximum number of digits; more would be leading zeros or overflow a `UInt64`.
  static let mostDigits = 16

  let size: UInt64
  /// The number of bytes of the extensions, which are checked and ignored.
  let extensionLength: Int

  /// RFC 9112 7.1: chunk-size [ chunk-ext ].
  init(_ bytes: RequestBytes, _ line: ByteRange) throws(HTTPError) {
    var index = line.start
    var number: UInt64 = 0
    while index < line.end, let digit = ASCII.hexadecimalValue(bytes[index]) {
      // RFC 9112 7.1: a recipient must not let the size overflow.
      guard index - line.start < Self.mostDigits else { throw Self.malformed }
      number = number << 4 | digit
      index += 1
    }
    guard index > line.start else { throw Self.malformed }
    size = number
    extensionLength = line.end - index
    while index < line.end { index = try Self.skipExtension(bytes, ByteRange(start: index, end: line.end)) }
  }

  private static var malformed: HTTPError {
    .badRequest("a chunk does not begin with a line of at most 16 hexadecimal digits")
  }

  /// RFC 9112 7.1.1: BWS ";" BWS chunk-ext-name [ BWS "=" BWS chunk-ext-val ].
  private static func skipExtension(_ bytes: RequestBytes, _ rest: ByteRange) throws(HTTPError) -> Int {
    let malformed = HTTPError.badRequest("a chunk size is followed by something that is not a chunk extension")
    var index = skipWhitespace(bytes, rest, from: rest.start)
    guard index < rest.end, bytes[index] == ASCII.semicolon else { throw malformed }
    index = skipWhitespace(bytes, rest, from: index + 1)
    let nameEnd = ByteRange(start: index, end: rest.end).endOfToken(in: bytes)
    guard nameEnd > index else { throw malformed }

    index = skipWhitespace(bytes, rest, from: nameEnd)
    // The whitespace may belong to the next extension, which is checked in the next call.
    guard index < rest.end, bytes[index] == ASCII.equals else { return nameEnd }
    index = skipWhitespace(bytes, rest, from: index + 1)
    guard index < rest.end else { throw malformed }
    if bytes[index] == ASCII.quote {
      guard let end = endOfQuotedString(bytes, rest, from: index) else { throw malformed }
      return end
    }
    let valueEnd = ByteRange(start: index, end: rest.end).endOfToken(in: bytes)
    guard valueEnd > index else { throw malformed }
    return valueEnd
  }

  private static func skipWhitespace(_ bytes: RequestBytes, _ rest: ByteRange, from start: Int) -> Int {
    var index = start
    while index < rest.end, ASCII.isWhitespace(bytes[index]) { index += 1 }
    return index
  }

  /// RFC 9110 5.6.4: quoted-string, where a backslash takes the next byte as it is.
  private static func endOfQuotedString(_ bytes: RequestBytes, _ rest: ByteRange, from quote: Int) -> Int? {
    var index = quote + 1
    while index < rest.end, ASCII.isFieldContent(bytes[index]) {
      if bytes[index] == ASCII.quote { return index + 1 }
      if bytes[index] == ASCII.backslash {
        index += 1
        guard index < rest.end, ASCII.isFieldContent(bytes[index]) else { return nil }
      }
      index += 1
    }
    return nil
  }
}
