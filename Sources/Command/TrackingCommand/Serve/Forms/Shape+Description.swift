import TrackingJSON
import TrackingModel

// The JSON Schema of the OpenAPI description.

extension Shape {
  /// The schema, with references to named shapes.
  var schema: JSONTree {
    switch self {
    case .text(let name): ["type": "string", "minLength": name.map { _ in 1 }]
    case .pattern(let pattern, _): ["type": "string", "pattern": JSONTree(pattern)]
    case .words(let words): ["enum": JSONTree(of: words)]
    case .integer(let range, _):
      [
        "type": "integer", "minimum": range.lowerBound == .min ? nil : JSONTree(of: range.lowerBound),
        "maximum": range.upperBound == .max ? nil : JSONTree(of: range.upperBound),
      ]
    case .number(let range, let isAbove, _):
      [
        "type": "number",
        isAbove ? "exclusiveMinimum" : "minimum": range.lowerBound == -.infinity ? nil : Self.number(range.lowerBound),
        "maximum": range.upperBound == .infinity ? nil : Self.number(range.upperBound),
      ]
    case .bool: ["type": "boolean"]
    case .constant(let value): ["const": value]
    case .json(let isNullable): isNullable ? [:] : ["not": ["type": "null"]]
    case .schema: ["type": ["object", "boolean"]]
    case .list(let element, let least, _):
      ["type": "array", "items": element.schema, "minItems": least > 0 ? JSONTree(of: least) : nil]
    case .map(let value): ["type": "object", "additionalProperties": value?.schema]
    case .object(let forms): forms.schema
    case .any(let shapes, _): ["oneOf": JSONTree(.array(shapes.map(\.schema)))]
    case .named(let definition): ["$ref": JSONTree("#/components/schemas/\(definition.name)")]
    }
  }

  private static func number(_ number: Double) -> JSONTree {
    JSONTree(of: Int(exactly: number).map(TrackingValue.int) ?? .double(number))
  }

  /// The named shapes that this one refers to, with those within them.
  var definitions: [Definition] {
    switch self {
    case .named(let definition): [definition] + definition.shape.definitions
    case .list(let element, _, _): element.definitions
    case .map(let value): value?.definitions ?? []
    case .any(let shapes, _): shapes.flatMap(\.definitions)
    case .object(let forms): forms.all.flatMap(\.members).flatMap(\.shape.definitions)
    case .text, .pattern, .words, .integer, .number, .bool, .constant, .json, .schema: []
    }
  }
}

extension Shape.Definition {
  var schema: JSONTree {
    shape.schema.adding(sentence.isEmpty ? [] : [.init("description", JSONTree(sentence))])
  }
}

extension FormMember {
  /// The schema with the member's own sentence.
  var schema: JSONTree {
    shape.schema.adding(ownHelp.isEmpty ? [] : [.init("description", JSONTree(ownHelp))])
  }
}

extension Forms {
  var schema: JSONTree {
    let schemas = all.indices.map { index in
      all[index].schema(after: all[..<index].filter { $0.selector == all[index].selector })
    }
    let schema = schemas.count == 1 ? schemas[0] : ["oneOf": JSONTree(.array(schemas))]
    return expected == nil ? schema : schema.adding([.init("minProperties", 1)])
  }
}

extension Form {
  /// - Parameter earlier: Forms with the same selector, which are meant if their deciding members have their shapes.
  fileprivate func schema(after earlier: [Form]) -> JSONTree {
    let required = members.filter(\.isRequired).map(\.name)
    let decided = earlier.flatMap(\.members).filter(\.decides).map { member -> JSONTree in
      ["properties": JSONTree(.object([.init(member.name, member.shape.schema)])), "required": [JSONTree(member.name)]]
    }
    return [
      "type": "object", "properties": JSONTree(.object(members.map { .init($0.name, $0.schema) })),
      "additionalProperties": isOpen ? nil : false, "required": required.isEmpty ? nil : JSONTree(of: required),
      "not": decided.isEmpty ? nil : decided.count == 1 ? decided[0] : ["anyOf": JSONTree(.array(decided))],
    ]
  }
}
