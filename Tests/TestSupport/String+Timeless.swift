extension String {
  /// The text with a placeholder for each time, because times and the width of their column differ from run to run.
  package var timeless: String {
    replacing(/[0-9.]+ m?s (after|before)/) { "N ms \($0.1)" }.replacing(/[+-][0-9.]+ m?s +/, with: "+N ms  ")
  }
}
