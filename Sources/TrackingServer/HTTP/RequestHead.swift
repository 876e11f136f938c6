/// The request line and header section of the parser's current request.
///
/// It holds ranges of the parser's receive buffer, so it can't be copied out of the parser. Valid from the parser's `.head` until `finish()`.
struct RequestHead: ~Copyable {
  /// The received bytes; updated by the parser when it moves them.
  var bytes = RequestBytes(start: nil, count: 0)
  private(set) var line = RequestLine()
  private(set) var table = FieldTable()
  private(set) var framing = MessageFraming.none
  private(set) var keepsAlive = true
  /// Whether the client waits for a 100 before it sends a non-empty body.
  private(set) var expectsContinue = false
  /// The requested host and port; `nil` in HTTP/1.0 without a Host field.
  ///
  /// RFC 9112 3.2.2: the target's authority overrides the Host field.
  private(set) var authority: Authority?

  private var framingFields = FramingFields()
  private var connectionFields = ConnectionFields()

  mutating func readRequestLine(_ range: ByteRange) throws(HTTPError) {
    line = try RequestLine(bytes, range)
    authority = line.target.authority
  }

  mutating func readField(_ range: ByteRange, limits: RequestLimits) throws(HTTPError) {
    let field = try FieldLine(bytes, range)
    guard table.lines.count < limits.fieldCount else { throw limits.tooManyFields }
    switch try table.append(field, bytes) {
    case .host: try readHost(field.value)
    case .contentLength: try framingFields.readContentLength(bytes, field.value)
    case .transferEncoding: try framingFields.readTransferEncoding(bytes, field.value)
    case .connection: connectionFields.readConnection(bytes, field.value)
    case .expect: connectionFields.readExpect(bytes, field.value)
    case .origin, .contentType, .contentEncoding, .trackingSession, .trackingLaunch, .trackingSequence,
      .secFetchSite, nil:
      break
    }
  }

  /// Checks what needs every field.
  mutating func complete() throws(HTTPError) {
    // RFC 9112 3.2: an HTTP/1.1 request without Host is refused.
    guard line.version == .http10 || table[.host] != nil else { throw .badRequest("the request has no Host field") }
    framing = try framingFields.framing(version: line.version)
    keepsAlive = connectionFields.keepsAlive(version: line.version)
    expectsContinue = try connectionFields.expectsContinue(version: line.version, framing: framing)
  }

  /// Removes the request and keeps the memory for the next one's fields.
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

  private mutating func readHost(_ value: ByteRange) throws(HTTPError) {
    // RFC 9112 3.2: a client that has no authority to name sends an empty Host.
    guard let named = value.isEmpty ? Authority(emptyAt: value.start) : Authority(bytes, value) else {
      throw .badRequest("the Host field is not a host with an optional port")
    }
    if authority == nil { authority = named }
  }
}

extension RequestHead {
  var method: RequestMethod { line.method }
  var methodName: String { line.methodName.text(in: bytes) }
  var version: HTTPVersion { line.version }
  var targetForm: RequestTarget.Form { line.target.form }
  var target: String { line.target.whole.text(in: bytes) }
  /// The path as sent, with its percent-encoding; `/` if the target has none, empty in authority-form.
  var path: String {
    // RFC 9110 4.2.3: an empty path is "/".
    hasEmptyPath ? "/" : line.target.path.text(in: bytes)
  }
  /// The text after the first `?`, as sent.
  var query: String? { line.target.query?.text(in: bytes) }

  /// The host as sent, an IPv6 literal in its brackets; empty for an empty Host field.
  var hostName: String? { authority?.host.text(in: bytes) }
  var port: Int? { authority?.port }

  /// All fields in the order of their arrival.
  var fields: [(name: String, value: String)] {
    table.lines.map { ($0.name.text(in: bytes), $0.value.text(in: bytes)) }
  }

  /// Returns the value of a field by its lowercase name; RFC 9110 5.3: several lines of one name are joined by commas.
  func value(of name: String) -> String? {
    var value: String?
    for line in table.lines where line.name.equals(name, ignoringCaseIn: bytes) {
      let text = line.value.text(in: bytes)
      value = value.map { "\($0), \(text)" } ?? text
    }
    return value
  }

  /// Returns the value of a known field; of Connection and Expect, the last line.
  func value(of field: KnownField) -> String? {
    table[field]?.text(in: bytes)
  }

  private var hasEmptyPath: Bool { line.target.path.isEmpty && line.target.form != .authority }
}

// Used for every event; none of these allocates or searches for its field.
extension RequestHead {
  func has(_ field: KnownField) -> Bool {
    table[field] != nil
  }

  /// Whether the path equals `path`, byte for byte.
  func path(equals path: StaticString) -> Bool {
    if hasEmptyPath { return path.utf8CodeUnitCount == 1 && path.utf8Start[0] == ASCII.slash }
    return line.target.path.equals(path, in: bytes)
  }

  /// Whether the path equals `path`, byte for byte.
  func path(equals path: String) -> Bool {
    hasEmptyPath ? path == "/" : line.target.path.equals(path, in: bytes)
  }

  func path(hasPrefix prefix: StaticString) -> Bool {
    let path = line.target.path
    let count = prefix.utf8CodeUnitCount
    guard path.count >= count else { return false }
    return ByteRange(start: path.start, end: path.start + count).equals(prefix, in: bytes)
  }

  /// Whether the host is this machine, by a name that no resolver can redirect.
  var hostIsLoopback: Bool {
    isHost("[::1]") || isHost("127.0.0.1") || isHost("localhost")
  }

  private func isHost(_ name: StaticString) -> Bool {
    authority?.host.equals(name, ignoringCaseIn: bytes) ?? false
  }

  /// Whether the host is `name`, ignoring case (RFC 3986 3.2.2).
  func host(equals name: String) -> Bool {
    authority?.host.equals(name, ignoringCaseIn: bytes) ?? false
  }

  func field(_ field: KnownField, equals value: String) -> Bool {
    table[field]?.equals(value, in: bytes) ?? false
  }

  /// Whether a field has this value, which must be lowercase, ignoring case.
  func field(_ field: KnownField, equalsIgnoringCase value: StaticString) -> Bool {
    table[field]?.equals(value, ignoringCaseIn: bytes) ?? false
  }

  /// Whether a field begins with this text, which must be lowercase, ignoring case.
  func field(_ field: KnownField, beginsIgnoringCase text: StaticString) -> Bool {
    table[field]?.begins(with: text, ignoringCaseIn: bytes) ?? false
  }

  /// Whether a field names this media type, which must be lowercase, ignoring case and parameters (RFC 9110 8.3.1).
  func field(_ field: KnownField, isMediaType type: StaticString) -> Bool {
    guard let value = table[field] else { return false }
    let end = value.firstIndex(of: ASCII.semicolon, in: bytes) ?? value.end
    return ByteRange(start: value.start, end: end).trimmed(in: bytes).equals(type, ignoringCaseIn: bytes)
  }

  /// The decimal number in a field; `nil` without the field, for anything but digits, and if it exceeds `UInt64`.
  func number(in field: KnownField) -> UInt64? {
    guard let number = table[field]?.decimal(in: bytes), number.fits else { return nil }
    return number.value
  }

  /// Calls a closure with the bytes of a known field's value.
  func withValue<Result>(of field: KnownField, _ use: (RequestBytes) -> Result) -> Result? {
    table[field].map { use($0.slice(of: bytes)) }
  }
}
