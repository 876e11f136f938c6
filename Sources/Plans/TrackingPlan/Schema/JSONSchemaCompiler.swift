import TrackingJSON
import TrackingModel

/// Compiles a schema of a plan and everything that it references.
///
/// Finds errors that would otherwise show only with certain values: unknown types, invalid patterns, references that can't be
/// resolved, and reference cycles that don't descend into the value, which would overflow the stack.
package struct JSONSchemaCompiler {
  /// Deviations from the standard.
  package struct Options: Sendable {
    package var assertsFormats: Bool
    /// Whether a whole object without `additionalProperties` allows only the properties that the schema names.
    package var closesObjects: Bool
    /// Whether a whole object without `required` requires its properties, except those with `optional`.
    package var requiresProperties: Bool
    /// The only allowed members of a schema, besides those that begin with `x-`; `nil` if any other is an annotation.
    package var keywords: Set<String>?

    package init(
      assertsFormats: Bool = true, closesObjects: Bool = false, requiresProperties: Bool = false,
      keywords: Set<String>? = nil
    ) {
      self.assertsFormats = assertsFormats
      self.closesObjects = closesObjects
      self.requiresProperties = requiresProperties
      self.keywords = keywords
    }
  }

  /// The reason that a schema can't be used, with its place in the file.
  package struct Failure: Error {
    package let place: JSONTree.Place
    package let path: String
    package let reason: String
  }

  struct Result: Sendable {
    let root: JSONSchemaNode
    let referred: [JSONSchemaNode]
    /// Whether validation must record the dynamic scope.
    let usesDynamicScope: Bool
  }

  static let deepest = 128

  let registry: JSONSchemaRegistry
  let options: Options
  private var known: [Key: JSONSchemaNode] = [:]
  private var waiting: [Waiting] = []
  /// The extents of the subschemas of the schema that is being compiled.
  var extents: SubschemaExtents
  private var usesDynamicScope = false
  private var depth = 0

  private struct Key: Hashable {
    let place: JSONTree.Place
    let resource: Int
    let extent: SchemaExtent
  }

  private struct Waiting {
    let schema: JSONSchemaNode
    let location: JSONSchemaRegistry.Location
    let path: String
    let extent: SchemaExtent
  }

  private init(registry: JSONSchemaRegistry, options: Options) {
    (self.registry, self.options) = (registry, options)
    extents = SubschemaExtents(of: [:], .whole, .draft2020)
  }

  /// Compiles a schema; `path` is the prefix of the paths in messages.
  static func compile(
    _ location: JSONSchemaRegistry.Location, in registry: JSONSchemaRegistry, options: Options, path: String,
    extent: SchemaExtent
  ) throws(Failure) -> Result {
    var compiler = JSONSchemaCompiler(registry: registry, options: options)
    let root = compiler.target(of: location, path: path, extent)
    while let next = compiler.waiting.popLast() {
      try compiler.fill(next.schema, from: next.location, path: next.path, next.extent)
    }
    let result = Result(root: root, referred: Array(compiler.known.values), usesDynamicScope: compiler.usesDynamicScope)
    try CircleSearch.run(over: result, path: path)
    return result
  }

  // MARK: Subschemas and references

  mutating func child(
    _ node: JSONTree, below keyword: String, in resource: Int, path: String
  ) throws(Failure) -> JSONSchemaNode {
    depth += 1
    defer { depth -= 1 }
    guard depth <= Self.deepest else {
      throw Failure(place: node.place, path: path, reason: "schemas are nested deeper than \(Self.deepest)")
    }
    let owner = registry.resource(of: node, in: resource)
    let schema = JSONSchemaNode(place: node.place, resource: owner)
    try fill(schema, from: .init(node: node, resource: owner), path: path, extents[keyword])
    return schema
  }

  /// The target of a reference; a new target is compiled later, so that compiling a recursive schema terminates.
  private mutating func target(
    of location: JSONSchemaRegistry.Location, path: String, _ extent: SchemaExtent
  ) -> JSONSchemaNode {
    let key = Key(place: location.node.place, resource: location.resource, extent: extent)
    if let schema = known[key] { return schema }
    let schema = JSONSchemaNode(place: location.node.place, resource: location.resource)
    known[key] = schema
    waiting.append(Waiting(schema: schema, location: location, path: path, extent: extent))
    return schema
  }

  mutating func reference(_ node: JSONTree, in resource: Int, path: String) throws(Failure) -> JSONSchemaNode {
    guard let text = node.string else { throw expected("a string", node, path) }
    guard let location = registry.find(node, from: resource) else {
      throw Failure(
        place: node.place, path: path,
        reason: "\"\(text.shortenedForMessage)\" can't be resolved; a plan can only refer to its own files")
    }
    return target(of: location, path: path, extents["$ref"])
  }

  mutating func dynamicReference(_ node: JSONTree, in resource: Int, path: String) throws(Failure)
    -> JSONSchemaNode.Applicator
  {
    let fallback = try reference(node, in: resource, path: path)
    let dynamic = JSONSchemaNode.DynamicReference(fallback: fallback)
    guard let text = node.string, let location = registry.find(node, from: resource),
      let name = location.node["$dynamicAnchor"]?.string, text.hasSuffix("#" + name)
    else { return .ref(.init(schema: fallback)) }
    usesDynamicScope = true
    for (index, resource) in registry.resources.enumerated() {
      guard let node = resource.dynamicAnchors[name] else { continue }
      dynamic.targets[index] = .init(
        schema: target(
          of: .init(node: node, resource: registry.resource(of: node, in: index)), path: path, extents["$dynamicRef"]))
    }
    return .dynamicRef(dynamic)
  }

  mutating func recursiveReference(_ node: JSONTree, in resource: Int, path: String) throws(Failure)
    -> JSONSchemaNode.Applicator
  {
    let fallback = try reference(node, in: resource, path: path)
    guard registry.resources[fallback.resource].isRecursiveAnchor else { return .ref(.init(schema: fallback)) }
    usesDynamicScope = true
    let dynamic = JSONSchemaNode.DynamicReference(fallback: fallback)
    for (index, resource) in registry.resources.enumerated() where resource.isRecursiveAnchor {
      dynamic.targets[index] = .init(
        schema: target(of: .init(node: resource.root, resource: index), path: path, extents["$recursiveRef"]))
    }
    return .dynamicRef(dynamic)
  }

  func expected(_ what: String, _ node: JSONTree, _ path: String) -> Failure {
    Failure(place: node.place, path: path, reason: "expected \(what), found \(node.kind)")
  }
}

