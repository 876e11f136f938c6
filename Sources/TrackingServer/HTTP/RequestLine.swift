struct RequestLine {
  private(set) var method = RequestMethod.other
  private(set) var methodName = ByteRange()
  var target = RequestTarget()
  private(set) var version = HTTPVersion.http11

  init() {}

  /// RFC 9112 3: method SP request-target SP HTTP-version, each SP exactly one space.
  ///
  /// RFC 9112 allows splitting at any whitespace, but then parsers read different targets, so this one refuses it.
  init(_ bytes: RequestBytes, _ line: ByteRange) throws(HTTPError) {
    let index = line.endOfToken(in: bytes)
    methodName = ByteRange(start: line.start, end: index)
    guard !methodName.isEmpty, index < line.end, bytes[index] == ASCII.space else {
      throw .badRequest("the request does not begin with a method and a single space, as in POST / HTTP/1.1")
    }
    method = RequestMethod(bytes, methodName)

    let rest = ByteRange(start: index &+ 1, end: line.end)
    guard let space = rest.firstIndex(of: ASCII.space, in: bytes) else {
      throw .badRequest("the request line has no version; end it in HTTP/1.1")
    }
    version = try HTTPVersion(bytes, ByteRange(start: space &+ 1, end: line.end))
    target = try RequestTarget(bytes, ByteRange(start: rest.start, end: space), method: method)
  }
}

enum HTTPVersion: Equatable {
  case http10
  /// HTTP/1.1 and, by RFC 9110 2.5, every later minor version.
  case http11

  init(_ bytes: RequestBytes, _ range: ByteRange) throws(HTTPError) {
    if range.equals("HTTP/1.1", in: bytes) {
      self = .http11
      return
    }
    // RFC 9112 2.3: HTTP-version = "HTTP" "/" DIGIT "." DIGIT, and the name is case-sensitive.
    guard range.count == 8, ByteRange(start: range.start, end: range.start + 5).equals("HTTP/", in: bytes),
      let major = ASCII.decimalValue(bytes[range.start + 5]), bytes[range.start + 6] == ASCII.period,
      let minor = ASCII.decimalValue(bytes[range.start + 7])
    else { throw .badRequest("the request line does not end in a version; end it in HTTP/1.1") }
    guard major == 1 else {
      throw HTTPError(status: 505, reason: "HTTP/\(major).\(minor) isn't supported; use HTTP/1.1")
    }
    self = minor == 0 ? .http10 : .http11
  }
}
