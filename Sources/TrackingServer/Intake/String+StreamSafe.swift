extension String {
  /// Whether no more than 30 combining characters follow one another (UAX #15, Stream-Safe Text Format).
  ///
  /// Hashing and comparing a string put such characters in their canonical order, in time that grows with the square of their number: of a key
  /// of 160 KB, seconds.
  var isStreamSafe: Bool {
    // None of them takes less than two bytes.
    guard utf8.count > 60 else { return true }
    var count = 0
    for scalar in unicodeScalars {
      count = scalar.properties.canonicalCombiningClass == .notReordered ? 0 : count + 1
      if count > 30 { return false }
    }
    return true
  }
}
