import TrackingJSON
import TrackingModel
import TrackingPlan

/// The plan and the event that a schema belongs to, which its references, draft and defaults depend on.
struct SchemaOwner {
  let plan: TrackingPlan
  let entry: PlanEntry

  /// The schemas that apply together: the node's own keywords, and those behind `$ref` and in `allOf`.
  func parts(of node: JSONTree, depth: Int = 0) -> [JSONTree] {
    guard depth < 16, node.members != nil else { return [node] }
    var parts: [JSONTree] = []
    // A keyword that the draft doesn't know has no effect.
    var own = node.removing(Set((node.members ?? []).map(\.key).filter { !entry.draft.knows($0) }))
    if let reference = node["$ref"]?.string, let target = plan.target(of: reference, in: entry) {
      let inner = self.parts(of: target, depth: depth + 1)
      if entry.draft.refStandsAlone { return inner }
      parts += inner
      own = own.removing(["$ref"])
    }
    if let all = node["allOf"]?.elements {
      parts += all.flatMap { self.parts(of: $0, depth: depth + 1) }
      own = own.removing(["allOf"])
    }
    // The removed keywords also decide whether the object is closed.
    let closes = closes(node) != closes(own) ? [JSONTree.Member("additionalProperties", true)] : []
    return own.members?.isEmpty == true ? parts : parts + [own.adding(closes)]
  }

  /// Whether an object with this schema has only the listed members, although `additionalProperties` is absent.
  func closes(_ node: JSONTree) -> Bool {
    plan.closesObjects && node.listsItsMembers
  }

  /// Whether all references that the event's schema reaches lead to equal schemas here and there.
  func sharesTargets(with other: SchemaOwner) -> Bool {
    var known: Set<String> = []
    var waiting = [entry.params]
    while let node = waiting.popLast() {
      for (word, reference) in node.references where known.insert(word + reference).inserted {
        guard word == "$ref", let mine = target(of: reference), let theirs = other.target(of: reference) else {
          // A reference to another file, or one whose target depends on the way to it.
          guard plan.files.isEqual(to: other.plan.files) else { return false }
          continue
        }
        guard mine.value == theirs.value else { return false }
        waiting.append(mine)
      }
    }
    return true
  }

  private func target(of reference: String) -> JSONTree? {
    reference == "#" ? entry.root : plan.target(of: reference, in: entry)
  }

  func isValid(_ value: TrackingValue, against node: JSONTree) -> Bool? {
    guard case .success(let schema) = plan.compiled(node, of: entry) else { return nil }
    return schema.isValid(value)
  }
}

extension JSONTree {
  /// The references in a schema, with their keywords.
  fileprivate var references: [(word: String, target: String)] {
    if let elements { return elements.flatMap(\.references) }
    return (members ?? []).flatMap { member in
      if ["$ref", "$dynamicRef", "$recursiveRef"].contains(member.key), let text = member.value.string {
        return [(member.key, text)]
      }
      return member.value.references
    }
  }
}

extension PlanFiles {
  /// Whether other files have the same names and content.
  fileprivate func isEqual(to other: PlanFiles) -> Bool {
    files.count == other.files.count
      && zip(files, other.files).allSatisfy { $0.relativePath == $1.relativePath && $0.root.value == $1.root.value }
  }
}

/// A number range: the bounds and whether each is excluded.
struct NumberRange {
  struct Bound {
    var value: JSONSchemaNumber
    var isExcluded: Bool
    /// The bound as the plan has it: `minimum 5`.
    var text: String
  }

  var low: Bound?
  var high: Bound?
  var multiple: JSONTree?

  init(_ node: JSONTree, _ draft: JSONSchemaDraft) {
    func bound(_ inclusive: String, _ exclusive: String, isLow: Bool) -> Bound? {
      let flag = draft == .draft04 && node[exclusive]?.bool == true
      func read(_ word: String, _ isExcluded: Bool) -> Bound? {
        node[word].flatMap { JSONSchemaNumber($0.value) }
          .map {
            Bound(
              value: $0, isExcluded: isExcluded,
              text: "\(flag ? exclusive : word) \(node[word]?.value.description ?? "")")
          }
      }
      let first = read(inclusive, flag)
      guard draft != .draft04, let second = read(exclusive, true) else { return first }
      return first.map { isLow ? Self.tighterLow($0, second) : Self.tighterHigh($0, second) } ?? second
    }
    low = bound("minimum", "exclusiveMinimum", isLow: true)
    high = bound("maximum", "exclusiveMaximum", isLow: false)
    multiple = node["multipleOf"]
  }

  /// The range of the values that are in both ranges.
  mutating func narrow(by other: NumberRange) {
    low = low.map { low in other.low.map { Self.tighterLow(low, $0) } ?? low } ?? other.low
    high = high.map { high in other.high.map { Self.tighterHigh(high, $0) } ?? high } ?? other.high
    multiple = multiple ?? other.multiple
  }

  private static func tighterLow(_ a: Bound, _ b: Bound) -> Bound {
    a.value < b.value || !(b.value < a.value) && b.isExcluded ? b : a
  }

  private static func tighterHigh(_ a: Bound, _ b: Bound) -> Bound {
    b.value < a.value || !(a.value < b.value) && b.isExcluded ? b : a
  }

  /// The smallest integer in the range.
  var leastInteger: Int? {
    guard let low else { return nil }
    switch low.value {
    case .int(let value): return low.isExcluded ? (value < .max ? value + 1 : nil) : value
    case .double(let value): return Int(exactly: value.rounded(.up))
    case .unsigned: return nil
    }
  }

  /// The largest integer in the range.
  var greatestInteger: Int? {
    guard let high else { return nil }
    switch high.value {
    case .int(let value): return high.isExcluded ? (value > .min ? value - 1 : nil) : value
    case .double(let value): return Int(exactly: value.rounded(.down))
    case .unsigned: return nil
    }
  }
}

extension JSONTree {
  /// The allowed types; all if the schema names none.
  var types: JSONSchemaTypes {
    guard let type = self["type"] else { return .all }
    return (type.elements ?? [type]).reduce(into: []) { types, name in
      types.formUnion(name.string.flatMap(JSONSchemaTypes.init) ?? .all)
    }
  }

  /// The values of `enum` and `const`.
  var listedValues: [TrackingValue]? {
    self["const"].map { [$0.value] } ?? self["enum"]?.elements?.map(\.value)
  }

  /// A number of characters, items or members.
  func count(_ word: String) -> Int? {
    switch self[word]?.value {
    case .int(let value): value
    case .double(let value): Int(exactly: value.rounded(.up))
    case .unsigned: .max
    default: nil
    }
  }

  /// Whether a value of any type is valid, as far as the keywords show.
  var allowsEverything: Bool {
    bool ?? members?.allSatisfy { !JSONSchemaKeywords.asserts($0.key) } ?? false
  }
}

extension JSONSchemaTypes {
  /// The names of the types, ordered.
  var words: [String] {
    Self.names.filter { name in
      switch name {
      case "integer": contains(.integer) && !contains(.fraction)
      case "number": contains(.fraction)
      default: JSONSchemaTypes(name: name).map(contains) == true
      }
    }.sorted()
  }

  /// Each type separately.
  var single: [JSONSchemaTypes] {
    [.null, .boolean, .integer, .fraction, .string, .array, .object].filter(contains)
  }
}
