/// The request line and header section of the request that a parser is at.
///
/// It holds places in the parser's receive buffer and no bytes of its own, so it cannot be copied out of the parser and is read in place:
/// from the parser's `.head` on until `finish()`.
struct RequestHead: ~Copyable {
  /// The request's bytes as far as they have arrived; the parser sets it anew whenever it moves them.
  var bytes = RequestBytes(start: nil, count: 0)
  private(set) var line = RequestLine()
  private(set) var table = FieldTable()
  /// How the end of the body is found.
  private(set) var framing = MessageFraming.none
  /// Whether the client takes further answers on this connection.
  private(set) var keepsAlive = true
  /// Whether the client waits for a 100 before it sends a body that is not empty.
  private(set) var expectsContinue = false
  /// Whom the request is for, for decisions about its origin; `nil` in HTTP/1.0 without a Host field.
  ///
  /// RFC 9112 3.2.2: the authority of an absolute-form target goes before the Host field.
  private(set) var authority: Authority?

  private var framingFields = FramingFields()
  private var connectionFields = ConnectionFields()

  mutating func readRequestLine(_ range: ByteRange) throws(Refusal) {
    line = try RequestLine(bytes, range)
    authority = line.target.authority
  }

  mutating func readField(_ range: ByteRange, limits: TrackingServer.Limits) throws(Refusal) {
    let field = try FieldLine(bytes, range)
    guard table.lines.count < limits.fieldCount else {
      throw Refusal(
        status: 431,
        reason: "the request has more than \(limits.fieldCount) header fields; raise the server's limits.fieldCount")
    }
    switch try table.append(field, bytes) {
    case .host: try readHost(field.value)
    case .contentLength: try framingFields.readContentLength(bytes, field.value)
    case .transferEncoding: try framingFields.readTransferEncoding(bytes, field.value)
    case .connection: connectionFields.readConnection(bytes, field.value)
    case .expect: connectionFields.readExpect(bytes, field.value)
    case .origin, .contentType, .contentEncoding, .trackingSession, .trackingLaunch, .trackingSequence, nil: break
    }
  }

  /// What can be said only when every field is known.
  mutating func complete(limits: TrackingServer.Limits) throws(Refusal) {
    // RFC 9112 3.2: an HTTP/1.1 request without Host is refused.
    guard line.version == .http10 || table[.host] != nil else { throw .badRequest("the request has no Host field") }
    framing = try framingFields.framing(version: line.version, bodyLimit: limits.body)
    keepsAlive = connectionFields.keepsAlive(version: line.version)
    expectsContinue = try connectionFields.expectsContinue(version: line.version, framing: framing)
  }

  /// Forgets the request and keeps the room for the next one's fields.
  mutating func reset() {
    line = RequestLine()
    table.removeAll()
    framing = .none
    keepsAlive = true
    expectsContinue = false
    authority = nil
    framingFields = FramingFields()
    connectionFields = ConnectionFields()
  }

  private mutating func readHost(_ value: ByteRange) throws(Refusal) {
    // RFC 9112 3.2: a client that has no authority to name sends an empty Host.
    guard let named = value.isEmpty ? Authority(emptyAt: value.start) : Authority(bytes, value) else {
      throw .badRequest("the Host field is not a host with an optional port")
    }
    if authority == nil { authority = named }
  }
}
