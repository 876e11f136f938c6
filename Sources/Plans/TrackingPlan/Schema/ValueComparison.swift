import TrackingModel

// Equality, order and multiples as JSON Schema defines them (JSON Schema Core 4.2.2).

extension TrackingValue {
  /// Whether two values are equal, comparing strings by code points, unlike `==`, and numbers by mathematical value.
  func isIdentical(to other: TrackingValue) -> Bool {
    switch (self, other) {
    case (.null, .null): return true
    case (.bool(let left), .bool(let right)): return left == right
    case (.string(let left), .string(let right)): return left.isSameText(as: right)
    case (.array(let left), .array(let right)):
      return left.count == right.count && zip(left, right).allSatisfy { $0.isIdentical(to: $1) }
    case (.object(let left), .object(let right)):
      return left.count == right.count
        && left.allSatisfy { key, value in
          right.value(of: key).map(value.isIdentical) == true
        }
    case (.int, _), (.unsigned, _), (.double, _), (.string, _): return self == other
    case (.null, _), (.bool, _), (.array, _), (.object, _): return false
    }
  }
}

package enum JSONSchemaNumber: Sendable {
  case int(Int)
  case unsigned(UInt64)
  case double(Double)

  /// Creates the number of a value; `nil` for NaN and the infinities, which are strings on the wire.
  package init?(_ value: TrackingValue) {
    switch value {
    case .int(let value): self = .int(value)
    case .unsigned(let value): self = Int(exactly: value).map(JSONSchemaNumber.int) ?? .unsigned(value)
    case .double(let value):
      guard value.isFinite else { return nil }
      self =
        Int(exactly: value).map(JSONSchemaNumber.int) ?? UInt64(exactly: value).map(JSONSchemaNumber.unsigned)
        ?? .double(value)
    case .null, .bool, .string, .array, .object: return nil
    }
  }

  package static func < (left: JSONSchemaNumber, right: JSONSchemaNumber) -> Bool {
    switch (left, right) {
    case (.int(let left), .int(let right)): left < right
    case (.int, .unsigned): true
    case (.unsigned, .int): false
    case (.unsigned(let left), .unsigned(let right)): left < right
    case (.double(let left), .double(let right)): left < right
    // Converting an integer to the nearest double keeps its order relative to any double with a fraction.
    case (.int(let left), .double(let right)): Double(left) < right
    case (.double(let left), .int(let right)): left < Double(right)
    case (.unsigned(let left), .double(let right)): Double(left) < right
    case (.double(let left), .unsigned(let right)): left < Double(right)
    }
  }

  package static func <= (left: JSONSchemaNumber, right: JSONSchemaNumber) -> Bool { !(right < left) }

  /// Whether this is an integer multiple of a positive number, by their shortest decimal forms: 0.0075 is a multiple of 0.0001.
  package func isMultiple(of divisor: JSONSchemaNumber) -> Bool {
    if case .int(let value) = self, case .int(let divisor) = divisor, divisor != 0 {
      return value.isMultiple(of: divisor)
    }
    let (value, unit) = (Decimal(self), Decimal(divisor))
    guard unit.digits != 0 else { return false }
    guard value.digits != 0 else { return true }
    let shift = value.exponent - unit.exponent
    if shift >= 0 { return value.isMultiple(of: unit.digits, shiftedBy: shift) }
    // digits / (unit * 10^-shift): a unit of more than 64 bits is larger than any digits.
    guard -shift < 20 else { return false }
    let (scaled, overflow) = unit.digits.multipliedReportingOverflow(
      by: (0..<(-shift)).reduce(UInt64(1)) { power, _ in power * 10 })
    return !overflow && value.digits.isMultiple(of: scaled)
  }

  /// The magnitude of a number as digits times a power of ten.
  private struct Decimal {
    var digits: UInt64
    var exponent = 0

    init(_ number: JSONSchemaNumber) {
      switch number {
      case .int(let value): digits = UInt64(value.magnitude)
      case .unsigned(let value): digits = value
      case .double(let value):
        digits = 0
        var afterPoint = false
        // A double's shortest decimal: at most 17 digits, a point, an exponent.
        let parts = value.magnitude.description.split(separator: "e")
        for scalar in parts[0].unicodeScalars {
          if scalar == "." {
            afterPoint = true
          } else {
            digits = digits * 10 + UInt64(scalar.value - 48)
            if afterPoint { exponent -= 1 }
          }
        }
        if parts.count > 1 { exponent += Int(parts[1]) ?? 0 }
      }
    }

    /// Whether `digits * 10^shift` is a multiple of a divisor, computed modulo the divisor.
    func isMultiple(of divisor: UInt64, shiftedBy shift: Int) -> Bool {
      var rest = digits % divisor
      for _ in 0..<shift {
        guard rest != 0 else { return true }
        let product = rest.multipliedFullWidth(by: 10)
        rest = divisor.dividingFullWidth(product).remainder
      }
      return rest == 0
    }
  }
}
