import TrackingJSON
import TrackingModel

package enum JSONSchemaKeywords {
  /// The keywords of all drafts.
  package static let standard = JSONSchemaDraft.annotations.union(JSONSchemaDraft.assertions)

  /// The members of a schema without an effect, with the reasons.
  ///
  /// In formats that allow annotations, an unknown member is listed only if it resembles a known keyword.
  package static func withoutEffect(
    in node: JSONTree, _ draft: JSONSchemaDraft, known: Set<String>, allowsAnnotations: Bool
  ) -> [(value: JSONTree, reason: String)] {
    var found: [(JSONTree, String)] = []
    for member in node.members ?? [] where !known.contains(member.key) && !member.key.hasPrefix("x-") {
      let nearest = EditDistance.nearest(to: member.key, among: known.sorted())
      if allowsAnnotations, nearest == nil { continue }
      found.append(
        (
          member.value,
          "`\(member.key.shortenedForMessage)` is not a keyword of JSON Schema and has no effect"
            + (nearest.map { "; the nearest is `\($0)`" } ?? "")
        ))
    }
    if let flag = node["uniqueItems"], flag.bool == nil {
      found.append((flag, "uniqueItems must be true or false, found \(flag.kind), and has no effect"))
    }
    if draft >= .draft07, node["if"] == nil, let word = ["then", "else"].first(where: { node[$0] != nil }) {
      found.append((node[word] ?? node, "`\(word)` has no effect without `if`"))
    }
    if draft >= .draft2020 {
      for (old, new) in [("additionalItems", "items"), ("$recursiveRef", "$dynamicRef")] {
        guard let value = node[old] else { continue }
        found.append((value, "`\(old)` has no effect in draft 2020-12; use `\(new)`"))
      }
    }
    return found
  }

  package static func asserts(_ word: String) -> Bool {
    JSONSchemaDraft.assertions.contains(word) || word == "format"
  }

  /// The form in which a keyword's value contains subschemas, in any draft.
  package static func holding(_ word: String) -> JSONSchemaDraft.Holding? {
    JSONSchemaDraft.draft2019.holding(of: word) ?? JSONSchemaDraft.draft2020.holding(of: word)
  }
}

extension JSONTree {
  /// Changes the subschemas in a keyword's value.
  package func mapSchemas(_ holding: JSONSchemaDraft.Holding?, _ transform: (JSONTree) -> JSONTree) -> JSONTree {
    switch (holding, content) {
    case (.schema, _), (.schemaOrSchemas, .scalar), (.schemaOrSchemas, .object): transform(self)
    case (.schemas, .array(let schemas)), (.schemaOrSchemas, .array(let schemas)):
      JSONTree(.array(schemas.map(transform)), at: place)
    case (.schemasByName, .object(let members)):
      // An array in `dependencies` contains names.
      JSONTree(
        .object(members.map { .init($0.key, $0.value.elements == nil ? transform($0.value) : $0.value) }), at: place)
    case (.schemas, _), (.schemaOrSchemas, _), (.schemasByName, _), (nil, _): self
    }
  }
}
