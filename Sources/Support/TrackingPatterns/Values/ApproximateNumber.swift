import TrackingModel

/// A number and the accepted distance from it.
struct ApproximateNumber: Sendable {
  let number: Double
  let tolerance: Double

  /// Expects a canonical value.
  private func accepts(_ value: TrackingValue) -> Bool {
    let expected = TrackingValue.double(number).canonical
    if value == expected { return true }
    if let distance = Self.distance(value, expected) {
      // Whole numbers are compared exactly, whatever their size.
      return tolerance >= 0x1p64 || distance <= UInt64(tolerance)
    }
    guard let found = value.number else { return false }
    // 1.1 is 0.1 away from 1.0, but not in binary. From 2^53 there are no fractions to round.
    let largest = max(abs(found), abs(number))
    return abs(found - number) <= tolerance + (largest < 0x1p53 ? 2 * largest.ulp : 0)
  }

  /// The distance from the bounds, `0.5 less`; `nil` if it needs many digits.
  private func note(on value: TrackingValue) -> String? {
    guard let found = value.number else { return nil }
    let direction = found < number ? "less" : "more"
    if let distance = Self.distance(value, TrackingValue.double(number).canonical) { return "\(distance) \(direction)" }
    let difference = abs(found - number)
    let rounded = (difference * 1e9).rounded() / 1e9
    return rounded.isFinite && rounded > 0 ? "\(TrackingValue.double(rounded)) \(direction)" : nil
  }

  /// The exact distance of two 64-bit integers; `nil` for other values, and on overflow.
  private static func distance(_ left: TrackingValue, _ right: TrackingValue) -> UInt64? {
    guard let (leftMagnitude, leftIsNegative) = integer(left), let (rightMagnitude, rightIsNegative) = integer(right)
    else { return nil }
    if leftIsNegative == rightIsNegative {
      return max(leftMagnitude, rightMagnitude) - min(leftMagnitude, rightMagnitude)
    }
    let (sum, overflow) = leftMagnitude.addingReportingOverflow(rightMagnitude)
    return overflow ? nil : sum
  }

  private static func integer(_ value: TrackingValue) -> (magnitude: UInt64, isNegative: Bool)? {
    switch value {
    case .int(let int): (UInt64(int.magnitude), int < 0)
    case .unsigned(let unsigned): (unsigned, false)
    case .null, .bool, .double, .string, .array, .object: nil
    }
  }
}

extension ApproximateNumber: ValueTest {
  func miss(of value: TrackingValue, _ leniency: Leniency) -> ValueMiss? {
    guard let found = value.number(leniency) else { return .kind(of: value) }
    guard !accepts(found) else { return nil }
    return ValueMiss(note: note(on: found), share: MismatchWeight.share(of: found.number ?? .infinity, from: number))
  }

  var description: String {
    "\(TrackingValue.double(number)), give or take \(TrackingValue.double(tolerance))"
  }

  var problem: String? {
    number.isFinite && tolerance >= 0 ? nil : "no number is approximately \(number) with a tolerance of \(tolerance)"
  }

  var form: TrackingValue { ["approximately": [.double(number), .double(tolerance)]] }

  static func read(_ name: String, _ value: TrackingValue) -> ApproximateNumber? {
    guard name == "approximately", case .array(let parts) = value else { return nil }
    let numbers = parts.compactMap(\.number)
    return parts.count == 2 && numbers.count == 2 ? ApproximateNumber(number: numbers[0], tolerance: numbers[1]) : nil
  }
}

// MARK: - Matcher

extension ValueMatcher {
  /// Accepts a number whose distance from another is at most a tolerance: `.approximately(9.5, tolerance: 0.01)` accepts 9.49 and 9.51.
  ///
  /// Whole numbers are compared exactly. For fractions the tolerance includes the binary rounding of decimals: 1.1 is within 0.1 of 1.0, and 0.1 +
  /// 0.2 within 0 of 0.3.
  public static func approximately(_ number: Double, tolerance: Double) -> ValueMatcher {
    ValueMatcher(ApproximateNumber(number: number, tolerance: tolerance))
  }
}