/// Finds cycles of references that don't descend into the value.
private struct CircleSearch {
  private enum State { case entered, left }

  private var states: [ObjectIdentifier: State] = [:]

  static func run(over result: JSONSchemaCompiler.Result, path: String) throws(JSONSchemaCompiler.Failure) {
    var search = CircleSearch()
    for schema in result.referred { try search.visitAll(schema, path: path) }
  }

  /// Searches a schema and all its subschemas, since a cycle can begin at any of them.
  private mutating func visitAll(_ schema: JSONSchemaNode, path: String) throws(JSONSchemaCompiler.Failure) {
    try visit(schema, path: path)
    for child in schema.childrenByStep { try visitAll(child, path: path) }
    for next in schema.ownedInPlace { try visitAll(next, path: path) }
  }

  private mutating func visit(_ schema: JSONSchemaNode, path: String) throws(JSONSchemaCompiler.Failure) {
    switch states[ObjectIdentifier(schema)] {
    case .left: return
    case .entered:
      throw JSONSchemaCompiler.Failure(
        place: schema.place, path: path,
        reason: "this $ref refers back to itself without descending into the value")
    case nil: break
    }
    states[ObjectIdentifier(schema)] = .entered
    for next in schema.ownedInPlace + schema.referredInPlace { try visit(next, path: path) }
    states[ObjectIdentifier(schema)] = .left
  }
}

extension JSONSchemaNode {
  /// The subschemas that apply to the same value.
  fileprivate var ownedInPlace: [JSONSchemaNode] {
    var schemas = object?.dependentSchemas.map(\.schema) ?? []
    for applicator in applicators {
      switch applicator {
      case .ref, .dynamicRef: break
      case .allOf(let all), .anyOf(let all), .oneOf(let all): schemas += all
      case .not(let schema): schemas.append(schema)
      case .conditional(let condition, let then, let otherwise):
        schemas += [condition, then, otherwise].compactMap { $0 }
      }
    }
    return schemas
  }

  fileprivate var referredInPlace: [JSONSchemaNode] {
    applicators.flatMap { applicator -> [JSONSchemaNode] in
      switch applicator {
      case .ref(let target): [target.schema]
      // The actual target is known only during validation, whose depth is limited.
      case .dynamicRef(let dynamic): [dynamic.fallback]
      case .allOf, .anyOf, .oneOf, .not, .conditional: []
      }
    }
  }

  /// The subschemas that apply to a part of the value.
  fileprivate var childrenByStep: [JSONSchemaNode] {
    var schemas = [unevaluatedItems, unevaluatedProperties, array?.items, array?.contains].compactMap { $0 }
    schemas += array?.prefix ?? []
    guard let object else { return schemas }
    schemas += object.properties.compactMap(\.schema) + object.patterns.map(\.schema)
    return schemas + [object.additional, object.names].compactMap { $0 }
  }
}
