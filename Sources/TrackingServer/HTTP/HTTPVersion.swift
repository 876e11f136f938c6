/// The version of a request, as far as it makes a difference.
enum HTTPVersion: Equatable {
  case http10
  /// HTTP/1.1 and, by RFC 9110 2.5, every later minor version.
  case http11

  init(_ bytes: RequestBytes, _ range: ByteRange) throws(Refusal) {
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
      throw Refusal(status: 505, reason: "HTTP/\(major).\(minor) is not spoken here; speak HTTP/1.1")
    }
    self = minor == 0 ? .http10 : .http11
  }
}
