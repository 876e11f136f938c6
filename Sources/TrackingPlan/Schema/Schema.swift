import Foundation
import TrackingModel

/// A compiled JSON Schema: what its keywords ask of a value, in the order in which asking is cheap.
///
/// Written once by the compiler and only read afterwards, so threads may share it. Children are owned; what a `$ref` leads to is owned by
/// the compiler's result, so that a recursive schema is no cycle of ownership. Nothing is read while it is written, so its properties go
/// without the check of exclusive access, which is most of what reading them costs.
final class Schema: @unchecked Sendable {
  let place: PlanNode.Place
  /// The resource it belongs to; only `$dynamicRef` and `$recursiveRef` look at it.
  let resource: Int
  /// The verdict of the schemas `true` and `false`.
  @exclusivity(unchecked) var verdict: Bool?
  @exclusivity(unchecked) var types = SchemaTypes.all
  /// `const` and `enum`: the value is one of each list.
  @exclusivity(unchecked) var constants: [Constants] = []
  @exclusivity(unchecked) var string: StringRules?
  @exclusivity(unchecked) var array: ArrayRules?
  @exclusivity(unchecked) var object: ObjectRules?
  @exclusivity(unchecked) var applicators: [Applicator] = []
  @exclusivity(unchecked) var unevaluatedItems: Schema?
  @exclusivity(unchecked) var unevaluatedProperties: Schema?
  // Large, so behind what is read for each value.
  @exclusivity(unchecked) var number: NumberRules?
  /// What `deprecated` says; an empty text for `true`.
  @exclusivity(unchecked) var deprecation: String?

  init(place: PlanNode.Place, resource: Int) {
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
    case allOf([Schema])
    case anyOf([Schema])
    case oneOf([Schema])
    case not(Schema)
    case conditional(if: Schema, then: Schema?, else: Schema?)
  }

  struct Unowned {
    unowned let schema: Schema
  }

  /// A reference whose target depends on the schemas that the validation came through.
  final class DynamicReference {
    unowned let fallback: Schema
    /// The targets by the resource that has the anchor; empty when the reference is as static as any.
    @exclusivity(unchecked) var targets: [Int: Unowned] = [:]

    init(fallback: Schema) {
      self.fallback = fallback
    }
  }

  struct NumberRules {
    var minimum: SchemaNumber?
    var maximum: SchemaNumber?
    var exclusiveMinimum: SchemaNumber?
    var exclusiveMaximum: SchemaNumber?
    var multipleOf: SchemaNumber?
  }

  // Rules that own others are classes: a copy of each would retain all that they own. Written once by the compiler, as the schema is.

  final class StringRules: @unchecked Sendable {
    @exclusivity(unchecked) var minLength = 0
    @exclusivity(unchecked) var maxLength = Int.max
    @exclusivity(unchecked) var pattern: SchemaPattern?
    @exclusivity(unchecked) var format: StringFormat?
  }

  final class ArrayRules: @unchecked Sendable {
    @exclusivity(unchecked) var prefix: [Schema] = []
    @exclusivity(unchecked) var items: Schema?
    @exclusivity(unchecked) var contains: Schema?
    @exclusivity(unchecked) var minContains = 1
    @exclusivity(unchecked) var maxContains = Int.max
    @exclusivity(unchecked) var minItems = 0
    @exclusivity(unchecked) var maxItems = Int.max
    @exclusivity(unchecked) var uniqueItems = false
    /// Whether items that `contains` matches count as spoken of, as they do from 2020-12.
    @exclusivity(unchecked) var containsEvaluates = false
  }

  final class ObjectRules: @unchecked Sendable {
    @exclusivity(unchecked) var properties: [Property] = []
    /// The properties as each event's params are looked up in them.
    @exclusivity(unchecked) private(set) var table = PropertyTable([])
    @exclusivity(unchecked) var requiredCount = 0
    @exclusivity(unchecked) var patterns: [(pattern: SchemaPattern, schema: Schema)] = []
    @exclusivity(unchecked) var additional: Schema?
    /// Whether a property that nothing speaks of is a finding, although the schema doesn't say so.
    @exclusivity(unchecked) var isClosed = false
    @exclusivity(unchecked) var minProperties = 0
    @exclusivity(unchecked) var maxProperties = Int.max
    @exclusivity(unchecked) var names: Schema?
    @exclusivity(unchecked) var dependentRequired: [(name: String, required: [String])] = []
    @exclusivity(unchecked) var dependentSchemas: [(name: String, schema: Schema)] = []
  }

  struct Property {
    let name: String
    var schema: Schema?
    var isRequired = false
  }
}

extension Schema.ObjectRules {
  /// Where the property of a name is.
  func property(_ key: String) -> Int? { table.position(of: key) }

  /// The property of a name, entered if it is new.
  func enter(_ name: String) -> Int {
    if let position = properties.firstIndex(where: { $0.name.isIdentical(to: name) }) { return position }
    properties.append(Schema.Property(name: name))
    return properties.count - 1
  }

  /// To be called when all properties are entered.
  func finish() {
    requiredCount = properties.count { $0.isRequired }
    table = PropertyTable(properties)
  }
}

extension Schema {
  /// The types of values that are valid whatever they hold.
  fileprivate var settled: SchemaTypes {
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

/// The properties of an object by the bytes of their names.
///
/// Looking one up retains nothing, which would cost more than comparing names does. It doesn't own the schemas; `ObjectRules.properties` does.
struct PropertyTable {
  struct Entry {
    fileprivate let begin: Int
    fileprivate let count: Int
    let schema: Unmanaged<Schema>?
    /// The types of values that the schema asks nothing else of.
    let settled: SchemaTypes
    let isRequired: Bool
  }

  private let names: [UInt8]
  private let entries: [Entry]
  /// Where the property of a name is, if there are more of them than a look at each is worth.
  private let index: [TextKey: Int]

  private static let mostLookedAt = 16

  init(_ properties: [Schema.Property]) {
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

/// The kinds of values that `type` names, as bits.
struct SchemaTypes: OptionSet, Hashable {
  let rawValue: UInt8

  static let null = SchemaTypes(rawValue: 1)
  static let boolean = SchemaTypes(rawValue: 2)
  static let integer = SchemaTypes(rawValue: 4)
  /// A number that is not an integer.
  static let fraction = SchemaTypes(rawValue: 8)
  static let string = SchemaTypes(rawValue: 16)
  static let array = SchemaTypes(rawValue: 32)
  static let object = SchemaTypes(rawValue: 64)
  static let number: SchemaTypes = [.integer, .fraction]
  static let all = SchemaTypes(rawValue: 127)

  static let names = ["null", "boolean", "integer", "number", "string", "array", "object"]

  init(rawValue: UInt8) {
    self.rawValue = rawValue
  }

  /// The type of a name that the keyword knows.
  init?(name: String) {
    switch name {
    case "null": self = .null
    case "boolean": self = .boolean
    case "integer": self = .integer
    case "number": self = .number
    case "string": self = .string
    case "array": self = .array
    case "object": self = .object
    default: return nil
    }
  }

  /// The one bit that a value is.
  init(of value: TrackingValue) {
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
