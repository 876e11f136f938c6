import TrackingModel

/// Weights the kinds of difference to find the nearest miss.
///
/// A misspelled name with the right params is nearer than the right name with other params; both are nearer than a completely different event.
enum MismatchWeight {
  /// A completely different name; a misspelled one weighs its share of wrong letters.
  static let name = 12.0
  /// A completely different value of the right type; another wrong value of that type weighs at least half as much.
  static let value = 2.0
  /// A value of the wrong type with the same text: `"3"` for 3.
  static let sameText = 1.0
  static let type = 3.0
  static let missing = 3.0
  /// A missing param, if there is one with a similar name.
  static let misspeltParam = 2.0
  static let extra = 2.0
  /// The right event from another process, nearer than any wrong value.
  static let process = 0.5
  /// A condition that doesn't hold, or params that can't be decoded.
  static let condition = 3.0

  static func name(_ found: String, expected: String) -> Double { name * EditDistance.share(expected, found) }

  /// A value of the right type of which a share, 0 to 1, is wrong.
  static func value(share: Double) -> Double {
    value / 2 + value / 2 * min(max(share, 0), 1)
  }

  /// The relative difference of two numbers: small for near ones, however large they are.
  static func share(of found: Double, from expected: Double) -> Double {
    let difference = abs(found - expected)
    let share = difference / (difference + abs(expected) + 1)
    return share.isNaN ? 1 : share
  }

  static func value(_ found: TrackingValue, expected: TrackingValue) -> Double {
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
