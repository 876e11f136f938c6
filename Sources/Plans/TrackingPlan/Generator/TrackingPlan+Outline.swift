import Foundation
import TrackingModel
import TrackingRules

extension TrackingPlan: OutlinedRule {
  package var identity: PlanIdentity { PlanIdentity(name: name, digest: files.digest) }

  /// The plan's events with the names of their generated types, for a session.
  package var outline: TrackingValue {
    // Without the generator's configuration, Swift names would be wrong.
    let configuration = try? files.url.map { try GeneratorConfiguration.beside($0) } ?? GeneratorConfiguration()
    return [
      "name": .string(name), "digest": .string(files.digest),
      "events": .array(events.map { Self.outline(of: $0, configuration) }),
    ]
  }

  private static func outline(of event: PlannedEvent, _ configuration: GeneratorConfiguration?) -> TrackingValue {
    let configuration = configuration.flatMap { generates(event, $0) ? $0 : nil }
    return TrackingValue(present: [
      "name": event.name, "description": event.description, "owner": event.owner, "deprecated": event.deprecated,
      "swift": configuration.map { ($0.namespace.map { "\($0)." } ?? "") + $0.typeName(of: event) },
      "params": configuration.map { configuration in
        event.params.requiredFirst.map { outline(of: $0, in: event, configuration) }
      },
    ])
  }

  private static func generates(_ event: PlannedEvent, _ configuration: GeneratorConfiguration) -> Bool {
    let sources = event.sources
    guard configuration.includes(event.name) else { return false }
    guard let source = configuration.source, !sources.isEmpty else { return true }
    return sources.contains { $0.caseInsensitiveCompare(source) == .orderedSame }
  }

  private static func outline(
    of param: PlannedParam, in event: PlannedEvent, _ configuration: GeneratorConfiguration
  ) -> TrackingValue {
    let (type, cases): (String?, [String: String]?) =
      switch param.shape.plain {
      case .string(let format) where !["date-time", "uuid", "uri"].contains(format): ("string", nil)
      case .integer: ("integer", nil)
      case .number: ("number", nil)
      case .boolean: ("boolean", nil)
      case .choice(let values):
        (
          "choice",
          Dictionary(values.map { ($0, configuration.caseName(of: $0, path: path(of: param, in: event))) }) { $1 }
        )
      // Values of other types are identified by the event's name.
      case .string, .object, .array, .shared, .nullable, .any: (nil, nil)
      }
    return TrackingValue(present: [
      "name": param.name, "swift": SwiftName.label(configuration.memberName(of: param, path: event.name)),
      "isOptional": param.isOptional ? true : nil, "isNullable": param.shape.isNullable ? true : nil, "type": type,
      "cases": cases,
    ])
  }

  /// The path of a list of values, by which the configuration names its cases.
  private static func path(of param: PlannedParam, in event: PlannedEvent) -> String {
    var shape = param.shape
    while case .nullable(let inner) = shape { shape = inner }
    if case .shared(let name, _) = shape { return "types.\(name)" }
    return "\(event.name).\(param.name)"
  }
}
