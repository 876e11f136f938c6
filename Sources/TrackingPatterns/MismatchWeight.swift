import TrackingModel

/// What each kind of difference weighs when the nearest miss is looked for.
///
/// A misspelt name with the right params is nearer than the right name with other params; both are nearer than another event altogether.
enum MismatchWeight {
  /// A name of which nothing is right; a misspelt one weighs its share of wrong letters.
  static let name = 12.0
  /// A value of the right type; it weighs between half of this and all of it, by how much it differs.
  static let value = 2.0
  /// A value of the wrong type that reads the same: `"3"` for 3.
  static let sameText = 1.0
  /// A value of the wrong type.
  static let type = 3.0
  static let missing = 3.0
  /// A param that is missing while there is one of nearly its name.
  static let misspeltParam = 2.0
  static let extra = 2.0
  /// A condition that does not hold, or params that do not make up a typed event.
  static let condition = 3.0

  static func of(_ differences: [EventDifference]) -> Double {
    differences.reduce(0) { $0 + of($1) }
  }

  static func of(_ difference: EventDifference) -> Double {
    switch difference {
    case .name(let expected, let found): name * EditDistance.share(expected, found)
    case .value(_, let expected, let found): of(expected, found)
    case .unmet(_, _, _, _, let weight): weight
    case .missing(_, _, .misspelt): misspeltParam
    case .missing: missing
    case .extra: extra
    case .condition, .schema: condition
    }
  }

  /// A value of the right type of which a share between 0 and 1 is wrong.
  static func value(share: Double) -> Double {
    value / 2 + value / 2 * min(max(share, 0), 1)
  }

  /// The share by which a number is wrong that should be another: near numbers before far ones, however large they are.
  static func share(of found: Double, from expected: Double) -> Double {
    let difference = abs(found - expected)
    let share = difference / (difference + abs(expected) + 1)
    return share.isNaN ? 1 : share
  }

  private static func of(_ expected: TrackingValue, _ found: TrackingValue) -> Double {
    if case .string(let expected) = expected, case .string(let found) = found {
      return value(share: EditDistance.share(expected, found))
    }
    if let expected = expected.number, let found = found.number {
      return value(share: share(of: found, from: expected))
    }
    if expected.kind == found.kind { return value }
    return expected.plainText == found.plainText ? sameText : type
  }
}
