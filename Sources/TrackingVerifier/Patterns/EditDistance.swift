/// How much of one text must be changed to make it another.
enum EditDistance {
  /// Characters of a text that are looked at.
  private static let longest = 64

  /// The share of characters that differ, from 0 for equal texts to 1 for texts with nothing in common.
  ///
  /// Levenshtein's distance by the length of the longer text. Only the beginnings of long texts are compared.
  static func share(_ left: String, _ right: String) -> Double {
    if left == right { return 0 }
    let left = Array(left.prefix(longest))
    let right = Array(right.prefix(longest))
    guard !left.isEmpty, !right.isEmpty else { return 1 }
    var row = Array(0...right.count)
    for (index, character) in left.enumerated() {
      var diagonal = row[0]
      row[0] = index + 1
      for column in 1...right.count {
        let changed = diagonal + (character == right[column - 1] ? 0 : 1)
        diagonal = row[column]
        row[column] = min(changed, row[column] + 1, row[column - 1] + 1)
      }
    }
    // Equal beginnings of unequal texts still differ a little.
    return max(Double(row[right.count]) / Double(max(left.count, right.count)), 0.01)
  }
}
