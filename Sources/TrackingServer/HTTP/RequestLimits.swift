/// A request's limits, as the parser applies them.
package struct RequestLimits {
  /// Bytes of the request line and the header section together, line ends included.
  let head: Int
  /// The number of header fields, and of a chunked body's trailer fields.
  let fieldCount: Int
  /// Bytes of the body, without its chunk framing.
  package let body: Int

  private let advice: Advice

  package init(head: Int, fieldCount: Int, body: Int, advice: Advice = .calls) {
    self.advice = advice
    // No request comes near a quarter of the address space; below it, sums of offsets can't overflow.
    self.head = min(max(head, 0), Int.max / 4)
    self.fieldCount = fieldCount
    self.body = min(max(body, 0), Int.max / 4)
  }

  var headTooLarge: Refusal {
    // RFC 6585 5: 431 for a header section as a whole, too.
    Refusal(status: 431, reason: "the request head is larger than \(head) bytes\(advice.raising("requestHead"))")
  }

  var lineTooLong: Refusal {
    // RFC 9112 3: a request line that is too long gets 414.
    Refusal(
      status: 414, reason: "the request line is longer than \(head) bytes\(advice.raising("requestHead"))")
  }

  var tooManyFields: Refusal {
    Refusal(
      status: 431,
      reason: "the request has more than \(fieldCount) header fields\(advice.raising("fieldCount"))")
  }

  package var bodyTooLarge: Refusal {
    Refusal(status: 413, reason: "the body is larger than the limit of \(body) bytes\(advice.raising("body"))")
  }
}
