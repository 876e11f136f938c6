/// The target of a request, in one of the four forms of RFC 9112 3.2.
struct RequestTarget {
  enum Form: Equatable {
    case origin, absolute, authority, asterisk
  }

  private(set) var form = Form.origin
  private(set) var whole = ByteRange()
  /// The path as sent; empty in authority-form and in an absolute-form without one.
  private(set) var path = ByteRange()
  private(set) var query: ByteRange?
  /// The authority in the target itself.
  private(set) var authority: Authority?

  init() {}

  init(_ bytes: RequestBytes, _ range: ByteRange, method: RequestMethod) throws(HTTPError) {
    whole = range
    try Self.checkCharacters(bytes, range)
    guard method != .connect else {
      try readAuthorityForm(bytes)
      return
    }
    if bytes[range.start] == ASCII.slash {
      splitQuery(from: range.start, bytes)
    } else if range.equals("*", in: bytes) {
      // RFC 9112 3.2.4: asterisk-form is for OPTIONS only.
      guard method == .options else { throw .badRequest("the target * is for OPTIONS only; name a path") }
      form = .asterisk
      path = range
    } else {
      try readAbsoluteForm(bytes)
    }
  }

  private static func checkCharacters(_ bytes: RequestBytes, _ range: ByteRange) throws(HTTPError) {
    guard !range.isEmpty else {
      throw .badRequest("the request line has no target or more than one space before it; put single spaces")
    }
    var index = range.start
    while index < range.end {
      let byte = bytes[index]
      guard ByteSet.target.contains(byte) else {
        throw .badRequest("the target holds a byte that no URL may hold; percent-encode it and leave fragments out")
      }
      if byte == ASCII.percent {
        guard range.isPercentEncoding(at: index, in: bytes) else {
          throw .badRequest("a % in the target is not followed by two hexadecimal digits; percent-encode it as %25")
        }
      }
      index &+= 1
    }
  }

  private mutating func splitQuery(from start: Int, _ bytes: RequestBytes) {
    let rest = ByteRange(start: start, end: whole.end)
    if let mark = rest.firstIndex(of: ASCII.questionMark, in: bytes) {
      path = ByteRange(start: start, end: mark)
      query = ByteRange(start: mark + 1, end: whole.end)
    } else {
      path = rest
    }
  }

  /// RFC 9112 3.2.2: a server accepts absolute-form in every request, and its authority overrides the Host field.
  private mutating func readAbsoluteForm(_ bytes: RequestBytes) throws(HTTPError) {
    let scheme: StaticString = "http://"
    guard whole.begins(with: scheme, ignoringCaseIn: bytes) else {
      throw .badRequest("the target is neither a path nor an http URL; begin it with a slash")
    }
    let start = whole.start + scheme.utf8CodeUnitCount
    var end = start
    while end < whole.end, bytes[end] != ASCII.slash, bytes[end] != ASCII.questionMark { end += 1 }
    // RFC 9110 4.2.1 and 4.2.4: an http URL without a host, or with user information, is invalid.
    guard let named = Authority(bytes, ByteRange(start: start, end: end)) else {
      throw .badRequest("the URL in the request line has no valid host and port")
    }
    form = .absolute
    authority = named
    splitQuery(from: end, bytes)
  }

  /// RFC 9112 3.2.3: CONNECT takes uri-host ":" port and nothing else; RFC 9110 9.3.6: an empty port is refused.
  private mutating func readAuthorityForm(_ bytes: RequestBytes) throws(HTTPError) {
    guard let named = Authority(bytes, whole), named.port != nil else {
      throw .badRequest("the target of CONNECT is not a host and a port")
    }
    form = .authority
    authority = named
    path = ByteRange(start: whole.end, end: whole.end)
  }
}
