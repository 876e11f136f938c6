/// What Content-Length and Transfer-Encoding say about where a request ends.
///
/// Requests are smuggled where two readers disagree on this, so every form but the plainest is refused.
struct FramingFields {
  private var length: Int?
  private var isChunked = false

  /// RFC 9110 8.6: Content-Length = 1*DIGIT.
  ///
  /// RFC 9112 6.3 lets a list of equal lengths be taken for one; it is refused here, like signs and anything else that is not a digit.
  mutating func readContentLength(_ bytes: RequestBytes, _ value: ByteRange) throws(Refusal) {
    guard !value.isEmpty else { throw .badRequest("Content-Length is empty; give it the number of bytes in the body") }
    var number = 0
    var index = value.start
    while index < value.end {
      guard let digit = ASCII.decimalValue(bytes[index]) else {
        throw .badRequest("Content-Length is not one decimal number")
      }
      // RFC 9110 8.6: a recipient must not let the number overflow; what does not fit is above every limit.
      let product = number.multipliedReportingOverflow(by: 10)
      let sum = product.partialValue.addingReportingOverflow(digit)
      number = product.overflow || sum.overflow ? Int.max : sum.partialValue
      index &+= 1
    }
    length = number
  }

  /// RFC 9112 6.1 and 7: `chunked`, once and last; every other coding would have to be undone and is not implemented.
  mutating func readTransferEncoding(_ bytes: RequestBytes, _ value: ByteRange) throws(Refusal) {
    var last: ByteRange?
    var hasOtherCoding = false
    var chunkedCount = 0
    for coding in ListElements(bytes, value) {
      // RFC 9112 7: chunked has no parameters, and an empty element is a place to hide one.
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
    // RFC 9112 6.1: an unknown transfer coding is answered with 501.
    guard !hasOtherCoding else {
      throw Refusal(status: 501, reason: "the only Transfer-Encoding that is understood here is chunked")
    }
    isChunked = true
  }

  /// The framing of a whole head.
  func framing(version: HTTPVersion, bodyLimit: Int) throws(Refusal) -> MessageFraming {
    if isChunked {
      // RFC 9112 6.3: both framings present, so refuse and close.
      guard length == nil else {
        throw .badRequest("the request has both Content-Length and Transfer-Encoding; leave one out")
      }
      // RFC 9112 6.1: HTTP/1.0 knows no Transfer-Encoding, so the framing is faulty even without a length.
      guard version == .http11 else { throw .badRequest("Transfer-Encoding stands in an HTTP/1.0 request") }
      return .chunked
    }
    guard let length else { return .none }
    guard length <= bodyLimit else { throw Self.bodyTooLarge(limit: bodyLimit) }
    return .length(length)
  }

  static func bodyTooLarge(limit: Int) -> Refusal {
    Refusal(status: 413, reason: "the body is larger than the limit of \(limit) bytes; raise the server's limits.body")
  }
}
