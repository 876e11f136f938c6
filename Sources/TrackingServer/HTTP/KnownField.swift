/// The header fields that the server itself reads, found while the head is parsed.
enum KnownField: Int, CaseIterable {
  case host, origin, contentType, contentEncoding, contentLength, transferEncoding, connection, expect
  case trackingSession, trackingLaunch, trackingSequence

  init?(_ bytes: RequestBytes, name: ByteRange) {
    let candidate: (StaticString, KnownField)
    switch (name.count, ASCII.lowercased(bytes[name.start])) {
    case (4, _): candidate = ("host", .host)
    case (6, UInt8(ascii: "o")): candidate = ("origin", .origin)
    case (6, _): candidate = ("expect", .expect)
    case (10, _): candidate = ("connection", .connection)
    case (12, _): candidate = ("content-type", .contentType)
    case (14, _): candidate = ("content-length", .contentLength)
    case (15, _): candidate = ("tracking-launch", .trackingLaunch)
    case (16, UInt8(ascii: "t")): candidate = ("tracking-session", .trackingSession)
    case (16, _): candidate = ("content-encoding", .contentEncoding)
    case (17, UInt8(ascii: "t")): candidate = Self.seventeen(bytes, name)
    default: return nil
    }
    guard name.equals(candidate.0, ignoringCaseIn: bytes) else { return nil }
    self = candidate.1
  }

  /// Whether a second line of this field makes the request ambiguous.
  ///
  /// RFC 9110 5.3: only list-based fields may stand on more than one line. Content-Encoding is one, but a second line of it would hide from a
  /// reader that takes the first, and nothing but identity is taken anyway.
  var isSingle: Bool {
    switch self {
    case .connection, .expect: false
    case .host, .origin, .contentType, .contentEncoding, .contentLength, .transferEncoding, .trackingSession,
      .trackingLaunch, .trackingSequence:
      true
    }
  }

  var name: String {
    switch self {
    case .host: "Host"
    case .origin: "Origin"
    case .contentType: "Content-Type"
    case .contentEncoding: "Content-Encoding"
    case .contentLength: "Content-Length"
    case .transferEncoding: "Transfer-Encoding"
    case .connection: "Connection"
    case .expect: "Expect"
    case .trackingSession: "Tracking-Session"
    case .trackingLaunch: "Tracking-Launch"
    case .trackingSequence: "Tracking-Sequence"
    }
  }

  private static func seventeen(_ bytes: RequestBytes, _ name: ByteRange) -> (StaticString, KnownField) {
    ASCII.lowercased(bytes[name.end - 1]) == UInt8(ascii: "g")
      ? ("transfer-encoding", .transferEncoding) : ("tracking-sequence", .trackingSequence)
  }
}
