import Foundation
import TrackingJSON
import TrackingModel

/// A compiled JSON Schema: the constraints of its keywords, ordered by the cost of checking them.
///
/// The compiler writes it once, and afterwards it is only read, so threads may share it. A schema owns its children. The compiler's result
/// owns the targets of `$ref`, so a recursive schema isn't a retain cycle. No property is read while it is written, so the properties omit
/// the check of exclusive access, which would be most of the cost of reading them.
final class JSONSchemaNode: @unchecked Sendable {
  let place: JSONTree.Place
  /// The schema's resource, which only `$dynamicRef` and `$recursiveRef` need.
  let resource: Int
  /// The value of a boolean schema.
  @exclusivity(unchecked) var verdict: Bool?
  @exclusivity(unchecked) var types = JSONSchemaTypes.all
  /// `const` and `enum`: a valid value is in each list.
  @exclusivity(unchecked) var constants: [Constants] = []
  @exclusivity(unchecked) var string: StringRules?
  @exclusivity(unchecked) var array: ArrayRules?
  @exclusivity(unchecked) var object: ObjectRules?
  @exclusivity(unchecked) var applicators: [Applicator] = []
  @exclusivity(unchecked) var unevaluatedItems: JSONSchemaNode?
  @exclusivity(unchecked) var unevaluatedProperties: JSONSchemaNode?
  /// Whether properties that no subschema evaluates are findings, although the schema has no `unevaluatedProperties`.
  @exclusivity(unchecked) var closesUnevaluated = false
  // Large, so stored after the properties that are read for each value.
  @exclusivity(unchecked) var number: NumberRules?
  /// The value of `deprecated`; empty for `true`.
  @exclusivity(unchecked) var deprecation: String?

  init(place: JSONTree.Place, resource: Int) {
    self.place = place
    self.resource = resource
  }

  struct Constants {
    let keyword: String
    let values: [TrackingValue]
  }

  enum Applicator {
    case ref(Unowned)
    case dynamicRef(DynamicReference)
    case allOf([JSONSchemaNode])
    case anyOf([JSONSchemaNode])
    case oneOf([JSONSchemaNode])
    case not(JSONSchemaNode)
    case conditional(if: JSONSchemaNode, then: JSONSchemaNode?, else: JSONSchemaNode?)
  }

  struct Unowned {
    unowned let schema: JSONSchemaNode
  }

  /// A reference whose target depends on the dynamic scope of the validation.
  final class DynamicReference {
    unowned let fallback: JSONSchemaNode
    /// The targets by the resource that has the anchor; empty if the reference is static.
    @exclusivity(unchecked) var targets: [Int: Unowned] = [:]

    init(fallback: JSONSchemaNode) {
      self.fallback = fallback
    }
  }

  struct NumberRules {
    var minimum: JSONSchemaNumber?
    var maximum: JSONSchemaNumber?
    var exclusiveMinimum: JSONSchemaNumber?
    var exclusiveMaximum: JSONSchemaNumber?
    var multipleOf: JSONSchemaNumber?

    var isUsed: Bool {
      [minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf].contains { $0 != nil }
    }
  }

  // Rules that own schemas are classes, since copying a struct would retain everything that it owns. The compiler writes them once.

  final class StringRules: @unchecked Sendable {
    @exclusivity(unchecked) var minLength = 0
    @exclusivity(unchecked) var maxLength = Int.max
    @exclusivity(unchecked) var pattern: JSONSchemaPattern?
    @exclusivity(unchecked) var format: StringFormat?

    var isUsed: Bool { minLength > 0 || maxLength < .max || pattern != nil || format != nil }
  }

  final class ArrayRules: @unchecked Sendable {
    @exclusivity(unchecked) var prefix: [JSONSchemaNode] = []
    @exclusivity(unchecked) var items: JSONSchemaNode?
    @exclusivity(unchecked) var contains: JSONSchemaNode?
    @exclusivity(unchecked) var minContains = 1
    @exclusivity(unchecked) var maxContains = Int.max
    @exclusivity(unchecked) var minItems = 0
    @exclusivity(unchecked) var maxItems = Int.max
    @exclusivity(unchecked) var uniqueItems = false
    /// Whether items that `contains` matches count as evaluated, as they do from 2020-12.
    @exclusivity(unchecked) var containsEvaluates = false

    var isUsed: Bool {
      !prefix.isEmpty || items != nil || contains != nil || minItems > 0 || maxItems < .max || uniqueItems
    }
  }

  final class ObjectRules: @unchecked Sendable {
    @exclusivity(unchecked) var properties: [Property] = []
    /// The properties, prepared for looking up an event's params.
    @exclusivity(unchecked) private(set) var table = PropertyTable([])
    @exclusivity(unchecked) var requiredCount = 0
    @exclusivity(unchecked) var patterns: [(pattern: JSONSchemaPattern, schema: JSONSchemaNode)] = []
    @exclusivity(unchecked) var additional: JSONSchemaNode?
    /// Whether unlisted properties are findings, although the schema has no `additionalProperties`.
    @exclusivity(unchecked) var isClosed = false
    /// Whether the schema has `properties` or `patternProperties`, even if they are empty.
    @exclusivity(unchecked) var listsMembers = false
    @exclusivity(unchecked) var minProperties = 0
    @exclusivity(unchecked) var maxProperties = Int.max
    @exclusivity(unchecked) var names: JSONSchemaNode?
    @exclusivity(unchecked) var dependentRequired: [(name: String, required: [String])] = []
    @exclusivity(unchecked) var dependentSchemas: [(name: String, schema: JSONSchemaNode)] = []

