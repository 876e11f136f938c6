import TrackingModel

/// A diff of two texts by lines, with three lines of context.
enum LineDifference {
  /// The largest number of removed and inserted lines that are shown, because the time and memory to find them grow with its square.
  static let mostChanges = 500

  static func text(from old: some Collection<UInt8>, to new: some Collection<UInt8>, named name: String) -> String {
    let header = "--- \(name)\n+++ \(name), generated from the plan\n"
    let (before, after) = (lines(of: old), lines(of: new))
    guard let (removed, inserted) = changes(from: before, to: after) else {
      return header
        + "more than \(mostChanges) lines differ: \(count(before).counted("line")) in the file, \(count(after)) from the plan\n"
    }
    var entries: [(mark: Character, line: ArraySlice<UInt8>)] = []
    var (left, right) = (0, 0)
    while left < before.count || right < after.count {
      if left < before.count, removed.contains(left) {
        entries.append(("-", before[left]))
        left += 1
      } else if right < after.count, inserted.contains(right) {
        entries.append(("+", after[right]))
        right += 1
      } else {
        entries.append((" ", before[left]))
        left += 1
        right += 1
      }
    }
    let changed = entries.indices.filter { entries[$0].mark != " " }
    let shown = Set(changed.flatMap { ($0 - 3)...($0 + 3) })
    var text = header
    var wasShown = false
    for (index, entry) in entries.enumerated() {
      defer { wasShown = shown.contains(index) }
      guard shown.contains(index) else { continue }
      if !wasShown { text += "@@\n" }
      text += "\(entry.mark)\(String(decoding: entry.line, as: UTF8.self))\n"
    }
    return text
  }

  /// The number of lines; a line feed ends a line and doesn't begin another one.
  private static func count(_ lines: [ArraySlice<UInt8>]) -> Int { lines.count - (lines.last?.isEmpty == true ? 1 : 0) }

  /// Lines are compared by their bytes: texts that Swift calls equal may be different files.
  private static func lines(of text: some Collection<UInt8>) -> [ArraySlice<UInt8>] {
    text.isEmpty ? [] : Array(text).split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
  }

  /// The indices of the removed and the inserted lines; `nil` if there are more than `mostChanges`.
  ///
  /// E. W. Myers, "An O(ND) Difference Algorithm and Its Variations", 1986.
  private static func changes(
    from before: [ArraySlice<UInt8>], to after: [ArraySlice<UInt8>]
  ) -> (removed: Set<Int>, inserted: Set<Int>)? {
    guard abs(before.count - after.count) <= mostChanges else { return nil }
    var numbers: [ArraySlice<UInt8>: Int] = [:]
    func number(_ line: ArraySlice<UInt8>) -> Int {
      let number = numbers[line, default: numbers.count]
      numbers[line] = number
      return number
    }
    let (old, new) = (before.map(number), after.map(number))
    // Before each round, the furthest index in `old` on the diagonals from -round - 1 to round + 1.
    var rounds = [[0, 0, 0]]
    /// Whether the path to a diagonal ends with an inserted line, and the index in `old` in front of the last line.
    func step(to diagonal: Int, in round: Int) -> (inserts: Bool, left: Int) {
      let (removing, inserting) = (rounds[round][diagonal + round], rounds[round][diagonal + round + 2])
      let inserts = diagonal == -round || diagonal != round && removing < inserting
      return (inserts, inserts ? inserting : removing)
    }
    for round in 0...mostChanges {
      var furthest = Array(repeating: 0, count: 2 * round + 5)
      for diagonal in stride(from: -round, through: round, by: 2) {
        let last = step(to: diagonal, in: round)
        var left = last.inserts ? last.left : last.left + 1
        while left < old.count, left - diagonal < new.count, old[left] == new[left - diagonal] { left += 1 }
        furthest[diagonal + round + 2] = left
        guard left >= old.count, left - diagonal >= new.count else { continue }
        return path(to: diagonal, in: round, step)
      }
      rounds.append(furthest)
    }
    return nil
  }

  /// The changes on the path to a diagonal, from the last to the first.
  private static func path(
    to diagonal: Int, in last: Int, _ step: (Int, Int) -> (inserts: Bool, left: Int)
  ) -> (removed: Set<Int>, inserted: Set<Int>) {
    var (removed, inserted): (Set<Int>, Set<Int>) = ([], [])
    var diagonal = diagonal
    for round in stride(from: last, to: 0, by: -1) {
      let (inserts, left) = step(diagonal, round)
      diagonal += inserts ? 1 : -1
      if inserts { inserted.insert(left - diagonal) } else { removed.insert(left) }
    }
    return (removed, inserted)
  }
}
