/// Finds the name that somebody probably meant.
package enum NearestName {
  /// The candidate with the fewest edits; `nil` if even that one is another word.
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

  /// Insertions, deletions, replacements and swaps of neighbours that turn one text into the other.
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
  /// Case and separators are what people mix up first, so they count as nothing; and names are short.
  fileprivate var shortenedForComparison: String {
    let plain = unicodeScalars.prefix(100).filter { !["_", "-", " ", "."].contains($0) }
    return String(String.UnicodeScalarView(plain)).lowercased()
  }
}
