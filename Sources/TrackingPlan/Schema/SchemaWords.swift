/// The keywords of JSON Schema, for code that examines schemas without compiling them.
package enum SchemaWords {
  /// The keywords that have a meaning in plans of a format.
  package static func known(in format: PlanFormat) -> Set<String> {
    let words = SchemaDraft.annotations.union(SchemaDraft.assertions)
    return format == .trackingPlan ? words.union(OwnFormat.paramWords) : words
  }

  /// Whether a keyword constrains values.
  package static func asserts(_ word: String) -> Bool {
    SchemaDraft.assertions.contains(word) || word == "format"
  }

  /// The form in which a keyword's value contains subschemas, in any draft.
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

/// The string formats, for code that guesses a param's format.
package enum TextFormat {
  /// Whether a text is valid for a `format` of JSON Schema; `false` for formats that plans don't validate.
  package static func accepts(_ text: String, _ format: String) -> Bool {
    StringFormat(rawValue: format)?.accepts(text) ?? false
  }
}
