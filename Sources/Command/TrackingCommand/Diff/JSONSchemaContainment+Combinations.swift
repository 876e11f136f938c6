import TrackingJSON
import TrackingModel
import TrackingPlan

// `anyOf`, `oneOf`, `not`, conditions, and keywords that are only compared as a whole.

extension JSONSchemaContainment {
  /// The keywords that are compared together, because each changes the meaning of the others.
  private static let groups = [
    ["if", "then", "else"], ["contains", "minContains", "maxContains"], ["propertyNames"], ["dependencies"],
    ["dependentRequired"], ["dependentSchemas"], ["$ref"], ["$dynamicRef"], ["$recursiveRef"], ["not"],
  ]

  func combinations(_ a: InnerSchema, _ b: JSONTree, _ place: ComparedPlace) -> [Obstacle] {
    var found: [Obstacle] = []
    func add(_ word: String) {
      let isInBoth = !a.having(word).isEmpty
      found.append(
        place.obstacle(
          isInBoth ? "\(word) differs" : "\(word) is present in only one of the schemas",
          isCertain: false))
    }
    if let alternatives = b["anyOf"]?.elements, !isWithinOne(of: alternatives, a, place) { add("anyOf") }
    if let alternatives = b["oneOf"]?.elements, !isWithinExactlyOne(of: alternatives, a, place) { add("oneOf") }
    for group in Self.groups {
      guard let word = group.first(where: { b[$0] != nil }) else { continue }
      let isSame = a.parts.contains { part in
        group.allSatisfy { part[$0]?.value == b[$0]?.value }
          && (sharesTypes || !group.contains { holdsReference(b[$0]) })
          && inner.entry.draft == outer.entry.draft && inner.plan.format == outer.plan.format
      }
      if isSame || word == "not" && b["not"].map({ isDisjoint(a, $0) }) == true { continue }
      add(word)
    }
    // They look at all other keywords, so only an equal schema would do, and that was compared before.
    for word in ["unevaluatedItems", "unevaluatedProperties"] where b[word] != nil && b[word]?.bool != true {
      add(word)
    }
    return found
  }

  private func holdsReference(_ node: JSONTree?) -> Bool {
    guard let node else { return false }
    return node.elements?.contains { holdsReference($0) } ?? node.members?.contains {
      ["$ref", "$dynamicRef", "$recursiveRef"].contains($0.key) || holdsReference($0.value)
    } ?? false
  }

  /// Whether each type of the inner schema's values is valid against one of several schemas.
  private func isWithinOne(of alternatives: [JSONTree], _ a: InnerSchema, _ place: ComparedPlace) -> Bool {
    guard place.depth < Self.deepest - 8 else { return false }
    let deeper = ComparedPlace(path: place.path, depth: place.depth + 4)
    func isWithin(_ types: JSONSchemaTypes) -> Bool {
      let part = InnerSchema(a.parts, types: a.types.intersection(types), isExact: a.isExact)
      return alternatives.contains { obstacles(part, $0, deeper).isEmpty }
    }
    return isWithin(.all) || a.types.single.count > 1 && a.types.single.allSatisfy(isWithin)
  }

  /// Whether the inner schema's values are valid against one of several schemas, and of types that the others don't allow.
  private func isWithinExactlyOne(of alternatives: [JSONTree], _ a: InnerSchema, _ place: ComparedPlace) -> Bool {
    guard place.depth < Self.deepest - 8 else { return false }
    let deeper = ComparedPlace(path: place.path, depth: place.depth + 4)
    return a.types.single.allSatisfy { type in
      let part = InnerSchema(a.parts, types: type, isExact: a.isExact)
      let possible = alternatives.filter { !isDisjoint(part, $0) }
      return possible.count == 1 && obstacles(part, possible[0], deeper).isEmpty
    }
  }

  /// Whether a schema of the outer plan allows none of the inner schema's types.
  private func isDisjoint(_ a: InnerSchema, _ node: JSONTree) -> Bool {
    let types = outer.parts(of: node).reduce(a.types) { types, part in
      part.bool == false ? [] : types.intersection(part.types)
    }
    return types.isEmpty
  }
}
