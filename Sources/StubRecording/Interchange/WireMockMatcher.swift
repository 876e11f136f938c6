import Foundation
import StubModel

/// Translates WireMock's matchers into conditions of stubs.
enum WireMockMatcher {
  /// The matcher of a text: a header field, a query item, a cookie or a body.
  ///
  /// - Throws: ``Untranslatable`` for a matcher without a counterpart.
  static func text(_ node: JSONNode) throws -> ValueMatcher {
    let members = try node.members().filter { $0.name != "caseInsensitive" }
    guard members.count == 1, let (name, operand) = members.first else {
      throw Untranslatable(node, "has \(members.isEmpty ? "no matcher" : "several matchers in one object")")
    }
    let ignoresCase = try node["caseInsensitive"]?.boolean() ?? false
    guard !ignoresCase || name == "equalTo" else {
      throw Untranslatable(node, "ignores case, which only equalTo can")
    }
    switch name {
    case "equalTo":
      let text = try operand.string()
      return ignoresCase
        ? try regex("(?i)" + NSRegularExpression.escapedPattern(for: text), operand) : .equal(to: text)
    case "contains": return .contains(try operand.string())
    case "doesNotContain": return .not(.contains(try operand.string()))
    case "matches": return try regex(try operand.string(), operand)
    case "doesNotMatch": return .not(try regex(try operand.string(), operand))
    case "absent": return try operand.boolean() ? .absent : .present
    case "and": return .all(of: try operand.elements().map(text))
    case "or": return .one(of: try operand.elements().map(text))
    case "not": return .not(try text(operand))
    default: throw Untranslatable(operand, "has no counterpart")
    }
  }

  private static func regex(_ pattern: String, _ node: JSONNode) throws -> ValueMatcher {
    let matcher = ValueMatcher.matches(pattern)
    guard matcher.invalidity == nil else { throw Untranslatable(node, "isn't a regular expression of Swift's") }
    return matcher
  }

  /// The condition of `bodyPatterns`.
  static func body(_ patterns: [JSONNode]) throws -> BodyCondition {
    let names = Set(try patterns.flatMap { try $0.members().map(\.name) })
    if names == ["matchesJsonPath"] { return .json(.object(try jsonPaths(patterns))) }
    guard patterns.count == 1 || names.isDisjoint(with: ["equalToJson", "binaryEqualTo", "matchesJsonPath"]) else {
      throw Untranslatable(patterns[0], "is one of several body patterns of different kinds")
    }
    if let node = try patterns[0]["equalToJson"] { return try json(node, patterns[0]) }
    if let node = try patterns[0]["binaryEqualTo"] { return .exact(try node.base64()) }
    let matchers = try patterns.map(text)
    return .text(matchers.count == 1 ? matchers[0] : .all(of: matchers))
  }

  private static func json(_ node: JSONNode, _ pattern: JSONNode) throws -> BodyCondition {
    var value = node.value
    if case .string(let text) = value {
      do {
        value = try JSONNode(Data(text.utf8)).value
      } catch {
        throw node.error("it isn't JSON: \(error)")
      }
    }
    guard !value.description.contains("${json-unit") else {
      throw Untranslatable(node, "has placeholders of JsonUnit")
    }
    if try pattern["ignoreArrayOrder"]?.boolean() ?? false, value.hasSeveralElements {
      throw Untranslatable(try pattern.member("ignoreArrayOrder"), "has no counterpart: arrays are compared in order")
    }
    return try pattern["ignoreExtraElements"]?.boolean() ?? false ? .jsonSubset(value) : .json(value)
  }

  /// Conditions on members: `$.user.name`, alone or with a matcher for its value.
  private static func jsonPaths(_ patterns: [JSONNode]) throws -> [TrackingParam: ValueMatcher] {
    var conditions: [TrackingParam: ValueMatcher] = [:]
    for pattern in patterns {
      let node = try pattern.member("matchesJsonPath")
      var (expression, matcher) = (node, ValueMatcher.any)
      if case .object(var members) = node.value {
        expression = try node.member("expression")
        members["expression"] = nil
        matcher = try text(JSONNode(.object(members), path: node.path, file: node.file))
        // The value may be a number, which WireMock compares as text.
        if let text = matcher.onlyText, let value = try? JSONNode(Data(text.utf8)).value {
          matcher = .one(of: [matcher, .equal(to: value)])
        }
      }
      let path = try expression.string()
      guard path.hasPrefix("$."), path.dropFirst(2).allSatisfy({ $0.isLetter || $0.isNumber || "._-[]".contains($0) }),
        !path.contains("..")
      else { throw Untranslatable(expression, "isn't the path of a single member") }
      conditions[TrackingParam(stringLiteral: String(path.dropFirst(2)))] = matcher
    }
    return conditions
  }
}

extension TrackingValue {
  fileprivate var hasSeveralElements: Bool {
    switch self {
    case .array(let values): values.count > 1 || values.contains(where: \.hasSeveralElements)
    case .object(let members): members.values.contains(where: \.hasSeveralElements)
    case .null, .bool, .int, .unsigned, .double, .string: false
    }
  }
}
