import TrackingJSON
import TrackingModel

/// A value and its place in the params of an event, or in the body of a request.
struct ValueSite: Hashable, Sendable {
  let path: JSONPath
  let value: TrackingValue

  /// The maximum depth of changed values.
  private static let deepest = 8

  /// All values in an object, ordered by name, or in an array.
  static func all(in whole: TrackingValue) -> [ValueSite] { ValueSite(path: JSONPath(), value: whole).parts }

  private var parts: [ValueSite] {
    guard path.steps.count < Self.deepest else { return [] }
    let steps: [(JSONPath.Step, TrackingValue)] =
      switch value {
      case .array(let elements): elements.enumerated().map { (.element($0), $1) }
      case .object(let members):
        members.sorted { $0.key.precedes($1.key) }.map { (.member($0), $1) }
      case .null, .bool, .int, .unsigned, .double, .string: []
      }
    return steps.flatMap { step, value in
      let site = ValueSite(path: path.appending(step), value: value)
      return [site] + site.parts
    }
  }

  /// The changes that replace or remove the value.
  var changes: [ValueChange] {
    let changes = ValueChange.changes(of: value)
    // A missing element is a change of its array, unless that has no path.
    if case .element? = path.steps.last, path.steps.count > 1 { return changes }
    return changes + [.dropped]
  }
}

extension TrackingEvent {
  func changing(_ site: ValueSite, by change: ValueChange) -> TrackingEvent {
    guard case .member(let name)? = site.path.steps.first, let value = params[.custom(key: name)] else { return self }
    var event = self
    event.params[.custom(key: name)] = value.changing(at: site.path.steps.dropFirst()) { change.applied(to: $0) }
    return event
  }
}
