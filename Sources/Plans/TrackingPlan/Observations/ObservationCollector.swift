import TrackingJSON
import TrackingModel

/// Collects the names, params and values of a test's events; nodes are classes, so counting a nested value copies no dictionaries.
package final class ObservationCollector {
  private var events: [TextKey: Event] = [:]
  private var droppedEvents = 0
  private var droppedPaths = 0
  private var paths = 0
  private let limits: Observation.Limits

  private final class Event {
    var count = 0
    var matched = 0
    var params: [TrackingParam: Node] = [:]
    var callSites: Set<CallSite> = []
    var dropped = 0
  }

  private final class Node {
    var seen = 0
    /// The number of values of each type, in the order of `JSONSchemaTypes.names`.
    var kinds = [Int](repeating: 0, count: JSONSchemaTypes.names.count)
    var values: Set<TrackingValue> = []
    var hasMore = false
    var hasLonger = false
    var members: [TextKey: Node] = [:]
    var element: Node?
  }

  package init(limits: Observation.Limits = .ofTests) {
    self.limits = limits
  }

  package func add(_ event: TrackingEvent, isMatched: Bool) {
    guard event.name.utf8.count <= limits.name else {
      droppedEvents += 1
      return
    }
    let known = events[event.name]
    if known == nil, events.count >= limits.events {
      droppedEvents += 1
      return
    }
    let entry = known ?? Event()
    if known == nil { events[event.name] = entry }
    entry.count += 1
    if isMatched { entry.matched += 1 }
    if let site = event.callSite, entry.callSites.count < limits.callSites { entry.callSites.insert(site) }
    for (param, value) in event.params {
      guard isKept(param.key), let node = child(entry.params[param], enter: { entry.params[param] = $0 })
      else {
        drop(of: entry)
        continue
      }
      count(value, in: node, of: entry, depth: 0)
    }
  }

  private func drop(of event: Event) {
    event.dropped += 1
    droppedPaths += 1
  }

  /// Whether a param's or member's name is short enough to be kept.
  private func isKept(_ key: String) -> Bool { key.utf8.count <= limits.name }

  /// The node of a path, created if it is new; `nil` if the limit is reached.
  private func child(_ known: Node?, enter: (Node) -> Void) -> Node? {
    if let known { return known }
    guard paths < limits.paths else { return nil }
    paths += 1
    let node = Node()
    enter(node)
    return node
  }

  private func count(_ value: TrackingValue, in node: Node, of event: Event, depth: Int) {
    node.seen += 1
    node.kinds[JSONSchemaTypes(of: value).rawValue.trailingZeroBitCount] += 1
    switch value {
    case .null: break
    case .bool, .int, .unsigned, .double, .string: keep(value, in: node)
    case .array(let values):
      guard !values.isEmpty else { return }
      guard depth < limits.depth, let element = child(node.element, enter: { node.element = $0 }) else {
        return drop(of: event)
      }
      for value in values { count(value, in: element, of: event, depth: depth + 1) }
    case .object(let members):
      for (key, value) in members {
        guard depth < limits.depth, isKept(key),
          let member = child(node.members[key], enter: { node.members[key] = $0 })
        else {
          drop(of: event)
          continue
        }
        count(value, in: member, of: event, depth: depth + 1)
      }
    }
  }

  private func keep(_ value: TrackingValue, in node: Node) {
    if case .string(let text) = value, text.utf8.count > limits.value {
      (node.hasMore, node.hasLonger) = (true, true)
    } else if node.values.count < limits.values {
      node.values.insert(value)
    } else {
      node.hasMore = node.hasMore || !node.values.contains(value)
    }
  }

  package func observation(id: String, test: String) -> Observation {
    var result = Observation(id: id, test: test)
    for (name, event) in events {
      var entry = Observation.Event()
      entry.count = event.count
      entry.matched = event.matched
      entry.callSites = event.callSites
      entry.droppedParams = event.dropped
      for (param, node) in event.params {
        flatten(node, path: JSONPath([.member(param.key)]), into: &entry.params)
      }
      result.events[name] = entry
    }
    result.droppedEvents = droppedEvents
    result.droppedPaths = droppedPaths
    return result
  }

  /// Adds a node and its children by their paths.
  private func flatten(_ node: Node, path: JSONPath, into params: inout [JSONPath: Observation.Param]) {
    var param = Observation.Param()
    param.seen = node.seen
    for (index, count) in node.kinds.enumerated() where count > 0 { param.kinds[JSONSchemaTypes.names[index]] = count }
    param.values = node.values
    param.hasMore = node.hasMore
    param.hasLonger = node.hasLonger
    params[path] = param
    for (key, member) in node.members { flatten(member, path: path.appending(.member(key.text)), into: &params) }
    if let element = node.element { flatten(element, path: path.appending(.each), into: &params) }
  }
}
