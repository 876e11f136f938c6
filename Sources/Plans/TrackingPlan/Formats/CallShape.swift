import TrackingJSON

/// Distinguishes a schema of a whole call from a schema of an event's params, which may have the same names as a call's members.
///
/// One tool writes all schemas of a plan, so the plan's other schemas decide ambiguous ones.
struct CallShape {
  /// The members of a call, some of which its schema may describe.
  static let members = objects.union([
    "userId", "anonymousId", "event", "type", "messageId", "timestamp",
  ])
  /// The members that are objects; the others are strings.
  private static let objects: Set<String> = ["context", "traits", "properties", "integrations"]
  /// The members that every export has, even if empty.
  private static let exported = ["context", "traits", "properties"]

  /// Whether the plan's distinguishable schemas describe calls; `nil` if there are none, or some of each.
  private let usual: Bool?

  init(of schemas: [JSONTree]) {
    let known = Set(schemas.compactMap(Self.isCall))
    usual = known.count == 1 ? known.first : nil
  }

  /// Whether a schema describes a whole call, whose params are at `member`.
  func isCall(_ schema: JSONTree, member: String) -> Bool {
    if let isCall = Self.isCall(schema) { return isCall }
    let members = schema["properties"]?.members ?? []
    guard members.allSatisfy(Self.fits), members.contains(where: { Self.exported.contains($0.key) }) else {
      return false
    }
    return usual ?? members.contains { $0.key == member }
  }

  /// Whether a schema describes a whole call; `nil` if the schema alone can't tell.
  private static func isCall(_ schema: JSONTree) -> Bool? {
    // Typewriter's note on a schema that it has unwrapped.
    if schema["eventMetadata"] != nil { return false }
    let properties = schema["properties"]?.members ?? []
    let objects = properties.filter { exported.contains($0.key) && fits($0) }
    // Some calls have fields that aren't listed here.
    if objects.isEmpty { return properties.allSatisfy { members.contains($0.key) } ? nil : false }
    return objects.count == exported.count && properties.allSatisfy(fits) ? true : nil
  }

  /// Whether a property's schema can describe the call's member of that name.
  static func fits(_ property: JSONTree.Member) -> Bool {
    guard members.contains(property.key), property.value.bool != false else { return false }
    let isObject = objects.contains(property.key)
    if let type = property.value["type"] {
      return (type.elements ?? [type]).contains { ["any", isObject ? "object" : "string"].contains($0.string) }
    }
    let values = property.value["enum"]?.elements ?? property.value["const"].map { [$0] } ?? []
    return values.isEmpty || values.contains { isObject ? $0.members != nil : $0.string != nil }
  }
}
