import TrackingModel

/// Collects the names, params and values of a test's events; nodes are classes, so counting a nested value copies no dictionaries.
package final class ObservationCollector {
  private var events: [String: Event] = [:]
  private var droppedEvents = 0
  private var droppedPaths = 0
  private var paths = 0

  private final class Event {
    var count = 0
    var matched = 0
    var params: [String: Node] = [:]
    var callSites: Set<CallSite> = []
  }

  private final class Node {
    var seen = 0
    /// The number of values of each type, in the order of `JSONSchemaTypes.names`.
    var kinds = [Int](repeating: 0, count: JSONSchemaTypes.names.count)
    var values: Set<TrackingValue> = []
    var hasMore = false
    var members: [String: Node] = [:]
    var element: Node?
  }

  package init() {}

  package func add(_ event: TrackingEvent, isMatched: Bool) {
    guard Self.isShort(event.name) else {
      droppedEvents += 1
      return
    }
    let known = events[event.name]
    if known == nil, events.count >= Observation.mostEvents {
      droppedEvents += 1
      return
    }
    let entry = known ?? Event()
    if known == nil { events[event.name] = entry }
    entry.count += 1
    if isMatched { entry.matched += 1 }
    if let site = event.callSite, entry.callSites.count < Observation.mostCallSites { entry.callSites.insert(site) }
    for (param, value) in event.params {
      guard isKept(param.key), let node = child(entry.params[param.key], enter: { entry.params[param.key] = $0 })
      else { continue }
      count(value, in: node, depth: 0)
    }
  }

  /// Whether a name is short enough to be hashed, which takes quadratic time for combining characters.
  private static func isShort(_ name: String) -> Bool { name.utf8.count <= Observation.longestName }

  /// Whether a param's or member's name is kept; if not, counts it as dropped.
  private func isKept(_ key: String) -> Bool {
    let isKept = Self.isShort(key)
    if !isKept { droppedPaths += 1 }
    return isKept
  }

  /// The node of a path, created if it is new and the limit isn't reached.
  private func child(_ known: Node?, enter: (Node) -> Void) -> Node? {
    if let known { return known }
    guard paths < Observation.mostPaths else {
      droppedPaths += 1
      return nil
    }
    paths += 1
    let node = Node()
    enter(node)
    return node
  }

  private static let deepest = 16

  private func count(_ value: TrackingValue, in node: Node, depth: Int) {
    node.seen += 1
    node.kinds[JSONSchemaTypes(of: value).rawValue.trailingZeroBitCount] += 1
    switch value {
    case .null: break
    case .bool, .int, .unsigned, .double, .string: keep(value, in: node)
    case .array(let values):
      guard depth < Self.deepest, !values.isEmpty, let element = child(node.element, enter: { node.element = $0 })
      else { return }
      for value in values { count(value, in: element, depth: depth + 1) }
    case .object(let members):
      guard depth < Self.deepest else { return }
      for (key, value) in members {
        guard isKept(key), let member = child(node.members[key], enter: { node.members[key] = $0 }) else { continue }
        count(value, in: member, depth: depth + 1)
      }
    }
  }

  private func keep(_ value: TrackingValue, in node: Node) {
    guard node.values.count < Observation.mostValues else {
      node.hasMore = node.hasMore || !node.values.contains(value)
      return
    }
    if case .string(let text) = value, text.utf8.count > Observation.longestValue {
      node.hasMore = true
    } else {
      node.values.insert(value)
    }
  }

  package func observation(id: String, test: String) -> Observation {
    var result = Observation(id: id, test: test)
    for (name, event) in events {
      var entry = Observation.Event()
      entry.count = event.count
      entry.matched = event.matched
      entry.callSites = event.callSites
      for (key, node) in event.params { flatten(node, path: key, into: &entry.params) }
      result.events[name] = entry
    }
    result.droppedEvents = droppedEvents
    result.droppedPaths = droppedPaths
    return result
  }

  /// Adds a node and its children by their paths, written as in a plan: `items[].price`.
  private func flatten(_ node: Node, path: String, into params: inout [String: Observation.Param]) {
    var param = Observation.Param()
    param.seen = node.seen
    for (index, count) in node.kinds.enumerated() where count > 0 { param.kinds[JSONSchemaTypes.names[index]] = count }
    param.values = node.values
    param.hasMore = node.hasMore
    params[path] = param
    for (key, member) in node.members { flatten(member, path: "\(path).\(key)", into: &params) }
    if let element = node.element { flatten(element, path: path + "[]", into: &params) }
  }
}
