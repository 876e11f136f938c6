import StubModel

/// Finds the URLs of some backends in a text, however they are written.
///
/// The host and the port decide: `http` and `https`, capitals, a default port and a user don't matter. Colons and slashes may be percent-encoded,
/// escaped as in JSON and JavaScript, or be references of HTML. After a quotation mark, a bracket or `=` a URL may begin with its slashes.
struct OriginSearch {
  struct Match {
    let range: Range<Int>
    /// The number of times that the URL is percent-encoded.
    let depth: Int
  }

  private struct Origin {
    let host: [UInt8]
    let port: Int
    let hasDefaultPort: Bool
  }

  private let origins: [Origin]

  /// Origins: scheme, host and port.
  init(_ origins: [String]) {
    self.origins = origins.compactMap { text in
      guard let scheme = text.firstRange(of: "://") else { return nil }
      var host = text[scheme.upperBound...].lowercased()
      let standard = HTTPRequest.defaultPort(ofScheme: text[..<scheme.lowerBound].lowercased()) ?? 0
      var port = standard
      if let colon = host.lastIndex(of: ":"), let number = Int(host[host.index(after: colon)...]) {
        port = number
        host = String(host[..<colon])
      }
      return host.isEmpty ? nil : Origin(host: Array(host.utf8), port: port, hasDefaultPort: port == standard)
    }
  }

  /// The matches, in order and without overlaps.
  func matches(in bytes: [UInt8]) -> [Match] {
    guard !origins.isEmpty else { return [] }
    return bytes.withUnsafeBufferPointer { text in
      var matches: [Match] = []
      var index = 0
      while index < text.count {
        if Self.mayBeginSeparator[Int(text[index])], let match = match(at: index, in: text) {
          matches.append(match)
          index = match.range.upperBound
        } else {
          index += 1
        }
      }
      return matches
    }
  }

  /// The bytes that a colon or a slash may begin with: `:`, `/`, `%`, `&` and a backslash.
  private static let mayBeginSeparator = (0..<256).map { ":/%&\\".utf8.contains(UInt8($0)) }

  /// - Parameter index: The index of the colon after the scheme, or of the slashes without one.
  private func match(at index: Int, in text: UnsafeBufferPointer<UInt8>) -> Match? {
    var (start, scheme, end) = (index, Int?.none, index)
    let colon = Self.separator(.colon, at: index, in: text)
    if let colon {
      guard let (length, port) = Self.scheme(before: index, in: text) else { return nil }
      (start, scheme, end) = (index - length, port, index + colon.length)
    } else if index > 0, !"\"'(=".utf8.contains(text[index - 1]) {
      return nil
    }
    guard let first = Self.separator(.slash, at: end, in: text),
      let second = Self.separator(.slash, at: end + first.length, in: text), colon == nil || colon?.depth == first.depth
    else { return nil }
    end += first.length + second.length
    for origin in origins {
      guard let host = Self.end(of: origin.host, at: end, in: text) else { continue }
      let (port, portEnd) = Self.port(at: host, in: text)
      guard Self.isEnd(portEnd, in: text) else { continue }
      let isDefault = port == nil || port == scheme
      guard port == origin.port || isDefault && origin.hasDefaultPort else { continue }
      return Match(range: start..<portEnd, depth: first.depth)
    }
    return nil
  }

  // MARK: Parts

  private enum Separator: UInt8 {
    case colon = 0x3A
    case slash = 0x2F

    var spellings: [(text: StaticString, depth: Int)] {
      switch self {
      case .colon: [("%3A", 1), ("%253A", 2), ("\\u003A", 0), ("\\x3A", 0), ("&#58;", 0), ("&#x3A;", 0)]
      case .slash: [("%2F", 1), ("%252F", 2), ("\\u002F", 0), ("\\x2F", 0), ("&#47;", 0), ("&#x2F;", 0)]
      }
    }
  }

