import Foundation
import TrackingModel

/// Names and values in order: the items of a query, the fields of a form, or the cookies of a request.
///
/// Queries and forms are read as `application/x-www-form-urlencoded` (URL Standard 5): pairs separated by `&`, with `+` for a space,
/// percent-encoded.
public struct ReceivedFields: Hashable, Sendable {
  package var pairs: [NamedText]

  package init(pairs: [NamedText]) {
    self.pairs = pairs
  }

  /// All items in order, decoded; names may repeat, and an item without `=` has an empty value.
  public var items: [(name: String, value: String)] {
    get { pairs.map { ($0.name, $0.value) } }
    set { pairs = newValue.map(NamedText.init) }
  }

  /// Creates fields in order.
  public init(items: [(name: String, value: String)]) {
    pairs = items.map(NamedText.init)
  }

  package init(_ text: String) {
    // By bytes, as the standard says: characters are slow to compare, and `&` with a combining character is another character.
    pairs = text.utf8.split(separator: UInt8(ascii: "&")).map { pair in
      let parts = pair.split(separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
      return NamedText(name: Self.decoded(parts[0]), value: parts.count > 1 ? Self.decoded(parts[1]) : "")
    }
  }

  /// Reads a `Cookie` field (RFC 6265 4.2): pairs separated by semicolons, as sent, without quotation marks around a value.
  init(cookies text: String) {
    pairs = text.utf8.split(separator: UInt8(ascii: ";")).compactMap { pair in
      let parts = pair.split(separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
        .map { String(Substring($0)).trimmingCharacters(in: .whitespaces) }
      guard parts.count == 2, !parts[0].isEmpty else { return nil }
      let isQuoted = parts[1].count > 1 && parts[1].hasPrefix("\"") && parts[1].hasSuffix("\"")
      return NamedText(name: parts[0], value: isQuoted ? String(parts[1].dropFirst().dropLast()) : parts[1])
    }
  }

  /// The first value of a name; `nil` if the name is missing.
  public subscript(name: String) -> String? {
    pairs.first { $0.name.isSameText(as: name) }?.value
  }

  /// Returns all values of a name, in order.
  public func values(of name: String) -> [String] {
    pairs.filter { $0.name.isSameText(as: name) }.map(\.value)
  }

  /// Whether the encoded query or form is UTF-8; otherwise its fields contain U+FFFD.
  package static func isText(_ encoded: some Collection<UInt8>) -> Bool {
    PercentEncoding.isText(encoded)
  }

  private static func decoded(_ text: Substring.UTF8View) -> String {
    let spaced = text.map { $0 == UInt8(ascii: "+") ? UInt8(ascii: " ") : $0 }
    return PercentEncoding.decoded(String(decoding: spaced, as: UTF8.self))
  }
}

extension ReceivedFields: ExpressibleByDictionaryLiteral {
  /// Creates fields in the order of the literal.
  public init(dictionaryLiteral elements: (String, String)...) {
    pairs = elements.map(NamedText.init)
  }
}

extension ReceivedFields: CustomStringConvertible {
  /// The items without percent-encoding, for messages: `page=1&sort=title`.
  public var description: String {
    pairs.map { "\($0.name)=\($0.value)" }.joined(separator: "&")
  }
}
