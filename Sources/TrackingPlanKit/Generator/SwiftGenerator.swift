import Foundation
import TrackingModel
import TrackingRules
import TrackingPlan

/// Generates Swift types for a plan's events: one struct per event, ordered by the events' names.
///
/// The same plan always generates the same bytes, and a new event adds a block without changing other lines.
package struct SwiftGenerator {
  private let plan: TrackingPlan
  private let configuration: GeneratorConfiguration

  /// The code of one type, with the type's name.
  package struct Block: Sendable {
    package let name: String
    package let code: String
  }

  package init(plan: TrackingPlan, configuration: GeneratorConfiguration = GeneratorConfiguration()) {
    self.plan = plan
    self.configuration = configuration
  }

  /// Generates one file with all types.
  package func file() throws(PlanError) -> String {
    let blocks = try blocks().map(\.code)
    guard let namespace = configuration.namespace else {
      return Self.imports + blocks.map { "\n" + $0 }.joined()
    }
    return Self.imports + "\n" + declaration(of: namespace, body: blocks)
  }

  /// Generates one file per event; returns their code by file name.
  package func files() throws(PlanError) -> [String: String] {
    var files: [String: String] = [:]
    for block in try blocks() {
      let code = configuration.namespace.map { "extension \($0) {\n\(block.code.indented)}\n" } ?? block.code
      files["\(block.name).swift"] = Self.imports + "\n" + code
    }
    guard let namespace = configuration.namespace else { return files }
    // Each file extends the namespace, which one file declares.
    files["\(namespace).swift"] = declaration(of: namespace, body: [])
    return files
  }

  private static let imports = "import Foundation\nimport TrackingModel\n"

  private func declaration(of namespace: String, body blocks: [String]) -> String {
    let body = blocks.isEmpty ? "" : "\n" + blocks.map(\.indented).joined(separator: "\n")
    return "/// The events of the tracking plan.\n\(access)enum \(namespace) {\(body)}\n"
  }

  private var access: String { configuration.access == "internal" ? "" : "\(configuration.access) " }

  // MARK: Blocks

  /// The reasons why no code is generated: names that clash or aren't names in Swift, and patterns that no event matches.
  package var problems: [PlanError] { generated.problems }

  private func blocks() throws(PlanError) -> [Block] {
    let generated = generated
    if let problem = generated.problems.first { throw problem }
    return generated.blocks
  }

  private var generated: (blocks: [Block], problems: [PlanError]) {
    var blocks: [Block] = []
    var problems = configuration.problems(for: plan)
    var known: [String: String] = [:]
    let events = plan.events.filter { configuration.includes($0.name) }
      .sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
    func add(_ name: String, _ origin: String, _ place: PlanPlace, _ write: (inout TypeWriter) -> String) {
      if let other = known.updateValue(origin, forKey: name) {
        problems.append(TypeWriter.clash(origin, other, name, place))
      } else if !SwiftName.isType(name) {
        problems.append(TypeWriter.noName(name, origin, place))
      }
      var writer = TypeWriter(plan: plan, configuration: configuration, access: access)
      blocks.append(Block(name: name, code: write(&writer)))
      problems += writer.problems
    }
    for event in events {
      let name = configuration.typeName(of: event)
      add(name, "the event \(event.name)", event.place) { $0.event(event, name: name) }
    }
    for (type, shape, place) in events.sharedTypes {
      let name = configuration.typeName(ofShared: type)
      add(name, "the type \(type)", place) { $0.type(shape, name: name, path: "types.\(type)", place: place) }
    }
    return (blocks, problems)
  }
}

extension String {
  /// The text with each non-empty line indented by two spaces.
  var indented: String {
    split(separator: "\n", omittingEmptySubsequences: false).map { $0.isEmpty ? "" : "  " + $0 }.joined(separator: "\n")
  }
}
