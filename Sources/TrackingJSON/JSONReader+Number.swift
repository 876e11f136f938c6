import TrackingModel

extension JSONReader {
  /// Reads a number; the next byte is its sign or first digit.
  ///
  /// RFC 8259 6: no plus sign, no leading zeros, digits on both sides of the point. A number that no 64-bit integer and no double can hold is
  /// refused and not rounded: its event would not be the one that was tracked.
  mutating func number() throws(JSONError) -> TrackingValue {
    let start = offset
    let isNegative = bytes[offset] == UInt8(ascii: "-")
    if isNegative { offset += 1 }
    var literal = Literal()
    let leadingZero = offset < count && bytes[offset] == UInt8(ascii: "0")
    let integerDigits = digits(into: &literal)
    guard integerDigits > 0 else { throw failure("expected a digit, found \(found())") }
    guard integerDigits == 1 || !leadingZero else {
      throw JSONError(reason: "a number must not begin with 0", offset: start)
    }
    var isInteger = true
    if offset < count, bytes[offset] == UInt8(ascii: ".") {
      isInteger = false
      try fraction(into: &literal)
    }
    if offset < count, bytes[offset] | 0x20 == UInt8(ascii: "e") {
      isInteger = false
      try exponent(into: &literal)
    }
    if let value = literal.integer(isNegative: isNegative) { return value }
    return try double(of: literal, isNegative: isNegative, isInteger: isInteger, from: start)
  }

  /// A decimal number as far as 64 bits hold its digits.
  private struct Literal {
    var mantissa: UInt64 = 0
    /// All the digits, modulo 2^64.
    var lowBits: UInt64 = 0
    var exponent = 0
    var isTruncated = false

    mutating func append(_ digit: UInt8) {
      lowBits = lowBits &* 10 &+ UInt64(digit)
      let (product, overflow) = mantissa.multipliedReportingOverflow(by: 10)
      let (sum, carry) = product.addingReportingOverflow(UInt64(digit))
      if overflow || carry || isTruncated {
        isTruncated = true
      } else {
        mantissa = sum
      }
    }

    /// The number as a 64-bit integer, if it is one: `120` and also `1.2e2`, so that it does not take the way over a double.
    func integer(isNegative: Bool) -> TrackingValue? {
      guard !isTruncated, let magnitude = wholeMagnitude else { return nil }
      if let int = Int(exactly: magnitude) { return .int(isNegative ? -int : int) }
      guard isNegative else { return .unsigned(magnitude) }
      return magnitude == UInt64(Int.max) + 1 ? .int(.min) : nil
    }

    private var wholeMagnitude: UInt64? {
      guard exponent != 0, mantissa != 0 else { return mantissa }
      // 64 bits hold twenty digits.
      guard abs(exponent) < 20 else { return nil }
      let power = (0..<abs(exponent)).reduce(UInt64(1)) { power, _ in power * 10 }
      if exponent < 0 { return mantissa.isMultiple(of: power) ? mantissa / power : nil }
      let (product, overflow) = mantissa.multipliedReportingOverflow(by: power)
      return overflow ? nil : product
    }
  }

  private mutating func digits(into literal: inout Literal) -> Int {
    let start = offset
    while offset < count, case let digit = bytes[offset] &- UInt8(ascii: "0"), digit < 10 {
      literal.append(digit)
      offset += 1
    }
    return offset - start
  }

  private mutating func fraction(into literal: inout Literal) throws(JSONError) {
    offset += 1
    let start = offset
    // Zeros at the end change nothing, and count only when another digit follows: 64 bits hold 9007199254740993.0000000000.
    var zeros = 0
    while offset < count, case let digit = bytes[offset] &- UInt8(ascii: "0"), digit < 10 {
      offset += 1
      zeros += 1
      guard digit > 0 else { continue }
      for _ in 1..<zeros { literal.append(0) }
      literal.append(digit)
      literal.exponent -= zeros
      zeros = 0
    }
    guard offset > start else { throw failure("expected a digit after the point, found \(found())") }
  }

  private mutating func exponent(into literal: inout Literal) throws(JSONError) {
    offset += 1
    var sign = 1
    if offset < count, bytes[offset] == UInt8(ascii: "-") || bytes[offset] == UInt8(ascii: "+") {
      sign = bytes[offset] == UInt8(ascii: "-") ? -1 : 1
      offset += 1
    }
    let start = offset
    var value = 0
    while offset < count, case let digit = bytes[offset] &- UInt8(ascii: "0"), digit < 10 {
      // Beyond this every number is 0 or infinite; the digits after it change nothing.
      if value < 1_000_000 { value = value * 10 + Int(digit) }
      offset += 1
    }
    guard offset > start else { throw failure("expected a digit in the exponent, found \(found())") }
    literal.exponent += sign * value
  }

  private static let powersOfTen: [Double] = [
    1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20,
    1e21, 1e22,
  ]

  private func double(
    of literal: Literal, isNegative: Bool, isInteger: Bool, from start: Int
  ) throws(JSONError) -> TrackingValue {
    // Both operands are exact, so one rounding gives the nearest double (W. D. Clinger, 1990).
    if !literal.isTruncated, literal.mantissa <= 1 << 53, abs(literal.exponent) < Self.powersOfTen.count {
      let magnitude = Double(literal.mantissa)
      let power = Self.powersOfTen[abs(literal.exponent)]
      let value = literal.exponent < 0 ? magnitude / power : magnitude * power
      return TrackingValue.double(isNegative ? -value : value).canonical
    }
    let text = String(decoding: UnsafeBufferPointer(start: bytes + start, count: offset - start), as: UTF8.self)
    guard let value = Double(text), value.isFinite, value != 0 || literal.mantissa == 0 else {
      throw JSONError(reason: "a double cannot hold the number \(text.prefix(40))", offset: start)
    }
    guard !isInteger || Self.isExact(value, literal) else {
      throw JSONError(reason: "neither 64 bits nor a double hold the integer \(text.prefix(40))", offset: start)
    }
    return TrackingValue.double(value).canonical
  }

  /// Whether the double nearest to an integer beyond 64 bits is that integer.
  ///
  /// The two differ by at most half of the double's last place, `2^(n-1)`. Up to n = 64 that is less than 2^64, so they are the same when they are
  /// the same modulo 2^64. Beyond, nobody writes an integer digit by digit and means it.
  private static func isExact(_ value: Double, _ literal: Literal) -> Bool {
    let places = value.exponent - Double.Exponent(Double.significandBitCount)
    guard places < 64 else { return false }
    let significand = value.significandBitPattern | 1 << Double.significandBitCount
    return significand << places == literal.lowBits
  }
}
