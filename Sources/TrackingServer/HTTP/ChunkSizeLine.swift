/// The line before a chunk's data.
struct ChunkSizeLine {
  /// The most digits a size is taken with; more are leading zeros, or more than a `UInt64` holds.
  static let mostDigits = 16

  let size: UInt64
  /// Bytes of the extensions, which are checked and ignored.
  let extensionLength: Int

  /// RFC 9112 7.1: chunk-size [ chunk-ext ].
  init(_ bytes: RequestBytes, _ line: ByteRange) throws(Refusal) {
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

  private static var malformed: Refusal {
    .badRequest("a chunk does not begin with a line of at most 16 hexadecimal digits")
  }

  /// RFC 9112 7.1.1: BWS ";" BWS chunk-ext-name [ BWS "=" BWS chunk-ext-val ].
  private static func skipExtension(_ bytes: RequestBytes, _ rest: ByteRange) throws(Refusal) -> Int {
    let malformed = Refusal.badRequest("a chunk size is followed by something that is not a chunk extension")
    var index = skipWhitespace(bytes, rest, from: rest.start)
    guard index < rest.end, bytes[index] == ASCII.semicolon else { throw malformed }
    index = skipWhitespace(bytes, rest, from: index + 1)
    let nameEnd = skipToken(bytes, rest, from: index)
    guard nameEnd > index else { throw malformed }

    index = skipWhitespace(bytes, rest, from: nameEnd)
    // The whitespace may belong to a next extension; whoever looks for that one finds out.
    guard index < rest.end, bytes[index] == ASCII.equals else { return nameEnd }
    index = skipWhitespace(bytes, rest, from: index + 1)
    guard index < rest.end else { throw malformed }
    if bytes[index] == ASCII.quote {
      guard let end = endOfQuotedString(bytes, rest, from: index) else { throw malformed }
      return end
    }
    let valueEnd = skipToken(bytes, rest, from: index)
    guard valueEnd > index else { throw malformed }
    return valueEnd
  }

  private static func skipWhitespace(_ bytes: RequestBytes, _ rest: ByteRange, from start: Int) -> Int {
    var index = start
    while index < rest.end, ASCII.isWhitespace(bytes[index]) { index += 1 }
    return index
  }

  private static func skipToken(_ bytes: RequestBytes, _ rest: ByteRange, from start: Int) -> Int {
    var index = start
    while index < rest.end, ByteSet.token.contains(bytes[index]) { index += 1 }
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
