extension String {
  /// The text with a placeholder for each time, because times and the width of their column differ from run to run.
  package var timeless: String {
    replacing(/[0-9.]+ m?s (after|before)/) { "N ms \($0.1)" }.replacing(/[+-][0-9.]+ m?s +/, with: "+N ms  ")
  }
}

extension String {
  /// A failure on one line, with a shortened path in the place where its first line shortens it.
  package var withPathsInFull: String {
    let text = replacing("\n", with: " ")
    guard let full = text.firstMatch(of: /\ In full: (\S+)$/) else { return text }
    let first = text[..<full.range.lowerBound]
    return String(first.replacing(/\S+ … \(of \d+\) … \S+/, with: full.output.1, maxReplacements: 1))
  }
}
