import Foundation
import TrackingModel

extension JSONReader {
  /// Reads a number; the next byte is its sign or first digit.
  ///
  /// RFC 8259 6: no plus sign, no leading zeros, digits on both sides of the point. Integers are exact: one that neither 64 bits nor a double hold
  /// is refused, because rounding would change the event. A number with a fraction or an exponent is the nearest double, or a 64-bit integer if it
  /// is whole.
  mutating func number() throws(JSONError) -> TrackingValue {
    let literal = try decimal()
    if let value = literal.integer { return value }
    return try double(of: literal)
  }

  /// Skips a number of any size; the next byte is its sign or first digit.
  mutating func skipNumber() throws(JSONError) {
    _ = try decimal()
  }

  /// A number as written: `significand * 10^exponent`.
  private struct Decimal {
    let start: Int
    var isNegative = false
    /// Written without a fraction and an exponent.
    var isInteger = true
    /// The digits without trailing zeros, as far as 64 bits hold them.
    var significand: UInt64 = 0
    var isTruncated = false
    var exponent = 0
    private var zeros = 0

    init(start: Int) {
      self.start = start
    }

    mutating func append(_ digit: UInt8) {
      guard digit > 0 else {
        zeros += 1
        return
      }
      for _ in 0..<zeros { push(0) }
      zeros = 0
      push(digit)
    }

    /// Moves trailing zeros into the exponent; call it after the last digit.
    mutating func end(exponent: Int, fractionDigits: Int) {
      self.exponent = exponent + zeros - fractionDigits
    }

    private mutating func push(_ digit: UInt8) {
      guard !isTruncated else { return }
      let (product, overflow) = significand.multipliedReportingOverflow(by: 10)
      let (sum, carry) = product.addingReportingOverflow(UInt64(digit))
      if overflow || carry { isTruncated = true } else { significand = sum }
    }

    /// The number as a 64-bit integer if it is one: `120`, and also `1.2e2`.
    var integer: TrackingValue? {
      guard !isTruncated, let magnitude else { return nil }
      if let int = Int(exactly: magnitude) { return .int(isNegative ? -int : int) }
      guard isNegative else { return .unsigned(magnitude) }
      return magnitude == UInt64(Int.max) + 1 ? .int(.min) : nil
    }

    private var magnitude: UInt64? {
      guard exponent != 0, significand != 0 else { return significand }
      // The significand doesn't end with a zero, so there is a fraction; and 64 bits hold twenty digits.
      guard 1..<20 ~= exponent else { return nil }
      let power = (0..<exponent).reduce(UInt64(1)) { power, _ in power * 10 }
      let (product, overflow) = significand.multipliedReportingOverflow(by: power)
      return overflow ? nil : product
    }
  }

  private mutating func decimal() throws(JSONError) -> Decimal {
    var decimal = Decimal(start: offset)
    if bytes[offset] == UInt8(ascii: "-") {
      decimal.isNegative = true
      offset += 1
    }
    let leadingZero = offset < count && bytes[offset] == UInt8(ascii: "0")
    let integerDigits = digits(into: &decimal)
    guard integerDigits > 0 else { throw failure("expected a digit, found \(found())") }
    guard integerDigits == 1 || !leadingZero else {
      throw JSONError(reason: "a number must not start with 0", offset: decimal.start)
    }
    var (fractionDigits, exponent) = (0, 0)
    if offset < count, bytes[offset] == UInt8(ascii: ".") {
      decimal.isInteger = false
      offset += 1
      fractionDigits = digits(into: &decimal)
      guard fractionDigits > 0 else { throw failure("expected a digit after the point, found \(found())") }
    }
    if offset < count, bytes[offset] | 0x20 == UInt8(ascii: "e") {
      decimal.isInteger = false
      exponent = try self.exponent()
    }
    decimal.end(exponent: exponent, fractionDigits: fractionDigits)
    return decimal
  }

  private mutating func digits(into decimal: inout Decimal) -> Int {
    let start = offset
    while offset < count, case let digit = bytes[offset] &- UInt8(ascii: "0"), digit < 10 {
      decimal.append(digit)
      offset += 1
    }
    return offset - start
  }

  private mutating func exponent() throws(JSONError) -> Int {
    offset += 1
    var sign = 1
    if offset < count, bytes[offset] == UInt8(ascii: "-") || bytes[offset] == UInt8(ascii: "+") {
      sign = bytes[offset] == UInt8(ascii: "-") ? -1 : 1
      offset += 1
    }
    let start = offset
    var value = 0
    while offset < count, case let digit = bytes[offset] &- UInt8(ascii: "0"), digit < 10 {
      // More digits change nothing, unless the number is as long as a gigabyte: it is 0 or infinite.
      if value < 1_000_000_000 { value = value * 10 + Int(digit) }
      offset += 1
    }
    guard offset > start else { throw failure("expected a digit in the exponent, found \(found())") }
    return sign * value
  }

  private static let powersOfTen: [Double] = [
    1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20,
    1e21, 1e22,
  ]

  private func double(of decimal: Decimal) throws(JSONError) -> TrackingValue {
    // Both operands are exact, so one rounding gives the nearest double (W. D. Clinger, 1990).
    if !decimal.isTruncated, decimal.significand <= 1 << 53, abs(decimal.exponent) < Self.powersOfTen.count,
      !decimal.isInteger
    {
      let magnitude = Double(decimal.significand)
      let power = Self.powersOfTen[abs(decimal.exponent)]
      let value = decimal.exponent < 0 ? magnitude / power : magnitude * power
      return TrackingValue.double(decimal.isNegative ? -value : value).canonical
    }
    let literal = UnsafeBufferPointer(start: bytes + decimal.start, count: offset - decimal.start)
    let text = String(decoding: literal, as: UTF8.self)
    let isExact = { (value: Double) in
      literal.drop { $0 == UInt8(ascii: "-") }.elementsEqual(value.integerDigits)
    }
    if largeNumber != .refused, let value = Double(text) {
      if largeNumber == .spelled, decimal.isInteger, !isExact(value) { return .string("\(text) (an integer)") }
      let limit = Double.greatestFiniteMagnitude
      return TrackingValue.double(min(max(value, -limit), limit)).canonical
    }
    guard let value = Double(text), value.isFinite, value != 0 || decimal.significand == 0 else {
      throw JSONError(reason: "a double cannot hold the number \(text.shortened(to: 40))", offset: decimal.start)
    }
    guard !decimal.isInteger || isExact(value) else {
      throw JSONError(
        reason: "neither 64 bits nor a double hold the integer \(text.shortened(to: 40))", offset: decimal.start)
    }
    return TrackingValue.double(value).canonical
  }
}

extension Double {
  /// All decimal digits of a whole number of at least 2^53, without its sign.
  fileprivate var integerDigits: String.UTF8View { String(format: "%.0f", magnitude).utf8 }
}
