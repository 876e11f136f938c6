/// A request's limits, as the parser applies them.
package struct RequestLimits {
  /// Bytes of the request line and the header section together, line ends included.
  let head: Int
  /// The number of header fields, and of a chunked body's trailer fields.
  let fieldCount: Int
  /// Bytes of the body, without its chunk framing.
  package let body: Int

  private let vocabulary: Vocabulary

  package init(head: Int, fieldCount: Int, body: Int, vocabulary: Vocabulary = .calls) {
    self.vocabulary = vocabulary
    // No request comes near a quarter of the address space; below it, sums of offsets can't overflow.
    self.head = min(max(head, 0), Int.max / 4)
    self.fieldCount = fieldCount
    self.body = min(max(body, 0), Int.max / 4)
  }

  var headTooLarge: HTTPError {
    // RFC 6585 5: 431 for a header section as a whole, too.
    HTTPError(status: 431, reason: "the request head is larger than \(head) bytes\(vocabulary.raising("requestHead"))")
  }

  var lineTooLong: HTTPError {
    // RFC 9112 3: a request line that is too long gets 414.
    HTTPError(
      status: 414, reason: "the request line is longer than \(head) bytes\(vocabulary.raising("requestHead"))")
  }

  var tooManyFields: HTTPError {
    HTTPError(
      status: 431,
      reason: "the request has more than \(fieldCount) header fields\(vocabulary.raising("fieldCount"))")
  }

  package var bodyTooLarge: HTTPError {
    HTTPError(status: 413, reason: "the body is larger than the limit of \(body) bytes\(vocabulary.raising("body"))")
  }
}
