import TrackingModel

/// Why an event is not the one that was asked for.
///
/// That it is not is known when this is made. In what and by how much is found out when it is asked for: of a long journal only the nearest miss
/// is shown, and while a wait goes on nothing is.
package struct EventMismatch: Sendable {
  package typealias Difference = EventDifference

  private enum Source {
    case differences([Difference], equalParams: Int)
    case look(EventCondition, TrackingEvent)
  }

  /// What there is to say about it, found by one look.
  struct Details {
    let differences: [Difference]
    /// How many of the params that were asked for are as they should be.
    let equalParams: Int
    /// Whether all params were asked for, each with its value.
    let isOfWholeEvent: Bool
  }

  private let source: Source

  /// A mismatch whose differences are known.
  package init(_ differences: [Difference], equalParams: Int = 0) {
    source = .differences(differences, equalParams: equalParams)
  }

  /// The mismatch of an event for which a condition does not hold.
  init(of event: TrackingEvent, _ condition: EventCondition) {
    source = .look(condition, event)
  }

  /// The differences between an event and the one that was expected.
  init(of event: TrackingEvent, from expected: TrackingEvent) {
    self.init(of: event, .equal(expected))
  }

  /// How far off the event is, which is never 0: the nearest miss is the one with the least distance.
  ///
  /// Each access looks at the event again; so do those below.
  var distance: Double { MismatchWeight.of(differences) }

  var differences: [Difference] { details.differences }

  var equalParams: Int { details.equalParams }

  var details: Details {
    switch source {
    case .differences(let differences, let equalParams):
      return Details(differences: differences, equalParams: equalParams, isOfWholeEvent: true)
    case .look(let condition, let event):
      var found = Differences(.explain)
      condition.look(at: event, Reading(of: event), into: &found)
      // A closure may say one thing now and another thing later.
      let differences = found.isEmpty ? [.condition("a condition that held when it was looked at again")] : found.list
      let isOfWholeEvent = if case .equal = condition { true } else { false }
      return Details(differences: differences, equalParams: found.equalParams, isOfWholeEvent: isOfWholeEvent)
    }
  }
}