    var isUsed: Bool {
      !properties.isEmpty || !patterns.isEmpty || additional != nil || listsMembers || minProperties > 0
        || maxProperties < .max || names != nil || !dependentRequired.isEmpty || !dependentSchemas.isEmpty
    }
  }

  struct Property {
    let name: String
    var schema: JSONSchemaNode?
    var isRequired = false
  }
}

extension JSONSchemaNode.ObjectRules {
  func property(_ key: String) -> Int? { table.position(of: key) }

  /// The position of a property, which is added if it is new.
  func enter(_ name: String) -> Int {
    if let position = properties.firstIndex(where: { $0.name.isSameText(as: name) }) { return position }
    properties.append(JSONSchemaNode.Property(name: name))
    return properties.count - 1
  }

  /// Builds the lookup table; call it after the last property is added.
  func finish() {
    requiredCount = properties.count { $0.isRequired }
    table = PropertyTable(properties)
  }
}

extension JSONSchemaNode {
  /// The types whose values are all valid.
  fileprivate var settled: JSONSchemaTypes {
    guard verdict == nil, constants.isEmpty, applicators.isEmpty, unevaluatedItems == nil, unevaluatedProperties == nil
    else { return [] }
    var settled = types
    if number != nil { settled.subtract(.number) }
    if string != nil { settled.remove(.string) }
    if array != nil { settled.remove(.array) }
    if object != nil { settled.remove(.object) }
    return settled
  }
}

/// An object's properties by the UTF-8 bytes of their names.
///
/// A lookup retains nothing, since a retain costs more than comparing names. `ObjectRules.properties` owns the schemas.
struct PropertyTable {
  struct Entry {
    fileprivate let begin: Int
    fileprivate let count: Int
    let schema: Unmanaged<JSONSchemaNode>?
    /// The types that the schema doesn't constrain further.
    let settled: JSONSchemaTypes
    let isRequired: Bool
  }

  private let names: [UInt8]
  private let entries: [Entry]
  /// The positions by name, used if there are too many properties for a linear search.
  private let index: [TextKey: Int]

  private static let mostLookedAt = 16

  init(_ properties: [JSONSchemaNode.Property]) {
    var names: [UInt8] = []
    entries = properties.map { property in
      defer { names += property.name.utf8 }
      return Entry(
        begin: names.count, count: property.name.utf8.count, schema: property.schema.map(Unmanaged.passUnretained),
        settled: property.schema?.settled ?? [], isRequired: property.isRequired)
    }
    self.names = names
    index =
      properties.count > Self.mostLookedAt
      ? Dictionary(properties.enumerated().map { (TextKey($1.name), $0) }, uniquingKeysWith: { first, _ in first })
      : [:]
  }

  subscript(key: String) -> Entry? {
    position(of: key).map { entries[$0] }
  }

  func position(of key: String) -> Int? {
    guard entries.count <= Self.mostLookedAt else { return index[TextKey(key)] }
    return key.withBytes { key in
      names.withUnsafeBufferPointer { names in
        entries.withUnsafeBufferPointer { entries in
          entries.firstIndex { $0.isNamed(key, among: names) }
        }
      }
    }
  }
}

extension PropertyTable.Entry {
  fileprivate func isNamed(_ key: UnsafeBufferPointer<UInt8>, among names: UnsafeBufferPointer<UInt8>) -> Bool {
    guard count == key.count, let key = key.baseAddress, let names = names.baseAddress else {
      return count == key.count
    }
    return memcmp(key, names + begin, count) == 0
  }
}

/// The types of JSON Schema's `type` keyword, as bits.
package struct JSONSchemaTypes: OptionSet, Hashable, Sendable {
  package let rawValue: UInt8

  package static let null = JSONSchemaTypes(rawValue: 1)
  package static let boolean = JSONSchemaTypes(rawValue: 2)
  package static let integer = JSONSchemaTypes(rawValue: 4)
  package static let fraction = JSONSchemaTypes(rawValue: 8)
  package static let string = JSONSchemaTypes(rawValue: 16)
  package static let array = JSONSchemaTypes(rawValue: 32)
  package static let object = JSONSchemaTypes(rawValue: 64)
  package static let number: JSONSchemaTypes = [.integer, .fraction]
  package static let all = JSONSchemaTypes(rawValue: 127)

  /// The names in the order of the bits; `number` has the place of fractions.
  package static let names = ["null", "boolean", "integer", "number", "string", "array", "object"]

  package init(rawValue: UInt8) {
    self.rawValue = rawValue
  }

  package init?(name: String) {
    guard let index = Self.names.firstIndex(of: name) else { return nil }
    self = name == "number" ? .number : JSONSchemaTypes(rawValue: 1 << index)
  }

  static func refusal(of name: String) -> String {
    "\"\(name.shortenedForMessage)\" is not a type" + EditDistance.hint(for: name, among: names, quote: "\"")
  }

  package init(of value: TrackingValue) {
    switch value {
    case .null: self = .null
    case .bool: self = .boolean
    case .int, .unsigned: self = .integer
    case .double(let value): self = !value.isFinite ? .string : value == value.rounded() ? .integer : .fraction
    case .string: self = .string
    case .array: self = .array
    case .object: self = .object
    }
  }
}
