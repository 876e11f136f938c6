import TrackingJSON

/// The keywords of JSON Schema, for code that examines schemas without compiling them.
package enum JSONSchemaKeywords {
  /// The keywords that have a meaning in plans of a format.
  package static func known(in format: PlanFormat) -> Set<String> {
    let words = JSONSchemaDraft.annotations.union(JSONSchemaDraft.assertions)
    return format == .trackingPlan ? words.union(OwnFormat.paramWords) : words
  }

  /// Whether a keyword constrains values.
  package static func asserts(_ word: String) -> Bool {
    JSONSchemaDraft.assertions.contains(word) || word == "format"
  }

  /// The form in which a keyword's value contains subschemas, in any draft.
  package static func holding(_ word: String) -> JSONSchemaDraft.Holding? {
    JSONSchemaDraft.draft2019.holding(of: word) ?? JSONSchemaDraft.draft2020.holding(of: word)
  }
}

extension JSONTree {
  /// Whether nothing but `properties` says which members an object has.
  package var listsItsMembers: Bool {
    self["properties"] != nil
      && [
        "additionalProperties", "patternProperties", "$ref", "allOf", "anyOf", "oneOf", "if", "unevaluatedProperties",
        "dependentSchemas",
      ].allSatisfy { self[$0] == nil }
  }

  /// The value of a keyword with its subschemas changed.
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
