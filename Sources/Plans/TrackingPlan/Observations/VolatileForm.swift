import TrackingModel

/// A form of values that probably differ in each run of a test.
///
/// Each reader chooses its forms: a flow few, since it no longer checks a value that it masks; a comparison of runs many, since it only guesses.
package enum VolatileForm: Sendable {
  // The whole text, or what it begins with.
  case uuid, dateTime, dateTimePrefix
  /// At least 16 hexadecimal digits.
  case hash
  /// At least 20 letters, digits, hyphens and underscores, with a letter and a digit.
  case token
  /// At least 12 characters without a space that change often between letters and digits.
  case alternation
  // Anywhere in a text.
  case partialUUID, partialDate, partialTime
  /// Nine digits in a row, or a whole number of at least nine digits.
  case counter
  case localAddress
  /// A number that is a time between 2014 and 2039, in seconds or milliseconds.
  case recentTimestamp
  /// A number that is a time between 2001 and 2100, in seconds, milliseconds, microseconds or nanoseconds.
  case timestamp

  /// Returns the first of several forms that a value has; `nil` for lists and objects.
  package static func first(of forms: [VolatileForm], in value: TrackingValue) -> VolatileForm? {
    switch value.canonicalScalar {
    case .int(let number): forms.first { $0.fits(Double(number)) }
    case .unsigned(let number): forms.first { $0.fits(Double(number)) }
    case .double(let number): forms.first { $0.fits(number) }
    case .string(let text): text.withBytes { bytes in forms.first { $0.fits(text, bytes) } }
    case .null, .bool, .array, .object: nil
    }
  }

  private func fits(_ number: Double) -> Bool {
    switch self {
    case .recentTimestamp: number > 1.4e9 && number < 2.2e9 || number > 1.4e12 && number < 2.2e12
    case .timestamp: [1.0, 1e3, 1e6, 1e9].contains { (978_307_200...4_102_444_800).contains(number / $0) }
    case .counter: number.magnitude >= 1e8 && number == number.rounded()
    case .uuid, .dateTime, .dateTimePrefix, .hash, .token, .alternation, .partialUUID, .partialDate, .partialTime,
      .localAddress:
      false
    }
  }

  private func fits(_ text: String, _ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    switch self {
    case .uuid: StringFormat.uuid.accepts(text)
    case .dateTime: StringFormat.dateTime.accepts(text)
    case .dateTimePrefix: ["0000-00-00T00:00", "0000-00-00 00:00"].contains { Self.begins(bytes[...], like: $0) }
    case .hash: bytes.count >= 16 && bytes.allSatisfy(\.isHexDigit) && bytes.contains(where: \.isDigit)
    case .token:
      bytes.count >= 20 && bytes.contains(where: \.isDigit) && bytes.contains(where: \.isLetter)
        && bytes.allSatisfy { $0.isDigit || $0.isLetter || $0 == UInt8(ascii: "_") || $0 == UInt8(ascii: "-") }
    case .alternation:
      bytes.count >= 12 && !bytes.contains(UInt8(ascii: " "))
        && zip(bytes, bytes.dropFirst()).count { $0.isDigit && $1.isLetter || $0.isLetter && $1.isDigit } >= 4
    case .partialUUID: Self.has(bytes, like: "xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx")
    case .partialDate: Self.has(bytes, like: "0000-00-00")
    case .partialTime: Self.has(bytes, like: "00:00:00")
    case .counter: Self.has(bytes, like: "000000000")
    case .localAddress: ["localhost:", "127.0.0.1:", "[::1]:"].contains { text.contains($0) }
    case .recentTimestamp, .timestamp: false
    }
  }

  private static func has(_ bytes: UnsafeBufferPointer<UInt8>, like pattern: StaticString) -> Bool {
    bytes.indices.contains { begins(bytes[$0...], like: pattern) }
  }

  /// Whether a text begins like a pattern, in which `0` is any digit, and `x` any hexadecimal one.
  private static func begins(_ bytes: Slice<UnsafeBufferPointer<UInt8>>, like pattern: StaticString) -> Bool {
    guard bytes.count >= pattern.utf8CodeUnitCount else { return false }
    return pattern.withUTF8Buffer { pattern in
      zip(bytes, pattern).allSatisfy { byte, expected in
        switch expected {
        case UInt8(ascii: "0"): byte.isDigit
        case UInt8(ascii: "x"): byte.isHexDigit
        default: byte == expected
        }
      }
    }
  }
}
