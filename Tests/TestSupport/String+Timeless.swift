extension String {
  /// The text without its times, which differ from run to run, and so does the width of their column.
  package var timeless: String {
    replacing(/[0-9.]+ m?s (after|before)/) { "N ms \($0.1)" }.replacing(/[+-][0-9.]+ m?s +/, with: "+N ms  ")
  }
}
