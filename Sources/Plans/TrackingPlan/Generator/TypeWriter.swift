import Foundation
import TrackingModel
import TrackingRules

/// Writes one Swift type with its nested types.
struct TypeWriter {
  let configuration: GeneratorConfiguration
  /// The access level with a trailing space; empty for internal types.
  let access: String
  /// Names that clash or aren't valid in Swift.
  private(set) var problems: [PlanError] = []
  /// The types nested in the enclosing types, by name, with their places in the plan.
  private var nested: [[String: String]] = []

  init(configuration: GeneratorConfiguration) {
    self.configuration = configuration
    access = configuration.accessPrefix
  }

  private struct Property {
    let param: PlannedParam
    let name: String
    let type: String
    /// Whether the type is optional, because the param may be absent or `null`.
    let isOptional: Bool
    /// Whether `nil` is encoded as `null`, because the param is required and nullable.
    let writesNull: Bool

    var declaration: String { "\(SwiftName.quoted(name)): \(type)\(isOptional ? "?" : "")" }
  }

  mutating func event(_ event: PlannedEvent, name: String) -> String {
    var lines = documentation(event.description.nonEmpty ?? "The event `\(event.name)`.")
    lines += deprecation(event.deprecated)
    lines.append("\(access)struct \(name): TrackingSchema, Hashable {")
    lines.append("  /// \(Self.oneLine("`\(event.name)`."))")
    lines.append("  \(access)static let eventName = \(event.name.swiftLiteral)")
    lines += body(of: event.params, path: event.name, isEvent: true)
    return lines.joined(separator: "\n") + "\n}\n"
  }

  mutating func type(_ shape: PlanShape, name: String, path: String, place: PlanPlace) -> String {
    switch shape {
    case .nullable(let inner): return type(inner, name: name, path: path, place: place)
    case .choice(let values): return enumeration(values, name: name, path: path, place: place)
    case .object(let params, _):
      var lines = documentation("The object `\(path)`.")
      lines.append("\(access)struct \(name): Codable, Hashable, Sendable {")
      lines += body(of: params, path: path, isEvent: false)
      return lines.joined(separator: "\n") + "\n}\n"
    default: return ""
    }
  }

  private mutating func enumeration(_ values: [String], name: String, path: String, place: PlanPlace) -> String {
    var lines = documentation("The values of `\(path)`.")
    lines.append("\(access)enum \(name): String, Codable, CaseIterable, Hashable, Sendable {")
    var known: [String: String] = [:]
    for value in values {
      let caseName = configuration.caseName(of: value, path: path)
      if let other = known.updateValue(value, forKey: caseName) {
        problems.append(
          PlanError(
            at: place,
            "the values \(other.swiftLiteral) and \(value.swiftLiteral) of \(path) are both \(caseName) in Swift; name one of them \"\(path)=\(value)\" under `names` in \(GeneratorConfiguration.fileName)"
          ))
      } else if !SwiftName.isMember(caseName) {
        problems.append(Self.noName(caseName, "\(path)=\(value)", place))
      }
      lines.append(
        "  case \(SwiftName.quoted(caseName))" + (caseName.isSameText(as: value) ? "" : " = \(value.swiftLiteral)"))
    }
    return lines.joined(separator: "\n") + "\n}\n"
  }

  // MARK: The body of a struct

  private mutating func body(of params: [PlannedParam], path: String, isEvent: Bool) -> [String] {
    enterNestedTypes(of: params, path: path)
    defer { nested.removeLast() }
    let properties = properties(of: params, path: path)
    var lines: [String] = isEvent && !properties.isEmpty ? [""] : []
    for property in properties {
      lines += documentation(documentation(of: property.param)).map { "  " + $0 }
      lines.append("  \(access)var \(property.declaration)")
    }
    lines += [""] + initializer(properties, isEvent: isEvent)
    for param in params {
      guard let (name, shape) = nestedType(of: param, path: path) else { continue }
      let code = type(shape, name: name, path: "\(path).\(param.name)", place: param.place)
      lines += ["", String(code.dropLast()).indented]
    }
    guard !properties.isEmpty else { return lines }
    lines += ["", "  private enum CodingKeys: String, CodingKey {"]
    for property in properties {
      let raw = property.name.isSameText(as: property.param.name) ? "" : " = \(property.param.name.swiftLiteral)"
      lines.append("    case \(SwiftName.quoted(property.name))\(raw)")
    }
    lines.append("  }")
    return lines + encoding(properties)
  }

