import TrackingJSON

/// Tells a schema of a whole call from a schema of an event's params, which may have the names of a call's members.
///
/// One tool writes all schemas of a plan, so the plan's other schemas decide where a schema may be either.
struct CallShape {
  /// The members of a call, some of which its schema may describe.
  static let members = objects.union([
    "userId", "anonymousId", "event", "type", "messageId", "timestamp",
  ])
  /// The members that are objects; the others are strings.
  private static let objects: Set<String> = ["context", "traits", "properties", "integrations"]
  /// The members that every export has, also if nothing is planned for some.
  private static let exported = ["context", "traits", "properties"]

  private enum Subject {
    case call, params, either
  }

  /// The subject of the plan's schemas that can be told apart; `.either` if there are none, or some of each.
  private let usual: Subject

  init(of schemas: [JSONTree]) {
    let subjects = Set(schemas.map(Self.subject))
    usual =
      subjects.contains(.call) == subjects.contains(.params) ? .either : subjects.contains(.call) ? .call : .params
  }

  /// Whether a schema describes a whole call, whose params are at `member`.
  func isCall(_ schema: JSONTree, member: String) -> Bool {
    let names = schema["properties"]?.members?.map(\.key) ?? []
    switch Self.subject(of: schema) {
    case .call: return true
    case .params: return false
    case .either:
      guard names.contains(where: Self.exported.contains) else { return false }
      return usual == .either ? names.contains(member) : usual == .call
    }
  }

  private static func subject(of schema: JSONTree) -> Subject {
    // Typewriter's note on a schema that it has unwrapped.
    if schema["eventMetadata"] != nil { return .params }
    guard let members = schema["properties"]?.members, !members.isEmpty else { return .either }
    guard members.allSatisfy({ fits($0) }) else { return .params }
    return exported.allSatisfy { name in members.contains { $0.key == name } } ? .call : .either
  }

  /// Whether a property's schema can describe a call's member of its name.
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
