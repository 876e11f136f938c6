/// Finds the known name that a misspelt one most likely stands for.
package enum NearestName {
  /// Returns the candidate with the smallest edit distance; `nil` if even that one is too different.
  package static func of(_ name: String, among candidates: some Sequence<String>) -> String? {
    let letters = Array(name.shortenedForComparison.unicodeScalars)
    let most = max(1, (letters.count + 1) / 3)
    var best: (name: String, distance: Int)?
    for candidate in candidates where candidate != name {
      let others = Array(candidate.shortenedForComparison.unicodeScalars)
      guard abs(others.count - letters.count) <= min(most, (best?.distance ?? .max) - 1) else { continue }
      let distance = edits(letters, others)
      if distance <= most, distance < best?.distance ?? .max { best = (candidate, distance) }
    }
    return best?.name
  }

  /// The edit distance: insertions, deletions, replacements and swaps of adjacent characters.
  private static func edits(_ left: [Unicode.Scalar], _ right: [Unicode.Scalar]) -> Int {
    guard !left.isEmpty, !right.isEmpty else { return max(left.count, right.count) }
    var beforeLast = [Int](repeating: 0, count: right.count + 1)
    var last = Array(0...right.count)
    for row in 1...left.count {
      var current = [row]
      for column in 1...right.count {
        let replaced = last[column - 1] + (left[row - 1] == right[column - 1] ? 0 : 1)
        var least = min(replaced, last[column] + 1, current[column - 1] + 1)
        if row > 1, column > 1, left[row - 1] == right[column - 2], left[row - 2] == right[column - 1] {
          least = min(least, beforeLast[column - 2] + 1)
        }
        current.append(least)
      }
      (beforeLast, last) = (last, current)
    }
    return last[right.count]
  }
}

extension String {
  /// The first 100 code points, without case and separators, which are the most common mistakes.
  fileprivate var shortenedForComparison: String {
    let plain = unicodeScalars.prefix(100).filter { !["_", "-", " ", "."].contains($0) }
    return String(String.UnicodeScalarView(plain)).lowercased()
  }
}
