package enum EditDistance {
  /// In Unicode scalars; only the starts of longer texts are compared.
  private static let longest = 64

  /// The edit distance divided by the length of the longer text: from 0 for equal texts to 1 for texts with nothing in common.
  package static func share(_ left: String, _ right: String) -> Double {
    if left.isSameText(as: right) { return 0 }
    // Otherwise each accent of another Unicode normalization would count as a letter.
    if left.isStreamSafe(), right.isStreamSafe(), left == right { return 0.01 }
    let left = Array(left.unicodeScalars.prefix(longest))
    let right = Array(right.unicodeScalars.prefix(longest))
    // Long texts with equal starts still differ a little.
    return max(Double(distance(left, right)) / Double(max(left.count, right.count, 1)), 0.01)
  }

  /// The largest share that counts as a misspelling.
  package static let misspelt = 0.3

  package static func isNear(_ name: String, _ other: String) -> Bool { share(ofNames: name, other) <= misspelt }

  package static func isWithin(_ most: Int, of left: String, _ right: String) -> Bool {
    let (left, right) = (Array(left.unicodeScalars.prefix(longest)), Array(right.unicodeScalars.prefix(longest)))
    return abs(left.count - right.count) <= most && distance(left, right) <= most
  }

  /// The share of two names that differs, ignoring case and separators: `productId` equals `product_id`.
  package static func share(ofNames left: String, _ right: String) -> Double {
    share(String(joined(left)), String(joined(right)))
  }

  /// The candidate nearest to a misspelled name; `nil` if more than a third of the letters differ.
  package static func nearest(to name: String, among candidates: some Sequence<String>) -> String? {
    let letters = Array(joined(name))
    let most = max(1, (letters.count + 1) / 3)
    var best: (name: String, distance: Int)?
    for candidate in candidates where candidate != name {
      let others = Array(joined(candidate))
      guard abs(others.count - letters.count) <= min(most, (best?.distance ?? .max) - 1) else { continue }
      let distance = distance(letters, others)
      if distance <= most, distance < best?.distance ?? .max { best = (candidate, distance) }
    }
    return best?.name
  }

  /// The end of a message about an unknown name: the nearest candidate or, if none is near, all of them.
  package static func hint(for name: String, among candidates: [String], quote: String = "") -> String {
    nearest(to: name, among: candidates).map { "; the nearest is \(quote)\($0)\(quote)" }
      ?? "; expected one of \(candidates.joined(separator: ", "))"
  }

  /// A name without case and separators, the most common mistakes.
  private static func joined(_ name: String) -> String.UnicodeScalarView {
    // By scalars, because one character may be as long as a whole body.
    let start = String(String.UnicodeScalarView(name.unicodeScalars.prefix(2 * longest)))
    return String.UnicodeScalarView(start.lowercased().unicodeScalars.filter { !"_- .".unicodeScalars.contains($0) })
  }

  /// The number of insertions, deletions, replacements and swaps of adjacent scalars.
  private static func distance(_ left: [Unicode.Scalar], _ right: [Unicode.Scalar]) -> Int {
    guard !left.isEmpty, !right.isEmpty else { return max(left.count, right.count) }
    var beforeLast = [Int](repeating: 0, count: right.count + 1)
    var last = Array(0...right.count)
    var current = last
    for row in 1...left.count {
      current[0] = row
      for column in 1...right.count {
        let replaced = last[column - 1] + (left[row - 1] == right[column - 1] ? 0 : 1)
        var least = min(replaced, last[column] + 1, current[column - 1] + 1)
        if row > 1, column > 1, left[row - 1] == right[column - 2], left[row - 2] == right[column - 1] {
          least = min(least, beforeLast[column - 2] + 1)
        }
        current[column] = least
      }
      (beforeLast, last, current) = (last, current, beforeLast)
    }
    return last[right.count]
  }
}
