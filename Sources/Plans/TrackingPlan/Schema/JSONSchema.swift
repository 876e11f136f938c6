import Foundation
import TrackingJSON
import TrackingModel

package final class JSONSchema: Sendable {
  private let compiled: JSONSchemaCompiler.Result
  /// The rules for the members, if the schema constrains objects in no other way.
  private let members: JSONSchemaNode.ObjectRules?
  private let deprecated: [JSONSchemaNode.Property]

  /// The documents that references can point into, by URI.
  package typealias Documents = [(uri: String, root: JSONTree, draft: JSONSchemaDraft)]

  package typealias Options = JSONSchemaCompiler.Options
  package typealias Failure = JSONSchemaCompiler.Failure

  /// Compiles a schema and everything that it references.
  ///
  /// References are resolved against `root`, which contains the schema, or else in the documents whose URIs `fallbacks` returns for a reference.
  /// `path` is the prefix of the paths in failures.
  package init(
    _ schema: JSONTree, root: JSONTree? = nil, uri: String, draft: JSONSchemaDraft,
    fallbacks: @escaping (JSONTree) -> [String] = { _ in [] }, documents: Documents = [], options: Options = Options(),
    path: String = "", extent: SchemaExtent = .whole
  ) throws(Failure) {
    let registry = JSONSchemaRegistry(fallbacks: fallbacks)
    for (uri, root, draft) in documents { registry.add(root, uri: uri, draft: draft) }
    let resource = registry.index(root ?? schema, uri: uri, draft: draft)
    compiled = try JSONSchemaCompiler.compile(
      .init(node: schema, resource: registry.resource(of: schema, in: resource)), in: registry, options: options,
      path: path, extent: extent)
    members = compiled.root.isOnlyAboutMembers ? compiled.root.object : nil
    deprecated = compiled.root.object?.properties.filter { $0.schema?.deprecation != nil } ?? []
  }

  var hasDeprecations: Bool { !deprecated.isEmpty }

  package func isValid(_ value: TrackingValue) -> Bool {
    var context = JSONSchemaContext(keepsScope: compiled.usesDynamicScope)
    return compiled.root.isValid(value, &context)
  }

  package func isValid(_ params: [TrackingParam: TrackingValue]) -> Bool {
    var context = JSONSchemaContext(keepsScope: compiled.usesDynamicScope)
    if let members { return members.isValid(params, &context) }
    return compiled.root.isValid(.object(params), &context)
  }

  /// Returns an event's violations of the schema; empty if its params are valid.
  func findings(in params: [TrackingParam: TrackingValue]) -> [JSONSchemaFinding] {
    var context = JSONSchemaContext(keepsScope: compiled.usesDynamicScope)
    var findings: [JSONSchemaFinding] = []
    compiled.root.explain(.object(params), at: "", &context, into: &findings)
    return findings
  }

  /// Returns the deprecated top-level properties among the params, with the plan's reasons.
  func deprecations(in params: [TrackingParam: TrackingValue]) -> [(
    name: String, reason: String, place: JSONTree.Place
  )] {
    deprecated.isEmpty
      ? []
      : deprecated.compactMap { property in
        guard let reason = property.schema?.deprecation, let schema = property.schema,
          params[.custom(key: property.name)] != nil
        else { return nil }
        return (property.name, reason, schema.place)
      }
  }

}

extension JSONSchemaNode {
  /// Whether the schema constrains an object only member by member.
  fileprivate var isOnlyAboutMembers: Bool {
    verdict == nil && types.contains(.object) && constants.isEmpty && applicators.isEmpty
      && unevaluatedProperties == nil && !closesUnevaluated && object?.dependentRequired.isEmpty ?? true
      && object?.dependentSchemas.isEmpty ?? true
  }
}

extension TrackingValue {
  static func object(_ params: [TrackingParam: TrackingValue]) -> TrackingValue {
    .object([String: TrackingValue](params.map { ($0.key, $1) }) { first, _ in first })
  }
}

/// A JSON Schema (2020-12) for the params of an event, for the command `tracking`.
package struct ParamsSchema: Sendable {
  private let schema: JSONSchema

  /// Compiles a schema; throws the reason that it can't be used, with the place in it.
  package init(_ schema: JSONTree) throws(PlanError) {
    // Read again, since references differ by the places of their targets.
    let tree = (try? JSONTree(Array(schema.text(.compact).utf8))) ?? schema
    do throws(JSONSchema.Failure) {
      self.schema = try JSONSchema(
        tree, uri: "check:/paramsSchema", draft: .draft2020, options: .init(keywords: JSONSchemaKeywords.standard))
    } catch {
      throw PlanError(file: "paramsSchema", line: nil, path: error.path, reason: error.reason)
    }
  }

  /// Returns whether a value is valid against the schema.
  package func isValid(_ value: TrackingValue) -> Bool { schema.isValid(value) }

  /// Returns the broken rules: each one's keyword, the path of the value, the value if there is one, and the reason in words.
  package func violations(
    by params: [TrackingParam: TrackingValue]
  ) -> [(keyword: String, path: String, value: TrackingValue?, reason: String)] {
    guard !schema.isValid(params) else { return [] }
    return schema.findings(in: params).map { finding in
      let keyword =
        switch finding.kind {
        case .missing: "required"
        case .unplanned: "additionalProperties"
        case .mismatch(let keyword): keyword
        }
      return (keyword, finding.path, finding.value, finding.reason)
    }
  }
}
