import TrackingSockets

/// The head of a request, as the relay reads it.
///
/// Strict: a head that two readers could understand differently is refused, so that the server reads the request that was checked.
struct RelayedHead {
  /// The result of looking for a head among received bytes.
  enum Reading {
    case needsMore
    /// A head, and the number of its bytes.
    case head(RelayedHead, count: Int)
    case malformed
    /// The head has more bytes than the limit, perhaps in its first line.
    case tooLarge(isLine: Bool)
  }

  let method: String
  let target: String
  private let version: String
  private var fields: [(name: String, value: String)] = []

  /// Reads the head at the beginning of received bytes.
  ///
  /// - Parameters:
  ///   - known: The number of bytes that have been read before and weren't a whole head.
  ///   - limit: The most bytes of a head.
  static func read(_ bytes: [UInt8], known: Int = 0, limit: Int) -> Reading {
    let count = length(of: bytes, from: max(known - 3, 0))
    guard (count ?? bytes.count) <= limit else {
      return .tooLarge(isLine: !bytes.prefix(max(limit, 0)).contains(UInt8(ascii: "\n")))
    }
    guard let count else { return .needsMore }
    return RelayedHead(bytes[..<(count - 4)]).map { .head($0, count: count) } ?? .malformed
  }

  /// The number of bytes up to the end of the empty line.
  private static func length(of bytes: [UInt8], from start: Int) -> Int? {
    var start = start
    while let end = bytes[start...].firstIndex(of: UInt8(ascii: "\n")) {
      if end >= 3, bytes[end - 3...end].elementsEqual("\r\n\r\n".utf8) { return end + 1 }
      start = end + 1
    }
    return nil
  }

  private init?(_ bytes: ArraySlice<UInt8>) {
    // Field values may have other bytes than ASCII, which are passed on as they are, so each byte is one character here.
    let text = String(String.UnicodeScalarView(bytes.map { Unicode.Scalar($0) }))
    let lines = text.unicodeScalars.split(separator: "\n", omittingEmptySubsequences: false)
    var parsed: [String] = []
    for (index, line) in lines.enumerated() {
      var line = line
      // A bare CR or LF is a line end to some readers.
      if index < lines.count - 1 { guard line.popLast() == "\r" else { return nil } }
      guard line.allSatisfy({ $0 == "\t" || $0.value >= 0x20 && $0.value != 0x7F }) else { return nil }
      parsed.append(String(line))
    }
    let words = parsed[0].split(separator: " ", omittingEmptySubsequences: false).map(String.init)
    guard words.count == 3, Self.isToken(words[0]), !words[1].isEmpty, words[1].utf8.allSatisfy({ $0 > 0x20 }),
      ["HTTP/1.0", "HTTP/1.1"].contains(words[2])
    else { return nil }
    (method, target, version) = (words[0], words[1], words[2])
    for line in parsed.dropFirst() {
      guard let colon = line.firstIndex(of: ":"), Self.isToken(line[..<colon]) else { return nil }
      let value = line[line.index(after: colon)...].drop { $0 == " " || $0 == "\t" }
      fields.append((String(line[..<colon]), String(value)))
    }
  }

  private static func isToken(_ text: some StringProtocol) -> Bool {
    !text.isEmpty && text.utf8.allSatisfy(\.isTokenCharacter)
  }

  /// The values of a field by its name in lower case.
  func values(of name: String) -> [String] {
    fields.filter { $0.name.lowercased() == name }.map {
      String($0.value.reversed().drop { $0 == " " || $0 == "\t" }.reversed())
    }
  }

  /// The bytes of the head with another target, for a connection that ends after one answer.
  func bytes(target: String) -> [UInt8] {
    var text = "\(method) \(target) \(version)\r\n"
    for field in fields where field.name.lowercased() != "connection" { text += "\(field.name): \(field.value)\r\n" }
    return (text + "Connection: close\r\n\r\n").unicodeScalars.map { UInt8(truncatingIfNeeded: $0.value) }
  }
}
