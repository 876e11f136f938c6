import TrackingJSON

/// The body of a request: the decoded bytes, or the reason that it can't be read.
///
/// The received bytes are in the connection's parser.
struct RequestBody {
  /// The handler that couldn't read a body, with its refusal.
  enum Unread {
    /// From `ContentDecoder`, which doesn't know the content coding.
    case coded(HTTPError)
    /// From `FormatIntake`: the request has the path of an accepted format, and no format reads it.
    case ofNoFormat(HTTPError, at: JSONError? = nil)
  }

  var decoded: [UInt8]?
  /// The reason that the body can't be read; `UnreadBody` refuses the request unless an earlier handler has responded.
  var unread: Unread?

  static func isCoded(_ head: borrowing RequestHead) -> Bool {
    head.has(.contentEncoding) && !head.field(.contentEncoding, equalsIgnoringCase: "identity")
  }

  static func refusalOfCoding(_ head: borrowing RequestHead) -> HTTPError? {
    guard isCoded(head), ContentCoding(head) == nil else { return nil }
    return HTTPError(
      status: 415,
      reason: """
        the body is coded as \(HTTPError.quoted(head.value(of: .contentEncoding))), which isn't supported; set the \
        sender's compression to gzip, or switch it off
        """)
  }
}
