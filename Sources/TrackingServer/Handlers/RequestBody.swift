/// The body of a request: the bytes that a handler has decoded, and the refusals for handlers that need to read it.
///
/// The bytes as received are in the connection's parser.
struct RequestBody {
  /// The decoded bytes of a body with a content coding.
  var decoded: [UInt8]?
  /// The refusal for all readers of the body, because its coding is unknown.
  var refusal: Refusal?
  /// The refusal of a request that an accepted format can't read, unless a stub or the server's own format answers it.
  var formatRefusal: Refusal?

  /// Whether a body has a content coding.
  static func isCoded(_ head: borrowing RequestHead) -> Bool {
    head.has(.contentEncoding) && !head.field(.contentEncoding, equalsIgnoringCase: "identity")
  }

  /// The refusal of a body with an unknown coding.
  static func refusalOfCoding(_ head: borrowing RequestHead) -> Refusal? {
    guard isCoded(head), ContentCoding(head) == nil else { return nil }
    return Refusal(
      status: 415,
      reason: """
        the body is coded as \(Refusal.quoted(head.value(of: .contentEncoding))), which is not decoded here; set the \
        sender's compression to gzip, or switch it off
        """)
  }
}
