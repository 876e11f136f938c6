import TrackingModel

/// A change of an event or a param from one run of tests to another.
struct RunChange: Sendable {
  enum Kind: String, CaseIterable, Sendable {
    /// A test saw the event or param in the base but not in the head.
    case lost
    /// The event or param was lost, and a gained one most likely takes its place.
    case renamed
    case gained
    /// The kinds of values differ, such as text or number.
    case kinds
    case values
    /// The param is no longer, or only now, in all events of a name.
    case presence
    case counts
    /// Waits matched the event in the base but not in the head.
    case unmatched
    /// A test noticed a missing event in the base but not in the head.
    case unchecked
    /// A test or the plan noticed changes of the param in the base but not in the head.
    case unpinned
    /// Neither a test nor the plan notices changes of the gained event or param.
    case unnoticedGain
  }

  struct TestChange: Sendable {
    let test: String
    let before: TrackingValue
    let after: TrackingValue
  }

  let kind: Kind
  let event: String
  /// The param's path; `nil` for a change of the event itself.
  var path: String?
  var newName: String?
  /// The tests that show it, ordered by name.
  let tests: [TestChange]
  /// The total of an event's counts in the tests of both runs; `nil` for other changes.
  var totals: (before: Int, after: Int)?
  /// The number of other tests in both runs in which the event or param is unchanged.
  var others = 0
  /// The lines of the app that tracked a lost or gained event, in the run that has more of it.
  var callSites: Set<CallSite> = []

  /// The event and the param: `purchase.total`.
  var name: String { path.map { "\(event).\($0)" } ?? event }
}

extension RunChange.Kind {
  /// The order in a report.
  var rank: Int { Self.allCases.firstIndex(of: self) ?? 0 }
}

/// A param or an event that isn't compared, with the reason.
struct VolatilePart: Sendable, Equatable {
  let name: String
  let reason: String
}
