/// How different two texts are.
package enum EditDistance {
  /// The Unicode scalars of a text that are compared.
  private static let longest = 64

  /// The share of scalars that differ, from 0 for equal texts to 1 for texts with nothing in common.
  ///
  /// Levenshtein's distance divided by the length of the longer text. Only the starts of long texts are compared.
  package static func share(_ left: String, _ right: String) -> Double {
    if left.isSameText(as: right) { return 0 }
    let left = Array(left.unicodeScalars.prefix(longest))
    let right = Array(right.unicodeScalars.prefix(longest))
    // Different texts with equal starts still differ a little.
    return max(Double(distance(left, right)) / Double(max(left.count, right.count, 1)), 0.01)
  }

  /// The largest share for which a name counts as a misspelt one.
  package static let misspelt = 0.3

  /// Whether one name may be the other one misspelt.
  package static func isNear(_ name: String, _ other: String) -> Bool { share(ofNames: name, other) <= misspelt }

  /// The share of two names that differs, without the way in which they join words: `productId` is `product_id`.
  package static func share(ofNames left: String, _ right: String) -> Double {
    // By scalars, because one character may be as long as a whole body.
    func letters(_ name: String) -> String {
      let start = String(String.UnicodeScalarView(name.unicodeScalars.prefix(2 * longest)))
      return String(
        String.UnicodeScalarView(start.lowercased().unicodeScalars.filter { !"_- ".unicodeScalars.contains($0) }))
    }
    return share(letters(left), letters(right))
  }

  private static func distance(_ left: [Unicode.Scalar], _ right: [Unicode.Scalar]) -> Int {
    guard !left.isEmpty, !right.isEmpty else { return max(left.count, right.count) }
    var row = Array(0...right.count)
    for (index, scalar) in left.enumerated() {
      var diagonal = row[0]
      row[0] = index + 1
      for column in 1...right.count {
        let changed = diagonal + (scalar == right[column - 1] ? 0 : 1)
        diagonal = row[column]
        row[column] = min(changed, row[column] + 1, row[column - 1] + 1)
      }
    }
    return row[right.count]
  }
}
