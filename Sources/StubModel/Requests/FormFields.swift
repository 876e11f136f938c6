import Foundation
import TrackingModel

/// Names and values in the order in which they came: of a query, or of a form.
///
/// Read and written as `application/x-www-form-urlencoded` (URL Standard 5): pairs between `&`, a `+` for a space, and percent-encoding.
public struct FormFields: Hashable, Codable, Sendable {
  /// One name with its value.
  public struct Item: Hashable, Codable, Sendable {
    /// The name, decoded.
    public var name: String
    /// The value, decoded; empty where there is no `=`.
    public var value: String

    /// A name with its value.
    public init(name: String, value: String) {
      self.name = name
      self.value = value
    }
  }

  /// All of them, in order; a name may come several times.
  public var items: [Item]

  /// Fields in order.
  public init(items: [Item]) {
    self.items = items
  }

  /// The fields that a text encodes.
  public init(_ text: String) {
    // By bytes, as the standard has it: characters are slow to compare, and one may begin with `&`.
    items = text.utf8.split(separator: UInt8(ascii: "&")).map { pair in
      let parts = pair.split(separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
      return Item(name: Self.decoded(parts[0]), value: parts.count > 1 ? Self.decoded(parts[1]) : "")
    }
  }

  /// The first value of a name; `nil` when the name is not there.
  public subscript(name: String) -> String? {
    items.first { $0.name.isSameText(as: name) }?.value
  }

  /// All values of a name, in order.
  public func values(of name: String) -> [String] {
    items.filter { $0.name.isSameText(as: name) }.map(\.value)
  }

  private static func decoded(_ text: Substring.UTF8View) -> String {
    let spaced = text.map { $0 == UInt8(ascii: "+") ? UInt8(ascii: " ") : $0 }
    return PercentEncoding.decoded(String(decoding: spaced, as: UTF8.self))
  }
}

extension FormFields: ExpressibleByDictionaryLiteral {
  /// Fields in the order in which they are written.
  public init(dictionaryLiteral elements: (String, String)...) {
    items = elements.map { Item(name: $0.0, value: $0.1) }
  }
}

extension FormFields: CustomStringConvertible {
  /// `page=1&sort=title`, nothing encoded: for messages.
  public var description: String {
    items.map { "\($0.name)=\($0.value)" }.joined(separator: "&")
  }
}
