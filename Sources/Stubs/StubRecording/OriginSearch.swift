import Foundation
import StubModel

/// Finds the URLs of some backends in a text, in any spelling.
///
/// The host and the port decide: `http` and `https`, capitals, a default port and a user don't matter. Colons and slashes may be percent-encoded,
/// escaped as in JSON and JavaScript, or HTML references.
struct OriginSearch {
  /// A kind of text, which decides where a URL may begin with its slashes: `//api.example/books`.
  ///
  /// Nowhere else, because scripts concatenate such texts: `protocol + "//api.example"`.
  enum Kind {
    /// A header field that holds URLs.
    case urls
    /// Another header field, which may be one URL.
    case field
    /// At the beginning of a JSON string.
    case json
    /// In attributes and styles of HTML or XML.
    case markup
    /// In `url(…)` and `@import` of CSS.
    case style
    case other

    /// By the media type or, without one, by the beginning of the body.
    init(of body: some Sequence<UInt8>, type: String?) {
      let type = type?.prefix { $0 != ";" }.lowercased()
      let start = body.first { $0 > 0x20 }.map { Character(UnicodeScalar($0)) }
      switch type {
      case let type? where type.contains("json"): self = .json
      case let type? where type.hasSuffix("html") || type.hasSuffix("xml"): self = .markup
      case "text/css": self = .style
      case nil where start == "{" || start == "[": self = .json
      case nil where start == "<": self = .markup
      default: self = .other
      }
    }

    init(ofField name: String) {
      let names = ["content-location", "link", "location", "refresh", "sourcemap"]
      self = names.contains(name.lowercased()) ? .urls : .field
    }
  }

  struct Match {
    let range: Range<Int>
    /// The number of times that the URL is percent-encoded.
    let depth: Int
  }

  /// Host and port, `nil` for the scheme's default port.
  private let origins: Set<[String]>
  /// A pattern for URLs from the slashes to the port; `nil` without origins.
  private let address: String?
  private let scheme: String

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
    let host = #"(?:[^\s/?#"'<>\\@]{1,100}@)?(\#(hosts.sorted().joined(separator: "|")))"#
    let port = #"(?:(?:\#(colon))([0-9]{1,5}+))?+(?![a-z0-9@-]|\.[a-z0-9])"#
    scheme = #"(?:(?<![a-z0-9])|(?<=%[0-9a-f]{2}))(https?)(?:\#(colon))"#
    address = hosts.isEmpty ? nil : "((?:\(slash)){2})\(host)\(port)"
  }

  /// In order and without overlaps.
  func matches(in bytes: [UInt8], _ kind: Kind) -> [Match] {
    // In Latin-1 each byte is a character, whatever the text is.
    guard address != nil, let text = String(bytes: bytes, encoding: .isoLatin1) else { return [] }
    let all = NSRange(location: 0, length: bytes.count)
    var found = matches(in: text, all, after: scheme)
    switch kind {
    case .urls: found += matches(in: text, all, after: #"()(?:^|(?<=[\s<,;="']))"#)
    case .field: found += matches(in: text, all, after: #"()^\s*"#)
    case .json: found += matches(in: text, all, after: #"()(?<!\\)""#)
    case .style: found += styleMatches(in: text, all)
    case .markup: found += markupMatches(in: text, all)
    case .other: break
    }
    return found.sorted { $0.range.lowerBound < $1.range.lowerBound }.reduce(into: []) { kept, match in
      if match.range.lowerBound >= kept.last?.range.upperBound ?? 0 { kept.append(match) }
    }
  }

  /// `start` is the pattern for the text before the slashes; its first group is the scheme.
  private func matches(in text: String, _ range: NSRange, after start: String) -> [Match] {
    Self.ranges(of: start + (address ?? ""), in: text, range).compactMap { groups in
      func part(_ number: Int) -> String {
        groups[number].location == NSNotFound ? "" : (text as NSString).substring(with: groups[number]).lowercased()
      }
      let (scheme, slashes, host, port) = (part(1), part(2), part(3), part(4))
      let isStandard = !port.isEmpty && ReceivedRequest.defaultPort(ofScheme: scheme).map { "\($0)" } == port
      guard origins.contains([host, port]) || isStandard && origins.contains([host, ""]) else { return nil }
      let depth = slashes.hasPrefix("%25") ? 2 : slashes.hasPrefix("%") ? 1 : 0
      let first = scheme.isEmpty ? groups[2].location : groups[1].location
      return Match(range: first..<groups[0].location + groups[0].length, depth: depth)
    }
  }

  private static func ranges(of pattern: String, in text: String, _ range: NSRange) -> [[NSRange]] {
    let options: NSRegularExpression.Options = [.caseInsensitive, .dotMatchesLineSeparators]
    return (try? NSRegularExpression(pattern: pattern, options: options))?.matches(in: text, range: range)
      .map { match in (0..<match.numberOfRanges).map(match.range(at:)) } ?? []
  }

  private func styleMatches(in text: String, _ range: NSRange) -> [Match] {
    matches(in: text, range, after: #"()(?:url\(\s*|@import\s+)["']?"#)
  }

  /// Searches attributes, each item of a `srcset`, and styles; not scripts and comments.
  private func markupMatches(in text: String, _ range: NSRange) -> [Match] {
    let tag = #"<[a-z](?:[^"'>]|"[^"]*"|'[^']*')*+>"#
    let parts = #"<!--.*?-->|(<script\b(?:[^"'>]|"[^"]*"|'[^']*')*+>).*?</script|(<style\b.*?</style)|(\#(tag))"#
    return Self.ranges(of: parts, in: text, range).flatMap { groups in
      groups.dropFirst().filter { $0.location != NSNotFound }.flatMap { part in
        matches(in: text, part, after: #"()=\s*["']?\s*(?:[0-9]+\s*;\s*url=)?"#) + styleMatches(in: text, part)
          + Self.ranges(of: #"srcset\s*=\s*("[^"]*"|'[^']*')"#, in: text, part).flatMap {
            matches(in: text, $0[1], after: #"(),\s*"#)
          }
      }
    }
  }
}

extension RecordedBase {
  /// Replaces the origins in a backend's body with `{base}`, and its own `{base}` with `{{base}}`.
  static func extracted(_ bytes: [UInt8], origins: [String], in kind: OriginSearch.Kind) -> [UInt8] {
    replacing(origins, with: placeholder, in: escaped(bytes), kind)
  }

  /// Replaces origins with a URL, keeping their encoding.
  static func replacing(
    _ origins: [String], with base: String, in bytes: [UInt8], _ kind: OriginSearch.Kind = .other
  ) -> [UInt8] {
    bytes.replacing(
      OriginSearch(origins).matches(in: bytes, kind).map { match in
        (match.range, PercentEncoding.encoded(Array(base.utf8), times: match.depth))
      })
  }
}
