/// The words of JSON Schema, for those who look at a schema as a text.
package enum SchemaWords {
  /// All words that say something in a plan of a format.
  package static func known(in format: PlanFormat) -> Set<String> {
    let words = SchemaDraft.annotations.union(SchemaDraft.assertions)
    return format == .trackingPlan ? words.union(OwnFormat.paramWords) : words
  }

  /// Whether a word constrains values.
  package static func asserts(_ word: String) -> Bool {
    SchemaDraft.assertions.contains(word) || word == "format"
  }

  /// How a word's value holds schemas, in whichever draft.
  package enum Holding {
    case schema, schemas, schemaOrSchemas, schemasByName
  }

  package static func holding(_ word: String) -> Holding? {
    switch SchemaDraft.draft2019.holding(of: word) ?? SchemaDraft.draft2020.holding(of: word) {
    case .schema: .schema
    case .schemas: .schemas
    case .schemaOrSchemas: .schemaOrSchemas
    case .schemasByName: .schemasByName
    case nil: nil
    }
  }
}

/// Formats of texts, for those who guess them.
package enum TextFormat {
  /// Whether a text is of a format of JSON Schema that plans assert; `false` for other formats.
  package static func accepts(_ text: String, _ format: String) -> Bool {
    StringFormat(rawValue: format)?.accepts(text) ?? false
  }
}
