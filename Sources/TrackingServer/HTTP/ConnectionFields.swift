/// What Connection and Expect ask of the server.
struct ConnectionFields {
  private var asksToClose = false
  private var asksToKeepAlive = false
  private var expectsContinue = false
  private var expectsSomethingElse = false

  /// RFC 9110 7.6.1: a list of case-insensitive options, of which all but these two are for others to read.
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

  /// RFC 9112 9.3: close goes before all; 1.1 persists by itself, 1.0 when it asks to.
  func keepsAlive(version: HTTPVersion) -> Bool {
    switch version {
    case .http10: asksToKeepAlive && !asksToClose
    case .http11: !asksToClose
    }
  }

  /// Whether the client waits for a 100 before it sends its body.
  func expectsContinue(version: HTTPVersion, framing: MessageFraming) throws(Refusal) -> Bool {
    // RFC 9110 10.1.1: the expectation of an HTTP/1.0 client is ignored.
    guard version == .http11 else { return false }
    guard !expectsSomethingElse else {
      throw Refusal(status: 417, reason: "the only expectation that is met here is 100-continue")
    }
    // RFC 9110 10.1.1: no 100 where the framing says that no content follows.
    return expectsContinue && framing != .none && framing != .length(0)
  }
}
