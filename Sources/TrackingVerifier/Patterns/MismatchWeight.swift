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
  static let extra = 2.0
  /// A condition that does not hold, or params that do not make up a typed event.
  static let condition = 3.0

  static func of(_ difference: EventMismatch.Difference) -> Double {
    switch difference {
    case .name(let expected, let found): name * EditDistance.share(expected, found)
    case .value(_, let expected, let found): of(expected, found)
    case .missing: missing
    case .extra: extra
    case .condition, .schema: condition
    }
  }

  private static func of(_ expected: TrackingValue, _ found: TrackingValue) -> Double {
    if case .string(let expected) = expected, case .string(let found) = found {
      return value / 2 + value / 2 * EditDistance.share(expected, found)
    }
    if expected.kind == found.kind { return value }
    return expected.plainText == found.plainText ? sameText : type
  }
}

extension TrackingValue {
  /// The text of a value without the quotation marks that tell a string from what it looks like.
  var plainText: String {
    if case .string(let text) = self { text } else { description }
  }
}
