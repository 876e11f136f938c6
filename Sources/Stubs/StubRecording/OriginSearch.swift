import Foundation
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

  /// The port by host; `nil` for the default port of the scheme.
  private let origins: Set<[String]>
  private let pattern: NSRegularExpression?

  /// Origins: scheme, host and port.
  init(_ origins: [String]) {
    var (keys, hosts): (Set<[String]>, Set<String>) = ([], [])
    for origin in origins {
      guard let scheme = origin.firstRange(of: "://") else { continue }
      let standard = ReceivedRequest.defaultPort(ofScheme: origin[..<scheme.lowerBound].lowercased()) ?? 0
      let address = origin[scheme.upperBound...].lowercased()
      let port = address.firstMatch(of: /:([0-9]+)$/)
      let host = String(port.map { address[..<$0.range.lowerBound] } ?? address[...])
      let number = port.flatMap { Int($0.1) } ?? standard
      guard !host.isEmpty else { continue }
      hosts.insert(NSRegularExpression.escapedPattern(for: host))
      keys.insert([host, "\(number)"])
      if number == standard { keys.insert([host, ""]) }
    }
    self.origins = keys
    let (colon, slash) = (#":|%3A|%253A|\\u003A|\\x3A|&#58;|&#x3A;"#, #"\\{0,8}/|%2F|%252F|\\u002F|\\x2F|&#47;|&#x2F;"#)
    let scheme = #"(?:(?<![a-z0-9])|(?<=%[0-9a-f]{2}))(https?)(?:\#(colon))|(?<=["'(=])"#
    let host = #"(?:[^\s/?#"'<>\\@]{1,100}@)?(\#(hosts.sorted().joined(separator: "|")))"#
    let port = #"(?:(?:\#(colon))([0-9]{1,5}+))?+(?![a-z0-9@-]|\.[a-z0-9])"#
    pattern =
      hosts.isEmpty
      ? nil
      : try? NSRegularExpression(
        pattern: "(?:\(scheme))((?:\(slash)){2})\(host)\(port)", options: .caseInsensitive)
  }

  /// The matches, in order and without overlaps.
  func matches(in bytes: [UInt8]) -> [Match] {
    // In Latin-1 each byte is a character, whatever the text is.
    guard let pattern, let text = String(bytes: bytes, encoding: .isoLatin1) else { return [] }
    let found = pattern.matches(in: text, range: NSRange(location: 0, length: bytes.count))
    return found.compactMap { match in
      func part(_ number: Int) -> String {
        let range = match.range(at: number)
        return range.location == NSNotFound
          ? "" : String(decoding: bytes[range.location..<range.location + range.length], as: UTF8.self).lowercased()
      }
      let (scheme, slashes, host, port) = (part(1), part(2), part(3), part(4))
      let isStandard = !port.isEmpty && ReceivedRequest.defaultPort(ofScheme: scheme).map { "\($0)" } == port
      guard origins.contains([host, port]) || isStandard && origins.contains([host, ""]) else { return nil }
      let depth = slashes.hasPrefix("%25") ? 2 : slashes.hasPrefix("%") ? 1 : 0
      return Match(range: match.range.location..<match.range.location + match.range.length, depth: depth)
    }
  }
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
