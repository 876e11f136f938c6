import TrackingModel

/// The status line and fields of a response, read strictly (RFC 9112 4 and 5).
package struct ResponseHead {
  /// Delimits a body (RFC 9112 6.3), if the status and the request's method allow one.
  package enum Framing: Equatable {
    case length(Int)
    case chunked
    case untilEnd
    /// A transfer coding other than `chunked`, or several.
    case unknown
  }

  package let status: Int
  /// The reason phrase, for people.
  package let phrase: String
  /// In order, with trimmed values.
  package private(set) var fields: [(name: ArraySlice<UInt8>, value: ArraySlice<UInt8>)] = []
  /// The value of `Tracking-Session`.
  package private(set) var session: String?
  package private(set) var framing = Framing.untilEnd
  private(set) var keepsConnection: Bool

  init(_ bytes: ArraySlice<UInt8>) throws(ResponseError) {
    var lines = Lines(rest: bytes)
    let line = try lines.next()
    let start = line.startIndex
    // HTTP/1.1 204 No Content; the phrase may be empty, and some servers also leave out the space before it.
    let digits = line.dropFirst(9).prefix(3)
    guard line.count >= 12, line.starts(with: "HTTP/1.".utf8), line[start + 7].isDigit,
      line[start + 8] == UInt8(ascii: " "),
      digits.allSatisfy(\.isDigit), line.count == 12 || line[start + 12] == UInt8(ascii: " ")
    else { throw .malformed("status line") }
    status = digits.reduce(0) { $0 * 10 + Int($1 & 0xF) }
    guard status >= 100 else { throw .malformed("status line") }
    phrase = String(decoding: line.dropFirst(13), as: UTF8.self)
    // RFC 9112 9.3: HTTP/1.0 keeps a connection only on request, and we don't request it.
    keepsConnection = line[start + 7] != UInt8(ascii: "0")

    while true {
      let line = try lines.next()
      if line.isEmpty { break }
      try take(line)
    }
  }

  private mutating func take(_ line: ArraySlice<UInt8>) throws(ResponseError) {
    guard let colon = line.firstIndex(of: UInt8(ascii: ":")), colon > line.startIndex,
      line[..<colon].allSatisfy(\.isTokenCharacter)
    else { throw .malformed("field name") }
    let name = line[..<colon]
    let value = line[(colon + 1)...].trimmingBlanks
    guard value.allSatisfy({ $0 >= 0x20 && $0 != 0x7F || $0 == 9 }) else { throw .malformed("field value") }

    if name.equalsIgnoringCase("content-length") {
      guard !has("content-length"), (1...18).contains(value.count), value.allSatisfy(\.isDigit) else {
        throw .malformed("Content-Length")
      }
      // RFC 9112 6.3: a transfer coding overrides the length.
      if framing == .untilEnd { framing = .length(value.reduce(0) { $0 * 10 + Int($1 & 0xF) }) }
    } else if name.equalsIgnoringCase("transfer-encoding") {
      framing = value.equalsIgnoringCase("chunked") && !has("transfer-encoding") ? .chunked : .unknown
    } else if name.equalsIgnoringCase("connection") {
      let options = value.split(separator: UInt8(ascii: ","))
      if options.contains(where: { $0.trimmingBlanks.equalsIgnoringCase("close") }) { keepsConnection = false }
    } else if name.equalsIgnoringCase(WireField.session) {
      guard session == nil else { throw .malformed("two \(WireField.session)") }
      session = String(decoding: value, as: UTF8.self)
    }
    fields.append((name, value))
  }

  private func has(_ name: String) -> Bool {
    fields.contains { $0.name.equalsIgnoringCase(name) }
  }

  /// Without CRLFs.
  private struct Lines {
    var rest: ArraySlice<UInt8>

    mutating func next() throws(ResponseError) -> ArraySlice<UInt8> {
      guard let end = rest.firstIndex(of: 13), end + 1 < rest.endIndex, rest[end + 1] == 10 else {
        throw .malformed("line end")
      }
      defer { rest = rest[(end + 2)...] }
      return rest[..<end]
    }
  }
}

extension UInt8 {
  fileprivate var isDigit: Bool {
    (0x30...0x39).contains(self)
  }

  /// Whether methods and field names may contain the byte (RFC 9110 5.6.2).
  package var isTokenCharacter: Bool {
    switch self {
    case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
    default: "!#$%&'*+-.^_`|~".utf8.contains(self)
    }
  }

  fileprivate var lowercased: UInt8 {
    (0x41...0x5A).contains(self) ? self | 0x20 : self
  }
}

extension ArraySlice<UInt8> {
  fileprivate var trimmingBlanks: ArraySlice<UInt8> {
    guard let first = firstIndex(where: { $0 != 0x20 && $0 != 9 }),
      let last = lastIndex(where: { $0 != 0x20 && $0 != 9 })
    else { return self[endIndex...] }
    return self[first...last]
  }

  fileprivate func equalsIgnoringCase(_ name: String) -> Bool {
    count == name.utf8.count && zip(self, name.utf8).allSatisfy { $0.lowercased == $1.lowercased }
  }
}

package enum ResponseError: Error, Equatable {
  case notHTTP
  case malformed(String)
  case tooLong(limit: Int)
}

extension ResponseError: CustomStringConvertible {
  package var description: String {
    switch self {
    case .notHTTP: "the peer doesn't use HTTP/1.1"
    case .malformed(let what): "the response is malformed: \(what)"
    case .tooLong(let limit): "the response's head is longer than \(limit) bytes"
    }
  }
}