  private mutating func properties(of params: [PlannedParam], path: String) -> [Property] {
    var known: [String: String] = [:]
    var properties: [Property] = []
    // The initializer's order, for code that reads a value by reflection.
    for param in params.requiredFirst {
      let own = "\(path).\(param.name)"
      let name = configuration.memberName(of: param, path: path)
      if let other = known.updateValue(param.name, forKey: name) {
        problems.append(Self.clash("\(path).\(other)", own, name, param.place))
      } else if !SwiftName.isMember(name) {
        problems.append(Self.noName(name, own, param.place))
      }
      checkSharedTypes(in: param.shape, of: own, param.place)
      let isNullable = param.shape.isNullable
      properties.append(
        Property(
          param: param, name: name, type: type(of: param.shape, param: param, path: path),
          isOptional: param.isOptional || isNullable, writesNull: !param.isOptional && isNullable))
    }
    return properties
  }

  private func initializer(_ properties: [Property], isEvent: Bool) -> [String] {
    let what = isEvent ? "An event with its params." : "An object with its members."
    guard !properties.isEmpty else { return ["  /// \(what)", "  \(access)init() {}"] }
    var lines = ["  /// \(what)", "  \(access)init("]
    for (index, property) in properties.enumerated() {
      let value = property.param.isOptional ? " = nil" : ""
      let comma = index == properties.count - 1 ? "" : ","
      lines.append("    \(property.declaration)\(value)\(comma)")
    }
    lines.append("  ) {")
    lines += properties.map { "    self.\($0.name) = \(SwiftName.quoted($0.name))" }
    return lines + ["  }"]
  }

  /// Writes `encode(to:)` if a required param is nullable, since the synthesized one omits `nil`.
  private func encoding(_ properties: [Property]) -> [String] {
    guard properties.contains(where: \.writesNull) else { return [] }
    var lines = [
      "", "  /// Writes `null` where a required param has no value.",
      "  \(access)func encode(to encoder: any Encoder) throws {",
      "    var container = encoder.container(keyedBy: CodingKeys.self)",
    ]
    for property in properties {
      let call = property.isOptional && !property.writesNull ? "encodeIfPresent" : "encode"
      lines.append("    try container.\(call)(self.\(SwiftName.quoted(property.name)), forKey: .\(property.name))")
    }
    return lines + ["  }"]
  }

  // MARK: Types

  private func type(of shape: PlanShape, param: PlannedParam, path: String) -> String {
    switch shape {
    case .string(let format):
      switch format {
      case "date-time": "Date"
      case "uuid": "UUID"
      case "uri": "URL"
      default: "String"
      }
    case .integer: param.exceedsInt ? "UInt64" : "Int"
    case .number: "Double"
    case .boolean: "Bool"
    case .choice, .object: configuration.typeName(of: param, path: path)
    case .array(let element): "[\(type(of: element, param: param, path: path))\(element.isNullable ? "?" : "")]"
    case .shared(let name, let inner):
      inner.isType
        ? configuration.typeName(ofShared: name)
        : type(of: inner, param: param, path: path)
    case .nullable(let inner): type(of: inner, param: param, path: path)
    case .any: "TrackingValue"
    }
  }

  private func nestedType(of param: PlannedParam, path: String) -> (name: String, shape: PlanShape)? {
    var shape = param.shape
    while true {
      switch shape {
      case .nullable(let inner), .array(let inner): shape = inner
      case .choice, .object: return (configuration.typeName(of: param, path: path), shape)
      case .shared(_, let inner):
        if inner.isType { return nil }
        shape = inner
      case .string, .integer, .number, .boolean, .any: return nil
      }
    }
  }

  // MARK: Documentation and literals

  private func documentation(of param: PlannedParam) -> String {
    let text = param.description.nonEmpty ?? "`\(param.name)`."
    guard let reason = param.deprecated else { return text }
    return text + (reason.isEmpty ? " Deprecated." : " Deprecated: \(reason)")
  }

