/// The request line and header section of the parser's current request.
///
/// It holds ranges of the parser's receive buffer and no bytes, so it can't be copied out of the parser. It is valid from the
/// parser's `.head` until `finish()`.
struct RequestHead: ~Copyable {
  /// The received bytes of the request; the parser updates it whenever it moves them.
  var bytes = RequestBytes(start: nil, count: 0)
  private(set) var line = RequestLine()
  private(set) var table = FieldTable()
  /// The framing of the body.
  private(set) var framing = MessageFraming.none
  /// Whether the client accepts further responses on this connection.
  private(set) var keepsAlive = true
  /// Whether the client waits for a 100 before it sends a body that is not empty.
  private(set) var expectsContinue = false
  /// The host and port that the request names; `nil` in HTTP/1.0 without a Host field.
  ///
  /// RFC 9112 3.2.2: the authority of an absolute-form target goes before the Host field.
  private(set) var authority: Authority?

  private var framingFields = FramingFields()
  private var connectionFields = ConnectionFields()

  mutating func readRequestLine(_ range: ByteRange) throws(Refusal) {
    line = try RequestLine(bytes, range)
    authority = line.target.authority
  }

  mutating func readField(_ range: ByteRange, limits: RequestLimits) throws(Refusal) {
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

  /// The checks that need every field.
  mutating func complete() throws(Refusal) {
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

  private mutating func readHost(_ value: ByteRange) throws(Refusal) {
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
  /// The target as it was sent.
  var target: String { line.target.whole.text(in: bytes) }
  /// The path as it was sent, percent-encoding and all; `/` where the target has none, empty in authority-form.
  var path: String {
    // RFC 9110 4.2.3: an empty path is the same as "/".
    hasEmptyPath ? "/" : line.target.path.text(in: bytes)
  }
  /// The text after the first `?`, as it was sent; `nil` without one.
  var query: String? { line.target.query?.text(in: bytes) }

  /// The host of `authority` as it was sent, an IPv6 literal in its brackets; empty for an empty Host field.
  var hostName: String? { authority?.host.text(in: bytes) }
  /// The port of `authority`.
  var port: Int? { authority?.port }

  /// All fields in the order of their arrival, for the record.
  var fields: [(name: String, value: String)] {
    table.lines.map { ($0.name.text(in: bytes), $0.value.text(in: bytes)) }
  }

  /// The value of a field by its name in lower case; RFC 9110 5.3: several lines of one name are joined by commas.
  func value(of name: String) -> String? {
    var value: String?
    for line in table.lines where line.name.equals(name, ignoringCaseIn: bytes) {
      let text = line.value.text(in: bytes)
      value = value.map { "\($0), \(text)" } ?? text
    }
    return value
  }

  /// The value of a known field; of Connection and Expect, the last line of them.
  func value(of field: KnownField) -> String? {
    table[field]?.text(in: bytes)
  }

  /// Whether the target is an absolute-form without a path.
  private var hasEmptyPath: Bool { line.target.path.isEmpty && line.target.form != .authority }
}

// Asked for every event; none of these allocates or searches for its field.
extension RequestHead {
  func has(_ field: KnownField) -> Bool {
    table[field] != nil
  }

  /// Whether the path is `path`, byte for byte.
  func path(equals path: StaticString) -> Bool {
    if hasEmptyPath { return path.utf8CodeUnitCount == 1 && path.utf8Start[0] == ASCII.slash }
    return line.target.path.equals(path, in: bytes)
  }

  /// Whether the path is `path`, byte for byte.
  func path(equals path: String) -> Bool {
    hasEmptyPath ? path == "/" : line.target.path.equals(path, in: bytes)
  }

  /// Whether the path begins with these bytes.
  func path(hasPrefix prefix: StaticString) -> Bool {
    let path = line.target.path
    let count = prefix.utf8CodeUnitCount
    guard path.count >= count else { return false }
    return ByteRange(start: path.start, end: path.start + count).equals(prefix, in: bytes)
  }

  /// Whether the host of `authority` is this machine, by a name that no resolver can redirect.
  var hostIsLoopback: Bool {
    isHost("[::1]") || isHost("127.0.0.1") || isHost("localhost")
  }

  private func isHost(_ name: StaticString) -> Bool {
    authority?.host.equals(name, ignoringCaseIn: bytes) ?? false
  }

  /// Whether the host of `authority` is `name`; RFC 3986 3.2.2: in letters of any case.
  func host(equals name: String) -> Bool {
    authority?.host.equals(name, ignoringCaseIn: bytes) ?? false
  }

  /// Whether a field is there with exactly this value.
  func field(_ field: KnownField, equals value: String) -> Bool {
    table[field]?.equals(value, in: bytes) ?? false
  }

  /// Whether a field is there with this value, spelled in lower case, in letters of any case.
  func field(_ field: KnownField, equalsIgnoringCase value: StaticString) -> Bool {
    table[field]?.equals(value, ignoringCaseIn: bytes) ?? false
  }

  /// Whether a field is there and begins with this text, spelled in lower case, in letters of any case.
  func field(_ field: KnownField, beginsIgnoringCase text: StaticString) -> Bool {
    table[field]?.begins(with: text, ignoringCaseIn: bytes) ?? false
  }

  /// Whether a field names this media type, spelled in lower case, whatever its parameters.
  ///
  /// RFC 9110 8.3.1: type "/" subtype, in any case, then OWS ";" and parameters.
  func field(_ field: KnownField, isMediaType type: StaticString) -> Bool {
    guard let value = table[field] else { return false }
    let end = value.firstIndex(of: ASCII.semicolon, in: bytes) ?? value.end
    return ByteRange(start: value.start, end: end).trimmed(in: bytes).equals(type, ignoringCaseIn: bytes)
  }

  /// The decimal number in a field; `nil` without the field, for anything but digits, and for what a `UInt64` does not hold.
  func number(in field: KnownField) -> UInt64? {
    guard let number = table[field]?.decimal(in: bytes), number.fits else { return nil }
    return number.value
  }

  /// The bytes of a known field's value, for as long as the closure runs.
  func withValue<Result>(of field: KnownField, _ use: (RequestBytes) -> Result) -> Result? {
    table[field].map { use($0.slice(of: bytes)) }
  }
}
