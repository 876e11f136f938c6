/// One line of a header or trailer section.
struct FieldLine {
  let name: ByteRange
  /// The value without the whitespace around it.
  let value: ByteRange

  /// RFC 9112 5: field-name ":" OWS field-value OWS.
  init(_ bytes: RequestBytes, _ line: ByteRange) throws(Refusal) {
    var index = line.start
    while index < line.end, ByteSet.token.contains(bytes[index]) { index &+= 1 }
    guard index > line.start, index < line.end, bytes[index] == ASCII.colon else {
      throw Self.refusal(bytes, line, nameEnd: index)
    }
    name = ByteRange(start: line.start, end: index)
    value = ByteRange(start: index &+ 1, end: line.end).trimmed(in: bytes)

    // Counted without a branch, so that the compiler looks at many bytes at a time.
    var misfits: UInt8 = 0
    index = value.start
    while index < value.end {
      misfits |= ASCII.isFieldContent(bytes[index]) ? 0 : 1
      index &+= 1
    }
    // RFC 9110 5.5: CR, LF and NUL within a value are dangerous and refused; so is every other control byte.
    guard misfits == 0 else { throw .badRequest("a header field value holds a control byte") }
  }

  private static func refusal(_ bytes: RequestBytes, _ line: ByteRange, nameEnd: Int) -> Refusal {
    if nameEnd == line.start, ASCII.isWhitespace(bytes[line.start]) {
      // RFC 9112 5.2: a server refuses obs-fold; RFC 9112 2.2: likewise whitespace before the first field.
      return .badRequest("a header line begins with whitespace; put each field on a line of its own")
    }
    guard nameEnd < line.end else { return .badRequest("a header line has no colon") }
    if nameEnd == line.start, bytes[nameEnd] == ASCII.colon { return .badRequest("a header line has no field name") }
    if ASCII.isWhitespace(bytes[nameEnd]) {
      // RFC 9112 5.1: whitespace before the colon has been read in two ways, so refuse.
      return .badRequest("whitespace stands in a header field name or before its colon")
    }
    return .badRequest("a header field name holds a byte that is not allowed in names")
  }
}
