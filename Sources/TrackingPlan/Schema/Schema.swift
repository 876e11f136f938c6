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
  @exclusivity(unchecked) var number: NumberRules?
  @exclusivity(unchecked) var string: StringRules?
  @exclusivity(unchecked) var array: ArrayRules?
  @exclusivity(unchecked) var object: ObjectRules?
  @exclusivity(unchecked) var applicators: [Applicator] = []
  @exclusivity(unchecked) var unevaluatedItems: Schema?
  @exclusivity(unchecked) var unevaluatedProperties: Schema?
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

  struct StringRules {
    var minLength = 0
    var maxLength = Int.max
    var pattern: SchemaPattern?
    var format: StringFormat?
  }

  struct ArrayRules {
    var prefix: [Schema] = []
    var items: Schema?
    var contains: Schema?
    var minContains = 1
    var maxContains = Int.max
    var minItems = 0
    var maxItems = Int.max
    var uniqueItems = false
    /// Whether items that `contains` matches count as spoken of, as they do from 2020-12.
    var containsEvaluates = false
  }

  /// Written once by the compiler, as the schema is.
  final class ObjectRules: @unchecked Sendable {
    @exclusivity(unchecked) var properties: [Property] = []
    /// Where the property of a name is, if there are more of them than a look at each is worth.
    @exclusivity(unchecked) var index: [String: Int] = [:]
    /// Required names that `properties` doesn't have.
    @exclusivity(unchecked) var otherRequired: [String] = []
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

  /// A property of an object; one that is looked at for each event is not copied out of its list.
  final class Property: @unchecked Sendable {
    let name: String
    let byteCount: Int
    /// For texts of ASCII `==` and the number of bytes tell whether they are the same.
    private let isASCII: Bool
    @exclusivity(unchecked) var schema: Schema?
    @exclusivity(unchecked) var isRequired = false

    init(name: String) {
      self.name = name
      byteCount = name.utf8.count
      isASCII = name.utf8.allSatisfy { $0 < 0x80 }
    }

    /// Whether this is the name of a key, of which the number of bytes is known.
    func isNamed(_ key: String, _ count: Int) -> Bool {
      byteCount == count && name == key && (isASCII || name.isIdentical(to: key))
    }
  }
}

extension Schema.ObjectRules {
  private static let mostLookedAt = 16

  /// Which property has a name.
  func property(_ key: String) -> Int? {
    let byteCount = key.utf8.count
    let count = properties.count
    if count <= Self.mostLookedAt {
      var position = 0
      while position < count {
        if properties[position].isNamed(key, byteCount) { return position }
        position &+= 1
      }
      return nil
    }
    guard let position = index[key], properties[position].isNamed(key, byteCount) else { return nil }
    return position
  }

  /// The property of a name, entered if it is new.
  func enter(_ name: String) -> Int {
    if let position = properties.firstIndex(where: { $0.name.isIdentical(to: name) }) { return position }
    properties.append(Schema.Property(name: name))
    return properties.count - 1
  }

  func finish() {
    requiredCount = properties.count { $0.isRequired }
    guard properties.count > Self.mostLookedAt else { return }
    for (position, property) in properties.enumerated() { index[property.name] = position }
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
