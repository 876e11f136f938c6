/// The first line of a request.
struct RequestLine {
  private(set) var method = RequestMethod.other
  private(set) var methodName = ByteRange()
  private(set) var target = RequestTarget()
  private(set) var version = HTTPVersion.http11

  init() {}

  /// RFC 9112 3: method SP request-target SP HTTP-version, each SP exactly one space.
  ///
  /// RFC 9112 3 lets a server split at any whitespace; what one parser splits there another takes as part of the target, so this one does not.
  init(_ bytes: RequestBytes, _ line: ByteRange) throws(Refusal) {
    var index = line.start
    while index < line.end, ByteSet.token.contains(bytes[index]) { index &+= 1 }
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
