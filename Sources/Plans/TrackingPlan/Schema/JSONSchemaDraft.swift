/// The drafts of JSON Schema that plans use.
package enum JSONSchemaDraft: Int, Comparable, CaseIterable, Sendable {
  case draft04, draft06, draft07, draft2019, draft2020

  /// The draft that `$schema` names; `nil` for other meta-schemas, such as Iglu Central's.
  package init?(uri: String) {
    var name = Substring(uri)
    if name.hasSuffix("#") { name.removeLast() }
    for scheme in ["http://", "https://"] where name.hasPrefix(scheme) { name.removeFirst(scheme.count) }
    switch name {
    case "json-schema.org/draft-04/schema": self = .draft04
    case "json-schema.org/draft-06/schema": self = .draft06
    case "json-schema.org/draft-07/schema": self = .draft07
    case "json-schema.org/draft/2019-09/schema": self = .draft2019
    case "json-schema.org/draft/2020-12/schema": self = .draft2020
    default: return nil
    }
  }

  package static func < (left: JSONSchemaDraft, right: JSONSchemaDraft) -> Bool {
    left.rawValue < right.rawValue
  }

  var identifier: String { self == .draft04 ? "id" : "$id" }

  /// Whether keywords next to `$ref` are ignored.
  package var refStandsAlone: Bool { self <= .draft07 }

  /// The form in which a keyword's value contains subschemas.
  package enum Holding {
    case schema, schemas, schemaOrSchemas, schemasByName
  }

  func holding(of keyword: String) -> Holding? {
    switch keyword {
    case "additionalProperties", "not": .schema
    case "additionalItems": self <= .draft2019 ? .schema : nil
    case "contains", "propertyNames": self >= .draft06 ? .schema : nil
    case "if", "then", "else": self >= .draft07 ? .schema : nil
    case "unevaluatedItems", "unevaluatedProperties": self >= .draft2019 ? .schema : nil
    case "items": self <= .draft2019 ? .schemaOrSchemas : .schema
    case "allOf", "anyOf", "oneOf": .schemas
    case "prefixItems": self >= .draft2020 ? .schemas : nil
    case "properties", "patternProperties", "definitions": .schemasByName
    case "$defs", "dependentSchemas": self >= .draft2019 ? .schemasByName : nil
    // Arrays of names contain no schema and are skipped. Later drafts split the keyword, but it is still read.
    case "dependencies": .schemasByName
    default: nil
    }
  }

  /// The known keywords that don't constrain a value, or are read along with others.
  static let annotations: Set<String> = [
    "$schema", "$id", "id", "$anchor", "$dynamicAnchor", "$recursiveAnchor", "$vocabulary", "$comment", "$defs",
    "definitions", "title", "description", "default", "examples", "deprecated", "readOnly", "writeOnly",
    "contentMediaType", "contentEncoding", "contentSchema", "format", "self",
  ]

  static let assertions: Set<String> = [
    "$ref", "$dynamicRef", "$recursiveRef", "type", "enum", "const", "minimum", "maximum", "exclusiveMinimum",
    "exclusiveMaximum", "multipleOf", "minLength", "maxLength", "pattern", "items", "additionalItems", "prefixItems",
    "contains", "minContains", "maxContains", "minItems", "maxItems", "uniqueItems", "properties", "patternProperties",
    "additionalProperties", "required", "minProperties", "maxProperties", "propertyNames", "dependencies",
    "dependentRequired", "dependentSchemas", "allOf", "anyOf", "oneOf", "not", "if", "then", "else", "unevaluatedItems",
    "unevaluatedProperties",
  ]
}
