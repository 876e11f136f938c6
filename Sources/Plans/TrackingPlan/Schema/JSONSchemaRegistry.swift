import TrackingJSON
import TrackingModel

/// The schemas that a `$ref` can refer to: the resources in a plan's files by URI, with their anchors.
///
/// A file is indexed when it is first referenced. Nothing is fetched from a network.
final class JSONSchemaRegistry {
  /// A schema with its own URI: a file, or a part of one that has `$id`.
  struct Resource {
    let uri: String
    let root: JSONTree
    let draft: JSONSchemaDraft
    /// Whether the schema's custom meta-schema omits the validation vocabulary.
    let ignoresAssertions: Bool
    var anchors: [String: JSONTree] = [:]
    var dynamicAnchors: [String: JSONTree] = [:]
    var isRecursiveAnchor = false
  }

  struct Location {
    let node: JSONTree
    let resource: Int
  }

  private(set) var resources: [Resource] = []
  private var indices: [String: Int] = [:]
  private var unread: [String: (root: JSONTree, draft: JSONSchemaDraft)] = [:]

  /// Returns the URIs of the documents for a reference that an event's own schema can't resolve.
  private let fallbacks: (JSONTree) -> [String]

  init(fallbacks: @escaping (JSONTree) -> [String]) {
    self.fallbacks = fallbacks
  }

  func add(_ root: JSONTree, uri: String, draft: JSONSchemaDraft) {
    unread[Self.key(of: uri)] = (root, draft)
  }

  /// Indexes a schema immediately and returns its resource.
  func index(_ root: JSONTree, uri: String, draft: JSONSchemaDraft) -> Int {
    var draft = draft
    if let schema = root["$schema"]?.string {
      // A custom meta-schema itself has a draft.
      draft = JSONSchemaDraft(uri: schema) ?? resource(uri: schema).map { resources[$0].draft } ?? draft
    }
    let first = resource(root, uri: Self.key(of: uri), draft: draft)
    collect(root, resource: first)
    // Its `$id` may have given it another URI.
    return resource(of: root, in: first)
  }

  func resource(of node: JSONTree, in resource: Int) -> Int {
    guard let id = identifier(of: node, in: resource) else { return resource }
    return indices[Self.key(of: resolve(id, against: resource).document)] ?? resource
  }

  /// Resolves a reference; `nil` if no file of the plan has the target.
  func find(_ reference: JSONTree, from resource: Int) -> Location? {
    guard let text = reference.string else { return nil }
    let target = resolve(text, against: resource)
    guard let index = self.resource(uri: target.document) else { return nil }
    if let location = find(target.fragment ?? "", in: index) { return location }
    guard text.hasPrefix("#") else { return nil }
    for uri in fallbacks(reference) {
      guard let index = self.resource(uri: uri), index != resource else { continue }
      if let location = find(target.fragment ?? "", in: index) { return location }
    }
    return nil
  }

  /// Resolves a fragment within a resource: empty for the root, a JSON pointer or an anchor.
  func find(_ fragment: Substring, in resource: Int) -> Location? {
    let root = resources[resource].root
    let resource = self.resource(of: root, in: resource)
    guard !fragment.isEmpty else { return Location(node: root, resource: resource) }
    guard fragment.hasPrefix("/") else {
      let name = String(fragment)
      return (resources[resource].anchors[name] ?? resources[resource].dynamicAnchors[name])
        .map { Location(node: $0, resource: self.resource(of: $0, in: resource)) }
    }
    guard let pointer = JSONPath(pointer: fragment) else { return nil }
    var (node, owner) = (root, resource)
    for step in pointer.steps {
      guard let next = node.child(at: step) else { return nil }
      node = next
      owner = self.resource(of: node, in: owner)
    }
    return Location(node: node, resource: owner)
  }

  private func resource(uri: String) -> Int? {
    let key = Self.key(of: uri)
    if let index = indices[key] { return index }
    guard let (root, draft) = unread.removeValue(forKey: key) else { return nil }
    _ = index(root, uri: key, draft: draft)
    return indices[key]
  }

  private func resource(_ root: JSONTree, uri: String, draft: JSONSchemaDraft) -> Int {
    resources.append(Resource(uri: uri, root: root, draft: draft, ignoresAssertions: ignoresAssertions(root)))
    let index = resources.count - 1
    // The first resource keeps the URI, so another schema with the same `$id` never replaces an event's own.
    if indices[uri] == nil { indices[uri] = index }
    return index
  }

  /// Registers the `$id` and the anchors of a schema and its subschemas.
  private func collect(_ node: JSONTree, resource: Int) {
    guard let members = node.members else { return }
    var owner = resource
    var draft = resources[owner].draft
    if let id = identifier(of: node, in: resource) {
      let uri = resolve(id, against: resource)
      if let schema = node["$schema"]?.string, let named = JSONSchemaDraft(uri: schema) { draft = named }
      let key = Self.key(of: uri.document)
      if key != resources[resource].uri {
        owner = self.resource(node, uri: key, draft: draft)
      }
    }
    let standsAlone = draft.refStandsAlone && node["$ref"]?.string != nil
    if !standsAlone { collectAnchors(of: node, in: owner) }
    for member in members {
      switch draft.holding(of: member.key) {
      case .schema: collect(member.value, resource: owner)
      case .schemas: member.value.elements?.forEach { collect($0, resource: owner) }
      case .schemaOrSchemas:
        collect(member.value, resource: owner)
        member.value.elements?.forEach { collect($0, resource: owner) }
      case .schemasByName: member.value.members?.forEach { collect($0.value, resource: owner) }
      case nil: break
      }
    }
  }

  private func collectAnchors(of node: JSONTree, in owner: Int) {
    let draft = resources[owner].draft
    if draft <= .draft07 {
      if let id = node[draft.identifier]?.string, id.hasPrefix("#") {
        resources[owner].anchors[String(id.dropFirst())] = node
      }
      return
    }
    if let anchor = node["$anchor"]?.string { resources[owner].anchors[anchor] = node }
    if draft >= .draft2020, let anchor = node["$dynamicAnchor"]?.string {
      resources[owner].dynamicAnchors[anchor] = node
    }
    if draft == .draft2019, node.place == resources[owner].root.place, node["$recursiveAnchor"]?.bool == true {
      resources[owner].isRecursiveAnchor = true
    }
  }

  /// The schema's `$id`, if it makes the schema a resource.
  private func identifier(of node: JSONTree, in resource: Int) -> String? {
    let draft = node["$schema"]?.string.flatMap(JSONSchemaDraft.init) ?? resources[resource].draft
    guard let id = node[draft.identifier]?.string, !id.hasPrefix("#"), !id.isEmpty else { return nil }
    if draft.refStandsAlone, node["$ref"]?.string != nil { return nil }
    // Segment writes a property's pointer as its `id`, which would make each property a resource that is never referenced.
    if draft == .draft04, id.hasPrefix("/properties/") { return nil }
    return id
  }

  private func resolve(_ reference: String, against resource: Int) -> URIReference {
    URIReference(reference).resolved(against: URIReference(resources[resource].uri))
  }

  private static func key(of uri: String) -> String {
    uri.hasSuffix("#") ? String(uri.dropLast()) : uri
  }

  private func ignoresAssertions(_ root: JSONTree) -> Bool {
    guard let uri = root["$schema"]?.string, JSONSchemaDraft(uri: uri) == nil, let index = resource(uri: uri),
      let vocabularies = resources[index].root["$vocabulary"]?.members
    else { return false }
    return !vocabularies.contains { $0.key.hasSuffix("/vocab/validation") }
  }
}
