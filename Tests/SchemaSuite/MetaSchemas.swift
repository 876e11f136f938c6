import TrackingPlan

/// The meta-schemas that the suite's cases refer to, as far as they assert something: without titles, comments and defaults.
enum MetaSchemas {
  static let all: [(uri: String, draft: JSONSchemaDraft, text: String)] =
    [
      ("http://json-schema.org/draft-04/schema", .draft04, draft04),
      ("http://json-schema.org/draft-06/schema", .draft06, draft06And07("06", "")),
      (
        "http://json-schema.org/draft-07/schema", .draft07,
        draft06And07(
          "07",
          #"""
          "$comment": {"type": "string"}, "readOnly": {"type": "boolean"}, "writeOnly": {"type": "boolean"},
          "contentMediaType": {"type": "string"}, "contentEncoding": {"type": "string"},
          "if": {"$ref": "#"}, "then": {"$ref": "#"}, "else": {"$ref": "#"},
          """#)
      ),
    ] + draft2019 + draft2020

  private static let draft04 = #"""
    {"id": "http://json-schema.org/draft-04/schema#", "$schema": "http://json-schema.org/draft-04/schema#",
     "type": "object",
     "definitions": {
       "list": {"type": "array", "minItems": 1, "items": {"$ref": "#"}},
       "count": {"type": "integer", "minimum": 0},
       "names": {"type": "array", "items": {"type": "string"}, "minItems": 1, "uniqueItems": true},
       "types": {"enum": ["array", "boolean", "integer", "null", "number", "object", "string"]}},
     "dependencies": {"exclusiveMaximum": ["maximum"], "exclusiveMinimum": ["minimum"]},
     "properties": {
       "id": {"type": "string"}, "$schema": {"type": "string"}, "title": {"type": "string"},
       "description": {"type": "string"}, "default": {}, "format": {"type": "string"},
       "multipleOf": {"type": "number", "minimum": 0, "exclusiveMinimum": true},
       "maximum": {"type": "number"}, "exclusiveMaximum": {"type": "boolean"},
       "minimum": {"type": "number"}, "exclusiveMinimum": {"type": "boolean"},
       "maxLength": {"$ref": "#/definitions/count"}, "minLength": {"$ref": "#/definitions/count"},
       "pattern": {"type": "string", "format": "regex"},
       "additionalItems": {"anyOf": [{"type": "boolean"}, {"$ref": "#"}]},
       "items": {"anyOf": [{"$ref": "#"}, {"$ref": "#/definitions/list"}]},
       "maxItems": {"$ref": "#/definitions/count"}, "minItems": {"$ref": "#/definitions/count"},
       "uniqueItems": {"type": "boolean"},
       "maxProperties": {"$ref": "#/definitions/count"}, "minProperties": {"$ref": "#/definitions/count"},
       "required": {"$ref": "#/definitions/names"},
       "additionalProperties": {"anyOf": [{"type": "boolean"}, {"$ref": "#"}]},
       "definitions": {"type": "object", "additionalProperties": {"$ref": "#"}},
       "properties": {"type": "object", "additionalProperties": {"$ref": "#"}},
       "patternProperties": {"type": "object", "additionalProperties": {"$ref": "#"}},
       "dependencies": {
         "type": "object", "additionalProperties": {"anyOf": [{"$ref": "#"}, {"$ref": "#/definitions/names"}]}},
       "enum": {"type": "array", "minItems": 1, "uniqueItems": true},
       "type": {"anyOf": [
         {"$ref": "#/definitions/types"},
         {"type": "array", "items": {"$ref": "#/definitions/types"}, "minItems": 1, "uniqueItems": true}]},
       "allOf": {"$ref": "#/definitions/list"}, "anyOf": {"$ref": "#/definitions/list"},
       "oneOf": {"$ref": "#/definitions/list"}, "not": {"$ref": "#"}}}
    """#

  /// The two drafts differ in a few keywords that the later one adds.
  private static func draft06And07(_ number: String, _ more: String) -> String {
    #"""
    {"$id": "http://json-schema.org/draft-NUMBER/schema#", "$schema": "http://json-schema.org/draft-NUMBER/schema#",
     "type": ["object", "boolean"],
     "definitions": {
       "list": {"type": "array", "minItems": 1, "items": {"$ref": "#"}},
       "nonNegativeInteger": {"type": "integer", "minimum": 0},
       "names": {"type": "array", "items": {"type": "string"}, "uniqueItems": true},
       "types": {"enum": ["array", "boolean", "integer", "null", "number", "object", "string"]}},
     "properties": {
       "$id": {"type": "string", "format": "uri-reference"}, "$schema": {"type": "string", "format": "uri"},
       "$ref": {"type": "string", "format": "uri-reference"}, "title": {"type": "string"},
       "description": {"type": "string"}, "default": true, "examples": {"type": "array", "items": true}, MORE
       "multipleOf": {"type": "number", "exclusiveMinimum": 0},
       "maximum": {"type": "number"}, "exclusiveMaximum": {"type": "number"},
       "minimum": {"type": "number"}, "exclusiveMinimum": {"type": "number"},
       "maxLength": {"$ref": "#/definitions/nonNegativeInteger"},
       "minLength": {"$ref": "#/definitions/nonNegativeInteger"},
       "pattern": {"type": "string", "format": "regex"}, "additionalItems": {"$ref": "#"},
       "items": {"anyOf": [{"$ref": "#"}, {"$ref": "#/definitions/list"}]},
       "maxItems": {"$ref": "#/definitions/nonNegativeInteger"},
       "minItems": {"$ref": "#/definitions/nonNegativeInteger"},
       "uniqueItems": {"type": "boolean"}, "contains": {"$ref": "#"},
       "maxProperties": {"$ref": "#/definitions/nonNegativeInteger"},
       "minProperties": {"$ref": "#/definitions/nonNegativeInteger"},
       "required": {"$ref": "#/definitions/names"}, "additionalProperties": {"$ref": "#"},
       "definitions": {"type": "object", "additionalProperties": {"$ref": "#"}},
       "properties": {"type": "object", "additionalProperties": {"$ref": "#"}},
       "patternProperties": {
         "type": "object", "additionalProperties": {"$ref": "#"}, "propertyNames": {"format": "regex"}},
       "dependencies": {
         "type": "object", "additionalProperties": {"anyOf": [{"$ref": "#"}, {"$ref": "#/definitions/names"}]}},
       "propertyNames": {"$ref": "#"}, "const": true, "enum": {"type": "array", "items": true},
       "type": {"anyOf": [
         {"$ref": "#/definitions/types"},
         {"type": "array", "items": {"$ref": "#/definitions/types"}, "minItems": 1, "uniqueItems": true}]},
       "format": {"type": "string"}, "allOf": {"$ref": "#/definitions/list"},
       "anyOf": {"$ref": "#/definitions/list"}, "oneOf": {"$ref": "#/definitions/list"}, "not": {"$ref": "#"}}}
    """#
    .replacing("NUMBER", with: number).replacing("MORE", with: more)
  }

  // MARK: The drafts whose meta-schema is a set of vocabularies

  private static let draft2019 = vocabularies(
    .draft2019, base: "https://json-schema.org/draft/2019-09", self: "\"$recursiveRef\": \"#\"",
    anchor: "\"$recursiveAnchor\": true",
    applicator: ##""additionalItems": SELF, "items": {"anyOf": [SELF, {"$ref": "#/$defs/list"}]}, UNEVALUATED"##,
    core: #""$recursiveRef": {"type": "string"}, "$recursiveAnchor": {"type": "boolean"}"#,
    names: ["core", "applicator", "validation", "meta-data", "format", "content"])

  private static let draft2020 = vocabularies(
    .draft2020, base: "https://json-schema.org/draft/2020-12", self: "\"$dynamicRef\": \"#meta\"",
    anchor: "\"$dynamicAnchor\": \"meta\"",
    applicator: ##""prefixItems": {"$ref": "#/$defs/list"}, "items": SELF"##,
    core:
      ##""$dynamicRef": {"type": "string"}, "$dynamicAnchor": {"type": "string", "pattern": "^[A-Za-z_][-A-Za-z0-9._]*$"}"##,
    names: ["core", "applicator", "unevaluated", "validation", "meta-data", "format-annotation", "content"])

  private static func vocabularies(
    _ draft: JSONSchemaDraft, base: String, self itself: String, anchor: String, applicator: String, core: String,
    names: [String]
  ) -> [(uri: String, draft: JSONSchemaDraft, text: String)] {
    let unevaluated = #""unevaluatedItems": SELF, "unevaluatedProperties": SELF"#
    func filled(_ text: String) -> String {
      text.replacing("UNEVALUATED", with: unevaluated).replacing("SELF", with: "{\(itself)}")
    }
    func document(_ name: String, _ content: String) -> (String, JSONSchemaDraft, String) {
      let text =
        "{\"$id\": \"\(base)/\(name)\", \"$schema\": \"\(base)/schema\", \(anchor), \"type\": [\"object\", \"boolean\"], \(filled(content))}"
      return ("\(base)/\(name)", draft, text)
    }
    let all = names.map { "{\"$ref\": \"meta/\($0)\"}" }.joined(separator: ", ")
    let vocabulary = names.map { "\"\(base)/vocab/\($0)\": true" }.joined(separator: ", ")
    return [
      document(
        "schema",
        #""$vocabulary": {\#(vocabulary)}, "allOf": [\#(all)], "properties": {"definitions": {"type": "object", "additionalProperties": SELF}, "dependencies": {"type": "object", "additionalProperties": {"anyOf": [SELF, {"$ref": "meta/validation#/$defs/names"}]}}}"#
      ),
      document(
        "meta/core",
        ##""properties": {"$id": {"type": "string", "pattern": "^[^#]*#?$"}, "$schema": {"type": "string"}, "$ref": {"type": "string"}, "$anchor": {"type": "string", "pattern": "^[A-Za-z_][-A-Za-z0-9._]*$"}, \##(core), "$vocabulary": {"type": "object", "additionalProperties": {"type": "boolean"}}, "$comment": {"type": "string"}, "$defs": {"type": "object", "additionalProperties": SELF}}"##
      ),
      document(
        "meta/applicator",
        ##""properties": {\##(applicator), "contains": SELF, "additionalProperties": SELF, "properties": {"type": "object", "additionalProperties": SELF}, "patternProperties": {"type": "object", "additionalProperties": SELF}, "dependentSchemas": {"type": "object", "additionalProperties": SELF}, "propertyNames": SELF, "if": SELF, "then": SELF, "else": SELF, "allOf": {"$ref": "#/$defs/list"}, "anyOf": {"$ref": "#/$defs/list"}, "oneOf": {"$ref": "#/$defs/list"}, "not": SELF}, "$defs": {"list": {"type": "array", "minItems": 1, "items": SELF}}"##
      ),
      document("meta/unevaluated", #""properties": {UNEVALUATED}"#),
      document(
        "meta/validation",
        ##""properties": {"type": {"anyOf": [{"$ref": "#/$defs/types"}, {"type": "array", "items": {"$ref": "#/$defs/types"}, "minItems": 1, "uniqueItems": true}]}, "const": true, "enum": {"type": "array", "items": true}, "multipleOf": {"type": "number", "exclusiveMinimum": 0}, "maximum": {"type": "number"}, "exclusiveMaximum": {"type": "number"}, "minimum": {"type": "number"}, "exclusiveMinimum": {"type": "number"}, "maxLength": {"$ref": "#/$defs/count"}, "minLength": {"$ref": "#/$defs/count"}, "pattern": {"type": "string", "format": "regex"}, "maxItems": {"$ref": "#/$defs/count"}, "minItems": {"$ref": "#/$defs/count"}, "uniqueItems": {"type": "boolean"}, "maxContains": {"$ref": "#/$defs/count"}, "minContains": {"$ref": "#/$defs/count"}, "maxProperties": {"$ref": "#/$defs/count"}, "minProperties": {"$ref": "#/$defs/count"}, "required": {"$ref": "#/$defs/names"}, "dependentRequired": {"type": "object", "additionalProperties": {"$ref": "#/$defs/names"}}}, "$defs": {"count": {"type": "integer", "minimum": 0}, "types": {"enum": ["array", "boolean", "integer", "null", "number", "object", "string"]}, "names": {"type": "array", "items": {"type": "string"}, "uniqueItems": true}}"##
      ),
      document(
        "meta/meta-data",
        #""properties": {"title": {"type": "string"}, "description": {"type": "string"}, "default": true, "deprecated": {"type": "boolean"}, "readOnly": {"type": "boolean"}, "writeOnly": {"type": "boolean"}, "examples": {"type": "array", "items": true}}"#
      ),
      document("meta/format", #""properties": {"format": {"type": "string"}}"#),
      document("meta/format-annotation", #""properties": {"format": {"type": "string"}}"#),
      document("meta/format-assertion", #""properties": {"format": {"type": "string"}}"#),
      document(
        "meta/content",
        #""properties": {"contentMediaType": {"type": "string"}, "contentEncoding": {"type": "string"}, "contentSchema": SELF}"#
      ),
    ]
  }
}