  private func deprecation(_ reason: String?) -> [String] {
    guard let reason else { return [] }
    let message = reason.isEmpty ? "The plan says that this event should no longer be sent." : Self.oneLine(reason)
    return ["@available(*, deprecated, message: \(message.swiftLiteral))"]
  }

  /// A documentation comment in swift-format's form: a one-sentence summary, then a separate paragraph.
  private func documentation(_ text: String) -> [String] {
    var words = Self.oneLine(text).split(separator: " ").map(String.init)[...]
    let end = words.firstIndex { $0.hasSuffix(".") } ?? words.endIndex - 1
    var summary = Array(words[words.startIndex...max(end, words.startIndex)])
    words = words.dropFirst(summary.count)
    if let last = summary.popLast() {
      let isOpen = !last.hasSuffix(".")
      summary.append(isOpen ? "\(last.hasSuffix("?") || last.hasSuffix("!") ? String(last.dropLast()) : last)." : last)
    }
    return Self.comment(summary) + (words.isEmpty ? [] : ["///"] + Self.comment(Array(words)))
  }

  /// Wraps words into comment lines of at most 96 columns.
  private static func comment(_ words: [String]) -> [String] {
    var lines: [String] = []
    var line = "///"
    for word in words {
      if line.count + word.count + 1 > 96, line != "///" {
        lines.append(line)
        line = "///"
      }
      line += " \(word)"
    }
    return lines + [line]
  }

  private static func oneLine(_ text: String) -> String {
    // Most texts are ASCII on one line, where only a space is white space, so Unicode's tables aren't needed.
    if text.utf8.allSatisfy({ 0x20..<0x80 ~= $0 }) {
      return text.utf8.split(separator: UInt8(ascii: " ")).map { String(Substring($0)) }.joined(separator: " ")
    }
    return text.unicodeScalars.map { $0.isBlank ? " " : String($0) }.joined()
      .split(separator: " ").joined(separator: " ")
  }

  // MARK: Problems

  static func clash(_ first: String, _ second: String, _ name: String, _ place: PlanPlace) -> PlanError {
    PlanError(
      at: place,
      "\(first) and \(second) are both \(name) in Swift; give one of them a `swiftName`, in the plan or under `names` in \(GeneratorConfiguration.fileName)"
    )
  }

  static func noName(_ name: String, _ origin: String, _ place: PlanPlace) -> PlanError {
    PlanError(
      at: place,
      "\(origin): \(name.swiftLiteral) can't be a name in Swift; give it another `swiftName`, in the plan or under `names` in \(GeneratorConfiguration.fileName)"
    )
  }

  private mutating func enterNestedTypes(of params: [PlannedParam], path: String) {
    var names: [String: String] = [:]
    for param in params {
      guard let (name, _) = nestedType(of: param, path: path) else { continue }
      let origin = "\(path).\(param.name)"
      if let other = names.updateValue(origin, forKey: name) {
        problems.append(Self.clash("the type of \(other)", "the type of \(origin)", name, param.place))
      } else if !SwiftName.isType(name) {
        problems.append(Self.noName(name, origin, param.place))
      }
    }
    nested.append(names)
  }

  /// Refuses a nested type that would shadow a shared type of the same name.
  private mutating func checkSharedTypes(in shape: PlanShape, of param: String, _ place: PlanPlace) {
    switch shape {
    case .nullable(let inner), .array(let inner): checkSharedTypes(in: inner, of: param, place)
    case .shared(let name, let inner):
      let type = configuration.typeName(ofShared: name)
      guard inner.isType, let other = nested.lazy.compactMap({ $0[type] }).first else { return }
      problems.append(Self.clash("the type of \(other)", "the type \(name) of \(param)", type, place))
    case .string, .integer, .number, .boolean, .choice, .object, .any: return
    }
  }
}

extension PlannedParam {
  /// Whether values may exceed `Int.max`, by the param's `maximum`.
  fileprivate var exceedsInt: Bool {
    guard case .unsigned? = (node["items"] ?? node)["maximum"]?.value else { return false }
    return true
  }
}

extension String? {
  fileprivate var nonEmpty: String? {
    self?.unicodeScalars.contains { !$0.isBlank } == true ? self : nil
  }
}

extension Unicode.Scalar {
  /// Whether it separates words of a comment: white space or a control character.
  fileprivate var isBlank: Bool { isASCII ? value <= 0x20 : properties.isWhitespace }
}
