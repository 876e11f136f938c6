// To hash or compare a string puts combining characters that follow one another in their canonical order, in time that grows with the square of
// their number: 40,000 take most of a second, and a body of 64 MiB holds 800 times as many.

extension String {
  /// The most combining characters in a row that a text may have to be hashed and compared like others.
  ///
  /// Beyond what any script needs, and few enough for their order to cost less than the rest of a comparison.
  package static let mostCombiningCharacters = 100

  /// Whether no more than so many combining characters follow one another; by default as many as text in any language keeps to
  /// (UAX #15, Stream-Safe Text Format).
  package func isStreamSafe(upTo most: Int = 30) -> Bool {
    // None of them takes less than two bytes.
    guard utf8.count > 2 * most else { return true }
    var count = 0
    for scalar in unicodeScalars {
      count = scalar.isCombining ? count + 1 : 0
      if count > most { return false }
    }
    return true
  }

  /// Whether this text, which a client sent, is another one; by its bytes where more combining characters follow one another than can be put in
  /// order in good time.
  package func isSameText(as other: String) -> Bool {
    isStreamSafe(upTo: Self.mostCombiningCharacters) ? self == other : utf8.elementsEqual(other.utf8)
  }
}

extension Unicode.Scalar {
  /// Whether its place among its neighbours may change in canonical order.
  ///
  /// U+0300 is the first of them, and most text lies before it.
  package var isCombining: Bool { value >= 0x300 && properties.canonicalCombiningClass != .notReordered }
}
