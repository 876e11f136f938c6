import Foundation
import TrackingModel
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
    let blocks = try blocks()
    return wrapped(blocks.map(\.code))
  }

  /// Generates one file per event; returns their code by file name.
  package func files() throws(PlanError) -> [String: String] {
    var files: [String: String] = [:]
    for block in try blocks() { files["\(block.name).swift"] = wrapped([block.code]) }
    if let namespace = configuration.namespace { files["\(namespace).swift"] = "\(access)enum \(namespace) {}\n" }
    return files
  }

  private func wrapped(_ blocks: [String]) -> String {
    let imports = "import Foundation\nimport TrackingModel\n"
    guard let namespace = configuration.namespace else { return imports + blocks.map { "\n" + $0 }.joined() }
    let body = blocks.map { $0.indented }.joined(separator: "\n")
    return imports + "\n/// The events of the tracking plan.\n\(access)enum \(namespace) {\n\(body)}\n"
  }

  private var access: String { configuration.access == "internal" ? "" : "\(configuration.access) " }

  // MARK: Blocks

  package func blocks() throws(PlanError) -> [Block] {
    var blocks: [Block] = []
    var known: [String: (origin: String, place: PlanPlace)] = [:]
    let events = plan.events.filter { configuration.includes($0.name) }
      .sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
    for event in events {
      let name = configuration.names[event.name] ?? event.entry.swiftName ?? SwiftName.type(event.name, prefix: "Event")
      try enter(name, "the event \(event.name)", event.place, &known)
      var writer = TypeWriter(plan: plan, configuration: configuration, access: access)
      blocks.append(Block(name: name, code: try writer.event(event, name: name)))
    }
    for (type, shape, place) in sharedTypes(of: events) {
      let name = configuration.names["types.\(type)"] ?? SwiftName.type(type, prefix: "Value")
      try enter(name, "the type \(type)", place, &known)
      var writer = TypeWriter(plan: plan, configuration: configuration, access: access)
      blocks.append(Block(name: name, code: try writer.type(shape, name: name, path: "types.\(type)", place: place)))
    }
    return blocks
  }

  private func enter(
    _ name: String, _ origin: String, _ place: PlanPlace, _ known: inout [String: (origin: String, place: PlanPlace)]
  ) throws(PlanError) {
    if let other = known.updateValue((origin, place), forKey: name) {
      throw PlanError(
        file: place.file, line: place.line,
        reason:
          "\(origin) and \(other.origin) are both \(name) in Swift; give one of them a `swiftName`, in the plan or under `names` in \(GeneratorConfiguration.fileName)"
      )
    }
  }

  /// The plan's shared types that events use and that need a Swift type, ordered by name.
  private func sharedTypes(of events: [PlannedEvent]) -> [(name: String, shape: PlanShape, place: PlanPlace)] {
    var found: [String: (shape: PlanShape, place: PlanPlace)] = [:]
    func visit(_ shape: PlanShape, _ place: PlanPlace) {
      switch shape {
      case .shared(let name, let inner):
        if inner.isType, found[name] == nil { found[name] = (inner, place) }
        visit(inner, place)
      case .nullable(let inner), .array(let inner): visit(inner, place)
      case .object(let params, _): for param in params { visit(param.shape, param.place) }
      case .string, .integer, .number, .boolean, .choice, .any: break
      }
    }
    for event in events {
      for param in event.params { visit(param.shape, param.place) }
    }
    return found.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }.map {
      ($0.key, $0.value.shape, $0.value.place)
    }
  }
}

extension PlanShape {
  /// Whether the shape needs its own Swift type.
  var isType: Bool {
    switch self {
    case .choice, .object: true
    case .nullable(let shape): shape.isType
    default: false
    }
  }
}

extension String {
  /// The text with each non-empty line indented by two spaces.
  var indented: String {
    split(separator: "\n", omittingEmptySubsequences: false).map { $0.isEmpty ? "" : "  " + $0 }.joined(separator: "\n")
  }
}
