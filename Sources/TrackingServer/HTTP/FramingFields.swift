/// The framing of a request, by Content-Length and Transfer-Encoding.
///
/// Accepts only the plainest form, since request smuggling exploits readers that disagree.
struct FramingFields {
  private var length: Int?
  private var isChunked = false

  /// RFC 9110 8.6: Content-Length = 1*DIGIT.
  ///
  /// A list of equal lengths, which RFC 9112 6.3 allows, is refused.
  mutating func readContentLength(_ bytes: RequestBytes, _ value: ByteRange) throws(HTTPError) {
    guard !value.isEmpty else { throw .badRequest("Content-Length is empty; give it the number of bytes in the body") }
    guard let number = value.decimal(in: bytes) else { throw .badRequest("Content-Length is not one decimal number") }
    // RFC 9110 8.6: a recipient must not let the number overflow; a number that doesn't fit is above every limit.
    length = number.fits ? Int(clamping: number.value) : .max
  }

  /// RFC 9112 6.1 and 7: `chunked`, once and last; other codings aren't implemented.
  mutating func readTransferEncoding(_ bytes: RequestBytes, _ value: ByteRange) throws(HTTPError) {
    var last: ByteRange?
    var hasOtherCoding = false
    var chunkedCount = 0
    for coding in ListElements(bytes, value) {
      // RFC 9112 7: chunked has no parameters, and an empty element could hide one.
      guard coding.isToken(in: bytes) else {
        throw .badRequest("Transfer-Encoding is not a list of plain coding names")
      }
      if coding.equals("chunked", ignoringCaseIn: bytes) {
        chunkedCount += 1
      } else {
        hasOtherCoding = true
      }
      last = coding
    }
    // RFC 9112 6.3: without a final chunked the length of a request cannot be known; RFC 9112 6.1: chunked is never applied twice.
    guard let last, last.equals("chunked", ignoringCaseIn: bytes), chunkedCount == 1 else {
      throw .badRequest("Transfer-Encoding does not end in a single chunked")
    }
    // RFC 9112 6.1: the response to an unknown transfer coding is 501.
    guard !hasOtherCoding else {
      throw HTTPError(status: 501, reason: "unsupported Transfer-Encoding; only chunked is supported")
    }
    isChunked = true
  }

  func framing(version: HTTPVersion) throws(HTTPError) -> MessageFraming {
    if isChunked {
      // RFC 9112 6.3: both framings present, so refuse and close.
      guard length == nil else {
        throw .badRequest("the request has both Content-Length and Transfer-Encoding; leave one out")
      }
      // RFC 9112 6.1: HTTP/1.0 knows no Transfer-Encoding, so the framing is faulty even without a length.
      guard version == .http11 else { throw .badRequest("Transfer-Encoding is in an HTTP/1.0 request") }
      return .chunked
    }
    guard let length else { return .none }
    return .length(length)
  }
}

/// The way to find the end of a request's body.
enum MessageFraming: Equatable {
  case none
  case length(Int)
  case chunked
}

struct ConnectionFields {
  private var asksToClose = false
  private var asksToKeepAlive = false
  private var expectsContinue = false
  private var expectsSomethingElse = false

  /// RFC 9110 7.6.1: a list of case-insensitive options, of which only these two concern the server.
  mutating func readConnection(_ bytes: RequestBytes, _ value: ByteRange) {
    for option in ListElements(bytes, value) {
      if option.equals("close", ignoringCaseIn: bytes) {
        asksToClose = true
      } else if option.equals("keep-alive", ignoringCaseIn: bytes) {
        asksToKeepAlive = true
      }
    }
  }

  /// RFC 9110 10.1.1: a list of case-insensitive expectations, of which only 100-continue is defined.
  mutating func readExpect(_ bytes: RequestBytes, _ value: ByteRange) {
    for expectation in ListElements(bytes, value) where !expectation.isEmpty {
      if expectation.equals("100-continue", ignoringCaseIn: bytes) {
        expectsContinue = true
      } else {
        expectsSomethingElse = true
      }
    }
  }

  /// RFC 9112 9.3: close wins; HTTP/1.1 persists by default, HTTP/1.0 on request.
  func keepsAlive(version: HTTPVersion) -> Bool {
    switch version {
    case .http10: asksToKeepAlive && !asksToClose
    case .http11: !asksToClose
    }
  }

  /// Whether the client waits for a 100 before it sends its body.
  func expectsContinue(version: HTTPVersion, framing: MessageFraming) throws(HTTPError) -> Bool {
    // RFC 9110 10.1.1: the expectation of an HTTP/1.0 client is ignored.
    guard version == .http11 else { return false }
    guard !expectsSomethingElse else {
      throw HTTPError(status: 417, reason: "unsupported Expect value; only 100-continue is supported")
    }
    // RFC 9110 10.1.1: no 100 if the framing says that no content follows.
    return expectsContinue && framing != .none && framing != .length(0)
  }
}
