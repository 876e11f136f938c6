import Foundation
import TrackingJSON
import TrackingModel

/// The conditions on an event's params at the end of a command line's words: `total>100 order.total>=5 email=* currency=EUR`.
struct WordConditions {
  /// The values that params must have, or a request's other members.
  private(set) var params: [String: TrackingValue] = [:]
  /// The other conditions as the user wrote them, in their order.
  private(set) var comparisons: [String] = []
  /// The keywords of JSON Schema by the param's path.
  private var keywords: [String: [String: TrackingValue]] = [:]

  var isEmpty: Bool { params.isEmpty && keywords.isEmpty }

  /// Whether a character is a sign's; ``last`` has the same ones.
  static func isSign(_ character: Character) -> Bool { "=<>".contains(character) }

  /// Whether a word alone is a condition; `Home>Cart` and arrows are names.
  static func isCondition(_ word: String) -> Bool {
    let key = word.prefix { !isSign($0) }
    let value = word[key.endIndex...].drop(while: isSign)
    return !word.hasPrefix("/") && (word.contains("=") || !key.isEmpty && key != word && number(String(value)) != nil)
  }

  /// Words, a key, a sign and a value: an event's name is in front, and a path of a request isn't a key.
  private static var last: Regex<(Substring, Substring, Substring, Substring, Substring)> {
    /(.*\S) ([^ =<>!\/\-][^ =<>!]*) ?(>=|<=|!=|=|>|<) ?([^ ]*)/
  }

  private static let keyword = [">": "exclusiveMinimum", ">=": "minimum", "<": "exclusiveMaximum", "<=": "maximum"]

  /// Reads the last condition, and returns the words in front of it; `nil` if the words have no condition.
  ///
  /// - Throws: ``CommandError`` with what to write instead.
  mutating func takeLast(of text: String) throws(CommandError) -> String? {
    guard let found = text.wholeMatch(of: Self.last)?.output else { return nil }
    let (words, key, sign, value) = (String(found.1), String(found.2), String(found.3), String(found.4))
    let word = "\(key)\(sign)\(value)"
    if sign == "=", value != "*" {
      guard !value.hasPrefix("=") else { throw CommandError("a value follows one equals sign: \(word)") }
      guard !(value.first.map(Self.isSign) ?? false) else {
        throw CommandError("\(word) compares in the other order: write \(key)\(value.prefix(1))=\(value.dropFirst())")
      }
      guard params.updateValue(Self.read(value), forKey: key) == nil else {
        throw CommandError("\(key) is given twice")
      }
      return words
    }
    comparisons.insert(word, at: 0)
    let added: [String: TrackingValue]
    if sign == "=" {
      added = ["not": ["type": "null"]]
    } else if let keyword = Self.keyword[sign], let number = Self.number(value) {
      added = ["type": "number", keyword: number]
    } else {
      throw CommandError(Self.refusal(of: key, sign, value, event: words))
    }
    let earlier = keywords[key, default: [:]]
    guard added.keys.allSatisfy({ $0 == "type" || earlier[$0] == nil }) else {
      throw CommandError("\(key)\(sign) is given twice")
    }
    keywords[key] = earlier.merging(added) { $1 }
    return words
  }

  private static func refusal(of key: String, _ sign: String, _ value: String, event: String) -> String {
    guard !value.isEmpty else { return "\(key)\(sign) has no value" }
    let (reason, rule): (String, TrackingValue) =
      sign == "!="
      ? ("words have no !=", ["not": ["const": read(value)]])
      : ("\(key)\(sign)\(value) compares with a number, which \(value) isn't", ["pattern": "…"])
    let check = ["event": .string(event), "paramsSchema": schema(rule, at: key[...])] as [String: TrackingValue]
    return "\(reason): for dates and other values, write '\(CheckWords.json(check))'"
  }

  /// The members of a check for an event with these params.
  func members(of event: String) throws(CommandError) -> [String: TrackingValue] {
    var members: [String: TrackingValue] = ["event": .string(event)]
    if !params.isEmpty { members["params"] = .object(params) }
    guard !keywords.isEmpty else { return members }
    let schemas = keywords.sorted { $0.key < $1.key }.map { key, rule in Self.condition(.object(rule), at: key) }
    members["paramsSchema"] = .object(
      ["title": .string(comparisons.joined(separator: " "))].merging(
        schemas.count == 1 ? schemas[0] : ["allOf": .array(schemas.map(TrackingValue.object))]
      ) { $1 })
    return members
  }

  /// A schema of params with a value that a rule is about: the param of this name, or else a part of one.
  private static func condition(_ rule: TrackingValue, at key: String) -> [String: TrackingValue] {
    let named: TrackingValue = ["properties": .object([key: rule])]
    guard case .object(let nested) = schema(rule, at: key[...]), key.contains(where: { ".[".contains($0) }) else {
      return ["properties": .object([key: rule]), "required": [.string(key)]]
    }
    return ["if": ["required": [.string(key)]], "then": named, "else": .object(nested)]
  }

  /// A schema of an object or an array that leads along a path: `order.total`, `items[0].price`.
  private static func schema(_ rule: TrackingValue, at path: Substring) -> TrackingValue {
    guard let start = path.first else { return rule }
    if start == "[", let end = path.firstIndex(of: "]"), let index = Int(path[..<end].dropFirst()),
      (0...999).contains(index)
    {
      let item = schema(rule, at: path[path.index(after: end)...])
      return [
        "type": "array", "minItems": .int(index + 1),
        "prefixItems": .array(Array(repeating: .bool(true), count: index) + [item]),
      ]
    }
    let path = start == "." ? path.dropFirst() : path
    let name = String(path.prefix { !".[".contains($0) })
    guard !name.isEmpty else {
      return ["properties": .object([String(path): rule]), "required": [.string(String(path))]]
    }
    return [
      "type": "object", "properties": .object([name: schema(rule, at: path.dropFirst(name.count))]),
      "required": [.string(name)],
    ]
  }

  private static func number(_ text: String) -> TrackingValue? {
    switch read(text) {
    case .int(let number): .int(number)
    case .unsigned(let number): .unsigned(number)
    case .double(let number): .double(number)
    default: nil
    }
  }

  /// Reads a value as JSON if possible, otherwise as a string.
  private static func read(_ text: String) -> TrackingValue {
    (try? JSONDecoder().decode(TrackingValue.self, from: Data(text.utf8))) ?? .string(text)
  }
}
