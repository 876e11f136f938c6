import TrackingJSON
import TrackingModel

/// An event of a plan as its format describes it, before its schema is compiled.
package struct PlanEntry: Sendable {
  package let name: String
  package let node: JSONTree
  /// The root that the schema's references are resolved against; the params' schema by default.
  package let root: JSONTree
  /// The schema of the params object.
  package let params: JSONTree
  package let draft: JSONSchemaDraft
  /// The path of the params in messages: `events.purchase.params`.
  package let path: String
  package var description: String?
  package var owner: String?
  /// The reason for the deprecation; empty if the plan gives none, `nil` if the event isn't deprecated.
  package var deprecated: String?
  /// The last day on which the event may be sent, as `2027-01-01`.
  package var expires: String?
  package var isDraft = false
  package var countsInCoverage = true
  package var sources: [String] = []
  package var swiftName: String?
  /// The plan's examples of valid and of invalid params.
  package var examples: [JSONTree] = []
  package var counterexamples: [JSONTree] = []

  package init(
    name: String, node: JSONTree, root: JSONTree? = nil, params: JSONTree, draft: JSONSchemaDraft, path: String
  ) {
    self.name = name
    self.node = node
    self.root = root ?? params
    self.params = params
    self.draft = draft
    self.path = path
  }
}

/// The events and types that a format reads from a plan's files.
package struct PlanContent: Sendable {
  package var name: String?
  package var entries: [PlanEntry] = []
  /// Schemas that several events share, by name.
  package var types: [JSONTree.Member] = []
  package init() {}
}
