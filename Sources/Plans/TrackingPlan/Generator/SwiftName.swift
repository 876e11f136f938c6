import Foundation
import TrackingModel

/// Converts a plan's names to Swift names.
///
/// A name always becomes the same Swift name, whatever else is in the plan. A clash is an error: with a number to distinguish the two, the next event
/// could change the meaning of a name.
package enum SwiftName {
  /// Converts `added_to_cart` to `AddedToCart`.
  package static func type(_ name: String, prefix: String) -> String {
    let joined = name.composed.words(splitsAcronyms: false).map(capitalized).joined()
    return safe(joined, digitsAfter: prefix, reserved: reservedTypes, suffix: prefix)
  }

  /// Converts `product_id` to `productID`.
  package static func member(_ name: String, prefix: String) -> String {
    let words = name.composed.words(splitsAcronyms: false)
    guard let first = words.first else { return safe("", digitsAfter: prefix, reserved: [], suffix: "") }
    let joined = first.lowercasedWord + words.dropFirst().map(capitalized).joined()
    return safe(joined, digitsAfter: prefix, reserved: reservedMembers, suffix: "Value")
  }

  package static func isType(_ name: String) -> Bool {
    isIdentifier(name) && !reservedTypes.contains(name) && !keywords.contains(name)
  }

  /// Whether a name from a plan or a configuration can be a property's or a case's name.
  package static func isMember(_ name: String) -> Bool { isIdentifier(name) && !reservedMembers.contains(name) }

  private static func isIdentifier(_ name: String) -> Bool {
    guard let first = name.unicodeScalars.first, first == "_" || first.properties.isXIDStart else { return false }
    return name != "_" && name.unicodeScalars.allSatisfy(\.properties.isXIDContinue)
  }

  /// The name as written in code, with keywords in backticks.
  package static func quoted(_ name: String) -> String {
    keywords.contains(name) ? "`\(name)`" : name
  }

  /// The name as an argument's label, where only one keyword needs backticks.
  package static func label(_ name: String) -> String { name == "inout" ? "`inout`" : name }

  private static func capitalized(_ word: String) -> String {
    if ["id", "url", "uuid"].contains(word.lowercased()) { return word.uppercased() }
    let isShouting = word.count > 1 && word == word.uppercased()
    return word.prefix(1).uppercased() + (isShouting ? word.dropFirst().lowercased() : String(word.dropFirst()))
  }

  private static func safe(_ name: String, digitsAfter prefix: String, reserved: Set<String>, suffix: String) -> String
  {
    guard let first = name.unicodeScalars.first else { return prefix }
    let isStart = first.properties.isXIDStart
    // Digits and combining marks can't begin a name.
    let whole = isStart ? name : prefix + name
    return reserved.contains(whole) ? whole + suffix : whole
  }

  /// The types used by generated code, which a generated type of the same name would shadow.
  private static let reservedTypes: Set<String> = [
    "Any", "Array", "Bool", "CaseIterable", "Codable", "CodingKey", "CodingKeys", "Data", "Date", "Decodable",
    "Decoder", "Dictionary", "Double", "Encodable", "Encoder", "Error", "Foundation", "Hashable", "Int", "Never",
    "Optional", "Protocol", "Result", "Self", "Sendable", "Set", "String", "Swift", "TrackingEvent", "TrackingModel",
    "TrackingParam", "TrackingSchema", "TrackingValue", "Type", "URL", "UUID", "Void",
  ]

  /// The members that every type has, or that backticks can't escape.
  private static let reservedMembers: Set<String> = [
    "self", "Self", "init", "allCases", "rawValue", "hashValue", "encode", "none", "some", "Type", "Protocol",
  ]

  private static let keywords: Set<String> = [
    "Any", "as", "associatedtype", "break", "case", "catch", "class", "continue", "default", "defer", "deinit", "do",
    "else", "enum", "extension", "fallthrough", "false", "fileprivate", "for", "func", "guard", "if", "import", "in",
    "inout", "internal", "is", "let", "nil", "operator", "precedencegroup", "private", "protocol", "public", "repeat",
    "rethrows", "return", "static", "struct", "subscript", "super", "switch", "throw", "throws", "true", "try",
    "typealias", "var", "where", "while",
    // Words that begin an expression.
    "await", "consume", "copy", "discard", "each", "any", "some", "unsafe", "yield", "then", "borrow",
  ]
}

extension String {
  /// The text in Unicode's composed form, which keyboards type: Swift compares identifiers by their bytes.
  var composed: String { precomposedStringWithCanonicalMapping }

  /// Lowercases the first word: `URL` becomes `url`, `ProductID` becomes `productID`.
  fileprivate var lowercasedWord: String {
    if self == uppercased() { return lowercased() }
    return prefix(1).lowercased() + dropFirst()
  }
}
