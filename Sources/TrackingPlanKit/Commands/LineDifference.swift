/// A diff of two texts by lines, with three lines of context.
enum LineDifference {
  static func text(from old: String, to new: String, named name: String) -> String {
    let (before, after) = (lines(of: old), lines(of: new))
    let difference = after.difference(from: before)
    var (removed, inserted): (Set<Int>, Set<Int>) = ([], [])
    for change in difference {
      switch change {
      case .remove(let offset, _, _): removed.insert(offset)
      case .insert(let offset, _, _): inserted.insert(offset)
      }
    }
    var entries: [(mark: Character, line: Substring)] = []
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
    var text = "--- \(name)\n+++ \(name), generated from the plan\n"
    var wasShown = false
    for (index, entry) in entries.enumerated() {
      defer { wasShown = shown.contains(index) }
      guard shown.contains(index) else { continue }
      if !wasShown { text += "@@\n" }
      text += "\(entry.mark)\(entry.line)\n"
    }
    return text
  }

  private static func lines(of text: String) -> [Substring] {
    text.isEmpty ? [] : text.split(separator: "\n", omittingEmptySubsequences: false)
  }
}
