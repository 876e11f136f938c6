import Foundation

// Event names, param names and text values are equal when their UTF-8 bytes are, because that is how providers compare them. Swift's comparison
// treats "é" and "e\u{301}" as equal, and sorts runs of combining characters for that, in quadratic time.

extension String {
  package func withBytes<Result>(_ body: (UnsafeBufferPointer<UInt8>) -> Result) -> Result {
    if let result = utf8.withContiguousStorageIfAvailable(body) { return result }
    // A string bridged from Objective-C.
    var copy = self
    return copy.withUTF8(body)
  }

  /// FNV-1a: the same in every process.
  package var stableHash: UInt64 {
    utf8.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
  }

  package func isSameText(as other: String) -> Bool {
    withBytes { bytes in other.withBytes { bytes.count == $0.count && Self.order(bytes, $0) == 0 } }
  }

  package func containsBytes(of part: String) -> Bool {
    withBytes { bytes in
      part.withBytes { part in
        guard let first = part.first, let start = bytes.baseAddress, let partStart = part.baseAddress else {
          return part.isEmpty
        }
        var offset = 0
        while bytes.count - offset >= part.count {
          guard let found = memchr(start + offset, Int32(first), bytes.count - part.count - offset + 1) else { break }
          if memcmp(found, partStart, part.count) == 0 { return true }
          offset = UnsafeRawPointer(found) - UnsafeRawPointer(start) + 1
        }
        return false
      }
    }
  }

  /// Compares UTF-8 bytes, which gives the order of Unicode's code points.
  package func precedes(_ other: String) -> Bool {
    withBytes { bytes in
      other.withBytes { others in
        let order = Self.order(bytes, others)
        return order < 0 || order == 0 && bytes.count < others.count
      }
    }
  }

  /// Compares the common length, as `memcmp` does.
  private static func order(_ left: UnsafeBufferPointer<UInt8>, _ right: UnsafeBufferPointer<UInt8>) -> Int32 {
    guard let leftStart = left.baseAddress, let rightStart = right.baseAddress else { return 0 }
    return memcmp(leftStart, rightStart, Swift.min(left.count, right.count))
  }

  package func hashText(into hasher: inout Hasher) {
    withBytes { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
    // UTF-8 never contains this byte, so "ab", "c" and "a", "bc" hash differently.
    hasher.combine(0xFF as UInt8)
  }
}

/// A dictionary key that is hashed and compared by its UTF-8 bytes.
package struct TextKey: Hashable, Comparable, Sendable {
  package let text: String

  package init(_ text: String) {
    self.text = text
  }

  package static func < (left: TextKey, right: TextKey) -> Bool { left.text.precedes(right.text) }

  package static func == (left: TextKey, right: TextKey) -> Bool { left.text.isSameText(as: right.text) }

  package func hash(into hasher: inout Hasher) { text.hashText(into: &hasher) }
}

extension Dictionary where Key == TextKey {
  package subscript(text: String) -> Value? {
    get { self[TextKey(text)] }
    set { self[TextKey(text)] = newValue }
  }
}

extension String {
  /// Whether at most `most` combining characters follow one another, by default as many as text in any language needs (UAX #15, Stream-Safe Text
  /// Format).
  ///
  /// Check it before hashing, comparing or normalizing a client's text as a Swift string.
  package func isStreamSafe(upTo most: Int = 30) -> Bool {
    // Each takes at least two bytes.
    guard utf8.count > 2 * most else { return true }
    var count = 0
    for scalar in unicodeScalars {
      count = scalar.isCombining ? count + 1 : 0
      if count > most { return false }
    }
    return true
  }
}

extension Unicode.Scalar {
  /// Whether normalization may reorder the scalar; U+0300 is the first such scalar, and most text is below it.
  fileprivate var isCombining: Bool { value >= 0x300 && properties.canonicalCombiningClass != .notReordered }
}

extension String {
  /// The words of a name: its runs of letters and digits, also split at the humps of `camelCase`.
  ///
  /// With `splitsAcronyms`, a word also begins after a digit, and with the last letter of an acronym: `APIKey2ID` is `API`, `Key2`, `ID`.
  package func words(splitsAcronyms: Bool) -> [String] {
    let scalars = Array(unicodeScalars)
    var words: [String] = []
    var word = UnicodeScalarView()
    func end() {
      if !word.isEmpty { words.append(String(word)) }
      word = UnicodeScalarView()
    }
    for (index, scalar) in scalars.enumerated() {
      guard scalar.isWordPart else {
        end()
        continue
      }
      if scalar.isUpper, let before = word.last {
        let isHump =
          splitsAcronyms
          ? !before.isUpper || index + 1 < scalars.count && scalars[index + 1].isLower : before.isLower
        if isHump { end() }
      }
      word.append(scalar)
    }
    end()
    return words
  }
}

extension Unicode.Scalar {
  /// Reads Unicode's tables only beyond ASCII.
  fileprivate var isWordPart: Bool {
    switch value {
    case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
    default: !isASCII && properties.isXIDContinue && !properties.isDefaultIgnorableCodePoint
    }
  }

  fileprivate var isUpper: Bool { isASCII ? 0x41...0x5A ~= value : properties.isUppercase }
  fileprivate var isLower: Bool { isASCII ? 0x61...0x7A ~= value : properties.isLowercase }
}

extension Int {
  /// `1 event`, `2 events`.
  package func counted(_ noun: String, plural: String? = nil) -> String {
    "\(self) \(self == 1 ? noun : plural ?? noun + "s")"
  }
}

extension String {
  /// A Swift string literal; escapes invisible characters, and marks that join the preceding character.
  package var swiftLiteral: String {
    let isPlain = utf8.allSatisfy {
      0x20..<0x7F ~= $0 && $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "\\")
    }
    guard !isPlain else { return "\"\(self)\"" }
    var result = "\""
    for scalar in unicodeScalars {
      switch scalar {
      case "\"": result += "\\\""
      case "\\": result += "\\\\"
      case "\n": result += "\\n"
      case "\r": result += "\\r"
      case "\t": result += "\\t"
      default:
        let isInvisible =
          scalar.properties.isDefaultIgnorableCodePoint || scalar.properties.isWhitespace && scalar != " "
          || [
            .control, .format, .lineSeparator, .paragraphSeparator, .nonspacingMark, .spacingMark, .enclosingMark,
          ].contains(scalar.properties.generalCategory)
        result += isInvisible ? "\\u{\(String(scalar.value, radix: 16, uppercase: true))}" : String(scalar)
      }
    }
    return result + "\""
  }
}
