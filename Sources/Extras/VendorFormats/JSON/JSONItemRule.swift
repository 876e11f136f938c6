import TrackingJSON
import TrackingModel
import TrackingPatterns
import TrackingServer

/// The reading of one kind of item: its conditions, and the paths of its name, params and id.
struct JSONItemRule: Sendable {
  private struct Condition: Sendable {
    let path: JSONPath
    let matcher: ValueMatcher
    /// The texts that the matcher accepts, for a quick comparison; `nil` for other matchers.
    let texts: [String]?
  }

  let kind: DecodedSubmission.Kind
  let id: JSONPath?
  private let conditions: [Condition]
  private let name: JSONPath?
  private let params: JSONPath?

  init(
    _ kind: DecodedSubmission.Kind, _ conditions: [String: ValueMatcher], name: JSONPath?, params: JSONPath?,
    id: JSONPath?
  ) {
    self.kind = kind
    self.name = name
    self.params = params
    self.id = id
    self.conditions = conditions.sorted { $0.key < $1.key }.map {
      Condition(path: JSONPath($0.key), matcher: $0.value, texts: $0.value.texts)
    }
  }

  /// Whether a condition is a closure of a test.
  var hasCode: Bool { conditions.contains { $0.matcher.closure != nil } }

  var paths: [JSONPath] { conditions.map(\.path) }

  /// Whether an item has any member that the rule looks for.
  func knows(_ members: [String: TrackingValue]) -> Bool {
    name == nil && conditions.isEmpty || name?.value(in: members) != nil
      || conditions.contains { $0.path.value(in: members) != nil }
  }

  /// Takes the name out of an item; throws if it is missing or isn't a string.
  func takeName(from members: inout [String: TrackingValue]) throws -> String {
    guard let path = name else { return kind.description }
    switch path.take(from: &members) {
    case .string(let text)?: return text
    // Some SDKs' screens and pages have a category instead of a name.
    case nil where kind != .track, .null? where kind != .track: return kind.description
    case let other:
      throw DecodedSubmission.Malformed(
        path: path.description, reason: "expected a name, found \(other?.kind ?? "nothing")")
    }
  }

  /// Takes the params out of an item, those under an SDK's own keys separately; throws if the params, or a value on their path, aren't an object.
  func takeParams(
    from members: inout [String: TrackingValue], addedKeys: [String]
  ) throws -> (params: [TrackingParam: TrackingValue], added: [(key: String, value: TrackingValue)]) {
    guard let path = params else { return ([:], []) }
    let taken: TrackingValue? = path.steps.isEmpty ? .object(members) : path.take(from: &members)
    guard let taken else {
      try path.checkObjects(in: members)
      return ([:], [])
    }
    if path.steps.isEmpty { members = [:] }
    let object = try Optional(taken).members(at: path.description)
    var params = [TrackingParam: TrackingValue](minimumCapacity: object.count)
    var added: [(key: String, value: TrackingValue)] = []
    for (key, value) in object {
      if key.isListed(in: addedKeys) { added.append((key, value)) } else { params[.custom(key: key)] = value }
    }
    return (params, added)
  }
}

extension [JSONItemRule] {
  /// The last rule whose conditions hold; most rules look for the same member, which is looked up once.
  func last(for members: [String: TrackingValue]) -> JSONItemRule? {
    var known: (path: JSONPath, value: TrackingValue?)?
    // Without copies: a copy of each rule would cost more than its conditions.
    let index = withUnsafeBufferPointer { rules in
      rules.indices.last { rules[$0].holds(for: members, &known) }
    }
    return index.map { self[$0] }
  }
}

extension JSONItemRule {
  fileprivate func holds(
    for members: [String: TrackingValue], _ known: inout (path: JSONPath, value: TrackingValue?)?
  ) -> Bool {
    conditions.withUnsafeBufferPointer { conditions in
      conditions.indices.allSatisfy { index in
        let path = conditions[index].path
        if known?.path != path { known = (path, path.value(in: members)) }
        guard let texts = conditions[index].texts else { return conditions[index].matcher.accepts(known?.value) }
        guard case .string(let value)? = known?.value else { return false }
        return texts.contains { value.isSameText(as: $0) }
      }
    }
  }
}
