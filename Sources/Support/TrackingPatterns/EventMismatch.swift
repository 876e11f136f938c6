import TrackingModel

/// The differences of an event from a pattern that it doesn't match.
///
/// Computes differences and weight on access: a failure shows only the nearest miss of a long journal, and an open wait shows none.
package struct EventMismatch: Sendable {
  private enum Source {
    case differences([Difference], equalParams: Int)
    case look(EventCondition, TrackingEvent)
  }

  struct Details {
    let differences: [Difference]
    /// The number of expected params that match.
    let equalParams: Int
    /// Whether the pattern names all params with their values.
    let isOfWholeEvent: Bool
  }

  private let source: Source

  package init(_ differences: [Difference], equalParams: Int = 0) {
    source = .differences(differences, equalParams: equalParams)
  }

  /// Call it only if the condition doesn't hold for the event.
  init(of event: TrackingEvent, _ condition: EventCondition) {
    source = .look(condition, event)
  }

  /// The event's distance from matching, always above 0: the nearest miss has the least.
  ///
  /// Each access compares the event again, as do the other properties.
  var distance: Double { differences.distance }

  /// Whether more params are equal than not.
  package var isMostlyEqual: Bool {
    let details = details
    let differing = details.differences.count { $0.kind != .name }
    return details.equalParams > differing
  }

  /// Whether the event has another name than an expected one, in more than a few letters.
  package var hasOtherName: Bool {
    differences.contains { $0.kind == .name && !EditDistance.isNear($0.foundText, $0.expected.plainText) }
  }

  /// Whether the event would match with another name.
  package var isOfNameAlone: Bool {
    let differences = differences
    return differences.count == 1 && differences[0].kind == .name
  }

  package var differences: [Difference] { details.differences }

  var equalParams: Int { details.equalParams }

  var details: Details {
    switch source {
    case .differences(let differences, let equalParams):
      return Details(differences: differences, equalParams: equalParams, isOfWholeEvent: true)
    case .look(let condition, let event):
      var found = Differences(.explain)
      condition.look(at: event, Leniency(of: event), into: &found)
      // The closure's result changed since the event was checked.
      let differences = found.isEmpty ? [.condition("a condition that held when it was checked again")] : found.list
      let isOfWholeEvent = if case .equal = condition { true } else { false }
      return Details(differences: differences, equalParams: found.equalParams, isOfWholeEvent: isOfWholeEvent)
    }
  }
}

package enum NearestMiss {
  /// The index of the nearest miss, the latest of equally near ones; `nil` for an empty list.
  package static func index(in misses: [EventMismatch]) -> Int? {
    var nearest: (index: Int, distance: Double)?
    for (index, miss) in misses.enumerated() {
      let distance = miss.distance
      if distance <= nearest?.distance ?? .infinity { nearest = (index, distance) }
    }
    return nearest?.index
  }
}
