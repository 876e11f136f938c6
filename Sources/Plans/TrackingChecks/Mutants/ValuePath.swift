import TrackingJSON
import TrackingModel

/// The place of a value in the params of an event, or in the body of a request.
typealias ValuePath = JSONPath

extension JSONPath {
  /// The path as a pattern writes it: `items[0].price`.
  var exact: String { description }
}

extension ValuePath {
  /// A value in a tree of values, and its changes.
  struct Site {
    let path: ValuePath
    let value: TrackingValue
  }

  /// The deepest values that are changed.
  private static let deepest = 8

  /// All values in an object, in the order of their names, or in an array.
  static func sites(in whole: TrackingValue) -> [Site] {
    var sites: [Site] = []
    add(whole, at: ValuePath(), to: &sites)
    return sites
  }

  private static func add(_ value: TrackingValue, at path: ValuePath, to sites: inout [Site]) {
    if !path.steps.isEmpty { sites.append(Site(path: path, value: value)) }
    guard path.steps.count < deepest else { return }
    switch value {
    case .array(let elements):
      for (index, element) in elements.enumerated() { add(element, at: path.appending(.element(index)), to: &sites) }
    case .object(let members):
      for (name, member) in members.sorted(by: { $0.key.precedes($1.key) }) {
        add(member, at: path.appending(.member(name)), to: &sites)
      }
    case .null, .bool, .int, .unsigned, .double, .string: break
    }
  }

  /// A value with another one, or none, at this path.
  func changing(_ value: TrackingValue, by change: ValueChange) -> TrackingValue? {
    value.changing(at: steps) { change.applied(to: $0) }
  }
}

extension TrackingEvent {
  /// The event with another value, or none, at a path into its params.
  func changing(_ path: ValuePath, by change: ValueChange) -> TrackingEvent {
    guard case .member(let name)? = path.steps.first, let value = params[.custom(key: name)] else { return self }
    var event = self
    event.params[.custom(key: name)] = value.changing(at: path.steps.dropFirst()) { change.applied(to: $0) }
    return event
  }
}