  private static func separator(
    _ separator: Separator, at index: Int, in text: UnsafeBufferPointer<UInt8>
  ) -> (length: Int, depth: Int)? {
    guard index < text.count else { return nil }
    if text[index] == separator.rawValue { return (1, 0) }
    guard mayBeginSeparator[Int(text[index])] else { return nil }
    for (spelling, depth) in separator.spellings where has(spelling, at: index, in: text) {
      return (spelling.utf8CodeUnitCount, depth)
    }
    // JSON may escape slashes, and again in a string of a string.
    var end = index
    while separator == .slash, end < text.count, end - index < 8, text[end] == UInt8(ascii: "\\") { end += 1 }
    return end > index && end < text.count && text[end] == separator.rawValue ? (end + 1 - index, 0) : nil
  }

  /// The length of `http` or `https`, and its port.
  private static func scheme(
    before index: Int, in text: UnsafeBufferPointer<UInt8>
  ) -> (length: Int, port: Int)? {
    for (name, port) in [("https" as StaticString, 443), ("http", 80)] {
      let start = index - name.utf8CodeUnitCount
      guard has(name, at: start, in: text) else { continue }
      // `%2Fhttps` too: the last digit of an encoded character isn't a letter of the scheme.
      if start > 0, text[start - 1].isLetterOrDigit, !(start > 2 && text[start - 3] == UInt8(ascii: "%")) {
        return nil
      }
      return (name.utf8CodeUnitCount, port)
    }
    return nil
  }

  /// The end of a host, also after a user.
  private static func end(of host: [UInt8], at start: Int, in text: UnsafeBufferPointer<UInt8>) -> Int? {
    func end(at start: Int) -> Int? {
      guard start + host.count <= text.count else { return nil }
      for offset in 0..<host.count where lowercased(text[start + offset]) != host[offset] { return nil }
      return start + host.count
    }
    if let end = end(at: start) { return end }
    var index = start
    while index < text.count, index - start < 100, text[index] > 32, !"/?#\"'<>\\".utf8.contains(text[index]) {
      if text[index] == UInt8(ascii: "@") { return end(at: index + 1) }
      index += 1
    }
    return nil
  }

  private static func port(at start: Int, in text: UnsafeBufferPointer<UInt8>) -> (Int?, end: Int) {
    guard let colon = separator(.colon, at: start, in: text) else { return (nil, start) }
    let first = start + colon.length
    var (port, index) = (0, first)
    while index < text.count, index - first < 6, (0x30...0x39).contains(text[index]) {
      port = port * 10 + Int(text[index] - 0x30)
      index += 1
    }
    return index == first ? (nil, start) : (port, index)
  }

  /// Whether a host ends here: `https://shop.example` isn't a part of `https://shop.example.org`.
  private static func isEnd(_ index: Int, in text: UnsafeBufferPointer<UInt8>) -> Bool {
    guard index < text.count else { return true }
    let next = text[index]
    if next.isLetterOrDigit || next == UInt8(ascii: "-") || next == UInt8(ascii: "@") { return false }
    guard next == UInt8(ascii: ".") else { return true }
    return index + 1 == text.count || !text[index + 1].isLetterOrDigit
  }

  private static func has(_ name: StaticString, at index: Int, in text: UnsafeBufferPointer<UInt8>) -> Bool {
    guard index >= 0, index + name.utf8CodeUnitCount <= text.count else { return false }
    for offset in 0..<name.utf8CodeUnitCount
    where lowercased(text[index + offset]) != lowercased(name.utf8Start[offset]) { return false }
    return true
  }

  private static func lowercased(_ byte: UInt8) -> UInt8 { byte >= 0x41 && byte <= 0x5A ? byte | 0x20 : byte }
}

extension RecordedBase {
  /// A body of a backend with `{base}` in place of its origins; its own `{base}` becomes `{{base}}`.
  static func extracted(_ bytes: [UInt8], origins: [String]) -> [UInt8] {
    replacing(origins, with: placeholder, in: escaped(bytes))
  }

  /// The value of a backend's header field with `{base}` in place of its origins.
  static func extracted(_ text: String, origins: [String]) -> String {
    String(decoding: extracted(Array(text.utf8), origins: origins), as: UTF8.self)
  }

  /// A text with a URL in place of some origins, encoded as they were.
  static func replacing(_ origins: [String], with base: String, in bytes: [UInt8]) -> [UInt8] {
    bytes.replacing(
      OriginSearch(origins).matches(in: bytes).map { match in
        (match.range, PercentEncoding.encoded(Array(base.utf8), times: match.depth))
      })
  }
}
