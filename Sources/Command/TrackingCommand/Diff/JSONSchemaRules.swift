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

struct NumberRange {
  /// The smallest or the largest number of a range.
  struct Bound {
    let isLow: Bool
    let value: JSONSchemaNumber
    let isExcluded: Bool
    /// The bound as the plan has it: `minimum 5`.
    let text: String

    /// The integer of the range that is nearest to the bound.
    var integer: Int? {
      switch value {
      case .int(let value):
        guard isExcluded else { return value }
        let (next, overflows) = value.addingReportingOverflow(isLow ? 1 : -1)
        return overflows ? nil : next
      case .double(let value): return Int(exactly: value.rounded(isLow ? .up : .down))
      case .unsigned: return nil
      }
    }

    /// Whether the numbers that another bound allows on the same side are allowed by this one.
    func admits(_ other: Bound) -> Bool {
      let (outer, inner) = isLow ? (value, other.value) : (other.value, value)
      return outer < inner || outer <= inner && (!isExcluded || other.isExcluded)
    }
  }

  var low: Bound?
  var high: Bound?
  var multiple: JSONTree?

  init(_ node: JSONTree, _ draft: JSONSchemaDraft) {
    func bound(_ inclusive: String, _ exclusive: String, isLow: Bool) -> Bound? {
      let flag = draft == .draft04 && node[exclusive]?.bool == true
      func read(_ word: String, _ isExcluded: Bool) -> Bound? {
        node[word].flatMap { node in
          JSONSchemaNumber(node.value).map {
            Bound(isLow: isLow, value: $0, isExcluded: isExcluded, text: "\(flag ? exclusive : word) \(node.value)")
          }
        }
      }
      let first = read(inclusive, flag)
      return draft == .draft04 ? first : Self.stricter(first, read(exclusive, true))
    }
    low = bound("minimum", "exclusiveMinimum", isLow: true)
    high = bound("maximum", "exclusiveMaximum", isLow: false)
    multiple = node["multipleOf"]
  }

  /// The range of the values that are in both ranges.
  mutating func narrow(by other: NumberRange) {
    low = Self.stricter(low, other.low)
    high = Self.stricter(high, other.high)
    multiple = multiple ?? other.multiple
  }

  /// The bound that leaves fewer numbers, of two on the same side.
  private static func stricter(_ first: Bound?, _ second: Bound?) -> Bound? {
    guard let first, let second else { return first ?? second }
    let isSame = !(first.value < second.value) && !(second.value < first.value)
    return isSame ? (second.isExcluded ? second : first) : first.admits(second) ? second : first
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

extension JSONSchemaDraft {
  /// Whether a keyword that a later draft introduced has an effect in this one.
  func knows(_ word: String) -> Bool {
    switch word {
    case "const", "contains", "propertyNames": self >= .draft06
    case "if", "then", "else": self >= .draft07
    case "minContains", "maxContains", "unevaluatedItems", "unevaluatedProperties", "dependentRequired",
      "dependentSchemas":
      self >= .draft2019
    case "prefixItems": self >= .draft2020
    default: true
    }
  }
}
