import Foundation
import TrackingModel
import TrackingRules

extension TrackingPlan: OutlinedRule {
  package var identity: PlanIdentity { PlanIdentity(name: name, digest: files.digest) }

  /// The plan's events, with the names of their generated types, as a session contains them.
  package var outline: TrackingValue {
    // Without the generator's configuration, names in Swift would be wrong.
    let configuration = try? files.url.map { try GeneratorConfiguration.beside($0) } ?? GeneratorConfiguration()
    return [
      "name": .string(name), "digest": .string(files.digest),
      "events": .array(events.map { .object(Self.outline(of: $0, configuration)) }),
    ]
  }

  private static func outline(of event: PlannedEvent, _ configuration: GeneratorConfiguration?) -> [String:
    TrackingValue]
  {
    var members: [String: TrackingValue] = ["name": .string(event.name)]
    members["description"] = event.description.map(TrackingValue.string)
    members["owner"] = event.owner.map(TrackingValue.string)
    members["deprecated"] = event.deprecated.map(TrackingValue.string)
    guard let configuration, generates(event, configuration) else { return members }
    let type = configuration.typeName(of: event)
    members["swift"] = .string(configuration.namespace.map { "\($0).\(type)" } ?? type)
    members["params"] = .array(
      event.params.requiredFirst.map { .object(outline(of: $0, in: event, configuration)) })
    return members
  }

  /// Whether the generator writes a type for an event.
  private static func generates(_ event: PlannedEvent, _ configuration: GeneratorConfiguration) -> Bool {
    let sources = event.entry.sources
    guard configuration.includes(event.name) else { return false }
    guard let source = configuration.source, !sources.isEmpty else { return true }
    return sources.contains { $0.caseInsensitiveCompare(source) == .orderedSame }
  }

  private static func outline(
    of param: PlannedParam, in event: PlannedEvent, _ configuration: GeneratorConfiguration
  ) -> [String: TrackingValue] {
    let label = SwiftName.label(configuration.memberName(of: param, path: event.name))
    var members: [String: TrackingValue] = ["name": .string(param.name), "swift": .string(label)]
    if param.isOptional { members["isOptional"] = true }
    if param.shape.isNullable { members["isNullable"] = true }
    switch param.shape.plain {
    case .string(let format) where !["date-time", "uuid", "uri"].contains(format): members["type"] = "string"
    case .integer: members["type"] = "integer"
    case .number: members["type"] = "number"
    case .boolean: members["type"] = "boolean"
    case .choice(let values):
      members["type"] = "choice"
      members["cases"] = .object(
        Dictionary(values.map { ($0, .string(configuration.caseName(of: $0, path: path(of: param, in: event)))) }) {
          $1
        })
    // Values of other types are written by the event's name.
    case .string, .object, .array, .shared, .nullable, .any: break
    }
    return members
  }

  /// The place of a list of values, by which the configuration names its cases.
  private static func path(of param: PlannedParam, in event: PlannedEvent) -> String {
    var shape = param.shape
    while case .nullable(let inner) = shape { shape = inner }
    if case .shared(let name, _) = shape { return "types.\(name)" }
    return "\(event.name).\(param.name)"
  }
}
