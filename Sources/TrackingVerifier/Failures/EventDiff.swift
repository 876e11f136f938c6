import TrackingModel

/// How an event differs from the one that was asked for, line by line: `-` for what was expected, `+` for what arrived.
///
/// What is equal is folded away, and what only looks equal is explained.
enum EventDiff {
  static func lines(for event: TrackingEvent, _ mismatch: EventMismatch) -> [String] {
    var lines: [String] = []
    if !mismatch.differences.contains(where: \.isName) {
      lines.append("  \(event.name)")
    }
    for difference in mismatch.differences {
      lines += self.lines(for: difference)
    }
    if mismatch.equalParams > 0 {
      lines.append("  (\(Excerpt.count(mismatch.equalParams, "equal param")))")
    }
    if mismatch.differences.contains(where: \.isOfWholeEvent) {
      lines += event.params.sorted { $0.key < $1.key }.map { "  \($0.key): \($0.value)" }
    }
    return lines.map { Excerpt.of($0, width: Excerpt.columns - 4) }
  }

  private static func lines(for difference: EventMismatch.Difference) -> [String] {
    switch difference {
    case .name(let expected, let found):
      ["- \(expected)", "+ \(found)"]
    case .value(let path, let expected, let found):
      ["- \(path): \(expected)", "+ \(path): \(found)\(note(expected, found))"]
    case .missing(let path, let expected):
      ["- \(path): \(expected)"]
    case .extra(let path, let found):
      ["+ \(path): \(found)"]
    case .condition(let description):
      ["- \(description)"]
    case .schema(let reason):
      ["- \(reason)"]
    }
  }

  /// What the eye might miss: `"3"` is not 3.
  private static func note(_ expected: TrackingValue, _ found: TrackingValue) -> String {
    guard expected.kind != found.kind else { return "" }
    return "   (\(found.kind), expected \(expected.kind))"
  }
}

extension EventMismatch.Difference {
  fileprivate var isName: Bool {
    if case .name = self { true } else { false }
  }

  /// Whether it says nothing about single params, so that all of them are worth seeing.
  fileprivate var isOfWholeEvent: Bool {
    switch self {
    case .condition, .schema: true
    case .name, .value, .missing, .extra: false
    }
  }
}
