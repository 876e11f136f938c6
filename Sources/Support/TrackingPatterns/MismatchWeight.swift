import TrackingModel

/// The weights of the kinds of difference in the search for the nearest miss.
///
/// A misspelt name with the right params is nearer than the right name with other params; both are nearer than a completely different event.
enum MismatchWeight {
  /// A completely different name; a misspelt one weighs its share of wrong letters.
  static let name = 12.0
  /// A completely different value of the right type; a value of the right type weighs at least half of this.
  static let value = 2.0
  /// A value of the wrong type that reads the same: `"3"` for 3.
  static let sameText = 1.0
  /// A value of the wrong type.
  static let type = 3.0
  static let missing = 3.0
  /// A missing param, if there is one with nearly the same name.
  static let misspeltParam = 2.0
  static let extra = 2.0
  /// Another process with the right event, which is nearer than any other value.
  static let process = 0.5
  /// A condition that doesn't hold, or params that can't be decoded.
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
    case .process: process
    case .typed(let difference): of(difference)
    case .condition, .rule: condition
    }
  }

  /// A value of the right type, a share of which (0 to 1) is wrong.
  static func value(share: Double) -> Double {
    value / 2 + value / 2 * min(max(share, 0), 1)
  }

  /// The share by which a number differs from the expected one: small for near numbers, however large they are.
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
    return expected.plainText.isSameText(as: found.plainText) ? sameText : type
  }
}
