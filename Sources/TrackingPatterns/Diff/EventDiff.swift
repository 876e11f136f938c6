import TrackingModel

/// How an event differs from the one that was asked for, line by line: `-` for what was expected, `+` for what arrived.
///
/// What is equal is folded away, and what only looks equal is explained.
package enum EventDiff {
  package static func lines(for event: TrackingEvent, _ mismatch: EventMismatch) -> [String] {
    let details = mismatch.details
    let names = details.differences.filter(\.isName)
    var lines = names.isEmpty ? ["  \(VisibleText.of(event.name))"] : []
    for difference in names + details.differences.filter({ !$0.isName }) {
      lines += self.lines(for: difference)
    }
    if details.equalParams > 0 {
      let count = details.equalParams
      lines.append(
        details.isOfWholeEvent
          ? "  (\(Excerpt.count(count, "equal param")))" : "  (\(Excerpt.count(count, "param")) as expected)")
    }
    if details.differences.contains(where: \.isOfWholeEvent) {
      lines += event.params.sorted { $0.key < $1.key }.flatMap { DiffLine(" ", $0.key.key, $0.value).lines }
    }
    return lines.map { Excerpt.of($0, width: DiffLine.width) }
  }

  private static func lines(for difference: EventDifference) -> [String] {
    switch difference {
    case .name(let expected, let found):
      DiffLine("-", nil, name(expected)).lines
        + DiffLine("+", nil, name(found), TextNote.of(found, expected: expected)).lines
    case .value(let path, .string(let expected), .string(let found)):
      lines(path, expected: expected, found: found)
    case .value(let path, let expected, let found):
      DiffLine("-", path, expected).lines + DiffLine("+", path, found, ValueNote.of(found, expected: expected)).lines
    case .unmet(let path, let expected, let found, let note, _):
      DiffLine("-", path, expected).lines + DiffLine("+", path, found, note).lines
    case .missing(let path, let expected, nil):
      DiffLine("-", path, expected, expected == "null" ? "null is a value, and there is none" : nil).lines
    case .missing(let path, let expected, .misspelt(let param, let value)):
      DiffLine("-", path, expected).lines + DiffLine("+", param.key, value, "of nearly that name").lines
    case .missing(let path, let expected, .container(let container, let value)):
      DiffLine("-", path, expected).lines + DiffLine("+", container, value, "there the path ends").lines
    case .extra(let path, let found):
      DiffLine("+", path, found).lines
    case .condition(let text), .schema(let text):
      DiffLine("-", nil, text).lines
    }
  }

  /// Two texts, cut around the place where they part.
  private static func lines(_ path: String, expected: String, found: String) -> [String] {
    let window = TextWindow(expected, found, width: DiffLine.room(beside: path))
    let notes = [TextNote.of(found, expected: expected), window.note].compactMap(\.self)
    return DiffLine("-", path, window.expected).lines
      + DiffLine("+", path, window.found, notes.isEmpty ? nil : notes.joined(separator: "; ")).lines
  }

  /// A name as it is, unless it is nothing that one could see as a name.
  private static func name(_ name: String) -> String {
    let isPlain = !name.isEmpty && name.first?.isWhitespace == false && name.last?.isWhitespace == false
    return isPlain ? name : "\(TrackingValue.string(name))"
  }
}

extension EventDifference {
  fileprivate var isName: Bool {
    if case .name = self { true } else { false }
  }

  /// Whether it says nothing about single params, so that all of them are worth seeing.
  fileprivate var isOfWholeEvent: Bool {
    switch self {
    case .condition, .schema: true
    case .name, .value, .unmet, .missing, .extra: false
    }
  }
}
