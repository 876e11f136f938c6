/// The header fields of a request, as ranges of its bytes.
struct FieldTable {
  private(set) var lines: [FieldLine] = []
  /// The values of the known fields, valid if in `seen`, so that a new request clears a single word.
  private var values = [ByteRange](repeating: ByteRange(), count: KnownField.allCases.count)
  private var seen: UInt16 = 0

  /// Adds a line; returns the known field that it is.
  mutating func append(_ line: FieldLine, _ bytes: RequestBytes) throws(HTTPError) -> KnownField? {
    lines.append(line)
    guard let field = KnownField(bytes, name: line.name) else { return nil }
    let bit: UInt16 = 1 << UInt16(field.rawValue)
    // RFC 9112 3.2 for Host, RFC 9112 6.3 for Content-Length, RFC 9110 5.3 for the others.
    guard seen & bit == 0 || !field.isSingle else {
      throw .badRequest("the field \(field.name) is in the request more than once")
    }
    seen |= bit
    values[field.rawValue] = line.value
    return field
  }

  /// The value of a field that may have only one line.
  subscript(_ field: KnownField) -> ByteRange? {
    seen & (1 << UInt16(field.rawValue)) == 0 ? nil : values[field.rawValue]
  }

  mutating func removeAll() {
    lines.removeAll(keepingCapacity: true)
    seen = 0
  }
}

struct FieldLine {
  let name: ByteRange
  let value: ByteRange

  /// RFC 9112 5: field-name ":" OWS field-value OWS.
  init(_ bytes: RequestBytes, _ line: ByteRange) throws(HTTPError) {
    var index = line.endOfToken(in: bytes)
    guard index > line.start, index < line.end, bytes[index] == ASCII.colon else {
      throw Self.refusal(bytes, line, nameEnd: index)
    }
    name = ByteRange(start: line.start, end: index)
    value = ByteRange(start: index &+ 1, end: line.end).trimmed(in: bytes)

    // Counted without a branch, so that the compiler can vectorise the loop.
    var misfits: UInt8 = 0
    index = value.start
    while index < value.end {
      misfits |= ASCII.isFieldContent(bytes[index]) ? 0 : 1
      index &+= 1
    }
    // RFC 9110 5.5: CR, LF and NUL within a value are dangerous and refused; so is every other control byte.
    guard misfits == 0 else { throw .badRequest("a header field value holds a control byte") }
  }

  private static func refusal(_ bytes: RequestBytes, _ line: ByteRange, nameEnd: Int) -> HTTPError {
    if nameEnd == line.start, ASCII.isWhitespace(bytes[line.start]) {
      // RFC 9112 5.2: a server refuses obs-fold; RFC 9112 2.2: likewise whitespace before the first field.
      return .badRequest("a header line begins with whitespace; put each field on a separate line")
    }
    guard nameEnd < line.end else { return .badRequest("a header line has no colon") }
    if nameEnd == line.start, bytes[nameEnd] == ASCII.colon { return .badRequest("a header line has no field name") }
    if ASCII.isWhitespace(bytes[nameEnd]) {
      // RFC 9112 5.1: whitespace before the colon has been read in two ways, so refuse.
      return .badRequest("whitespace is in a header field name or before its colon")
    }
    return .badRequest("a header field name holds a byte that is not allowed in names")
  }
}

/// The header fields that the server uses, recognized while the head is parsed.
enum KnownField: Int, CaseIterable {
  case host, origin, contentType, contentEncoding, contentLength, transferEncoding, connection, expect
  case trackingSession, trackingLaunch, trackingSequence
  case secFetchSite

  init?(_ bytes: RequestBytes, name: ByteRange) {
    let candidate: (StaticString, KnownField)
    switch (name.count, ASCII.lowercased(bytes[name.start])) {
    case (4, _): candidate = ("host", .host)
    case (6, UInt8(ascii: "o")): candidate = ("origin", .origin)
    case (6, _): candidate = ("expect", .expect)
    case (10, _): candidate = ("connection", .connection)
    case (12, _): candidate = ("content-type", .contentType)
    case (14, UInt8(ascii: "s")): candidate = ("sec-fetch-site", .secFetchSite)
    case (14, _): candidate = ("content-length", .contentLength)
    case (15, _): candidate = ("tracking-launch", .trackingLaunch)
    case (16, UInt8(ascii: "t")): candidate = ("tracking-session", .trackingSession)
    case (16, _): candidate = ("content-encoding", .contentEncoding)
    case (17, UInt8(ascii: "t")): candidate = Self.seventeen(bytes, name)
    default: return nil
    }
    guard name.equals(candidate.0, ignoringCaseIn: bytes) else { return nil }
    self = candidate.1
  }

  /// Whether a second line of this field makes the request ambiguous.
  ///
  /// RFC 9110 5.3: only list-based fields may have several lines. Content-Encoding is one, but a reader that takes the first line would miss the
  /// second.
  var isSingle: Bool {
    switch self {
    case .connection, .expect: false
    case .host, .origin, .contentType, .contentEncoding, .contentLength, .transferEncoding, .trackingSession,
      .trackingLaunch, .trackingSequence, .secFetchSite:
      true
    }
  }

  var name: String {
    switch self {
    case .host: "Host"
    case .origin: "Origin"
    case .contentType: "Content-Type"
    case .contentEncoding: "Content-Encoding"
    case .contentLength: "Content-Length"
    case .transferEncoding: "Transfer-Encoding"
    case .connection: "Connection"
    case .expect: "Expect"
    case .trackingSession: "Tracking-Session"
    case .trackingLaunch: "Tracking-Launch"
    case .trackingSequence: "Tracking-Sequence"
    case .secFetchSite: "Sec-Fetch-Site"
    }
  }

  private static func seventeen(_ bytes: RequestBytes, _ name: ByteRange) -> (StaticString, KnownField) {
    ASCII.lowercased(bytes[name.end - 1]) == UInt8(ascii: "g")
      ? ("transfer-encoding", .transferEncoding) : ("tracking-sequence", .trackingSequence)
  }
}
