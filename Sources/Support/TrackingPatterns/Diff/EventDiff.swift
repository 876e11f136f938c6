import Foundation
import TrackingModel

/// The differences between an event and a pattern as lines, `-` for expected and `+` for found; folds equal params and explains invisible
/// differences.
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
          ? "  (\(count.counted("equal param")))" : "  (\(count.counted("param")) as expected)")
    }
    if details.differences.contains(where: \.isOfWholeEvent) {
      let shown = Set(details.differences.compactMap(\.shownParam))
      lines += event.params.filter { !shown.contains($0.key) }.sorted { $0.key < $1.key }
        .flatMap { DiffLine(" ", $0.key.key, $0.value).lines }
    }
    return lines.map { Excerpt.of($0, width: DiffLine.width) }
  }

  /// The differences in a phrase that follows the event's number: `has a similar name: "checkout_strated"`, `differs in "screen"`.
  package static func summary(of mismatch: EventMismatch) -> String {
    let differences = mismatch.details.differences.map(\.untyped)
    for difference in differences {
      switch difference {
      case .name(let expected, let found):
        let name = "\(TrackingValue.string(found))"
        return EditDistance.isNear(found, expected) ? "has a similar name: \(name)" : "has another name: \(name)"
      case .process(_, let found): return "is from \(found.map { "the process \"\($0)\"" } ?? "an unknown process")"
      case .condition: return "fails the condition"
      case .rule(let path, let keyword, _, let reason):
        guard !path.isEmpty else { return "breaks the rule \(keyword): \(reason)" }
        return switch keyword {
        case "required": "has no \"\(path)\""
        case "additionalProperties": "has an extra \"\(path)\""
        default: "has \(path): \(reason)"
        }
      case .value, .unmet, .missing, .extra, .typed: continue
      }
    }
    func list(_ paths: [String]) -> String { paths.map { "\"\($0)\"" }.inWords(most: 3) }
    let missing = differences.compactMap { if case .missing(let path, _, nil) = $0 { path } else { nil } }
    let extra = differences.compactMap { if case .extra(let path, _) = $0 { path } else { nil } }
    if missing.count == differences.count { return "has no \(list(missing))" }
    if extra.count == differences.count { return "has an extra \(list(extra))" }
    if missing.count == 1, extra.count == 1, differences.count == 2 {
      return "has no \(list(missing)) but an extra \(list(extra))"
    }
    return "differs in \(list(differences.compactMap(\.path)))"
  }

  /// The expected params that differ: `screen: "cart"`.
  package static func expected(by mismatch: EventMismatch) -> [String] {
    mismatch.details.differences.map(\.untyped).compactMap { difference in
      switch difference {
      case .value(let path, let expected, _): "\(path): \(expected)"
      case .unmet(let path, let expected, _, _, _), .missing(let path, let expected, _): "\(path): \(expected)"
      case .name, .extra, .process, .condition, .rule, .typed: nil
      }
    }
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
      DiffLine("-", path, expected).lines + DiffLine("+", param.key, value, "has a similar name").lines
    case .missing(let path, let expected, .container(let container, let value)):
      DiffLine("-", path, expected).lines + DiffLine("+", container, value, "the path ends here").lines
    case .missing(let path, let expected, .members(let container, let names)):
      DiffLine("-", path, expected).lines
        + DiffLine("+", container, names.isEmpty ? "nothing" : "an object with \(names.joined(separator: ", "))").lines
    case .extra(let path, let found):
      DiffLine("+", path, found).lines
    case .process(let expected, let found):
      DiffLine("-", nil, "from the process \"\(expected)\"").lines
        + DiffLine("+", nil, found.map { "from the process \"\($0)\"" } ?? "from an unknown process").lines
    case .typed(.condition(let text)):
      // On several lines, because a decoding error ends with its reason.
      Excerpt.wrapped(
        "- " + Excerpt.of(VisibleText.of(text), width: 6 * DiffLine.width), width: DiffLine.width, indent: 4
      )
      .components(separatedBy: "\n")
    case .typed(let difference):
      lines(for: difference)
    case .rule(let path, let keyword, _, let reason):
      DiffLine("!", path.isEmpty ? nil : path, reason, keyword).lines
    case .condition(let text):
      DiffLine("-", nil, text).lines
    }
  }

  /// Shortens both texts around the first difference.
  private static func lines(_ path: String, expected: String, found: String) -> [String] {
    let window = TextWindow(expected, found, width: DiffLine.room(beside: path))
    let notes = [TextNote.of(found, expected: expected), window.note].compactMap(\.self)
    return DiffLine("-", path, window.expected).lines
      + DiffLine("+", path, window.found, notes.isEmpty ? nil : notes.joined(separator: "; ")).lines
  }

  /// Quotes a name that is empty, or has white space at an end.
  private static func name(_ name: String) -> String {
    let isPlain = !name.isEmpty && name.first?.isWhitespace == false && name.last?.isWhitespace == false
    return isPlain ? name : "\(TrackingValue.string(name))"
  }
}

extension EventDifference {
  /// The difference that a typed event has.
  fileprivate var untyped: EventDifference { if case .typed(let difference) = self { difference } else { self } }

  /// The path of the param that differs.
  fileprivate var path: String? {
    switch self {
    case .value(let path, _, _), .unmet(let path, _, _, _, _), .missing(let path, _, _), .extra(let path, _): path
    case .name, .process, .condition, .rule, .typed: nil
    }
  }

  fileprivate var isName: Bool {
    if case .name = self { true } else { false }
  }

  /// The param whose value the difference shows, if it concerns no other.
  fileprivate var shownParam: TrackingParam? {
    switch self {
    case .typed(.unmet(let path, _, _, _, _)): TrackingParam(stringLiteral: path)
    case .typed(.missing(_, _, .misspelt(let param, _))): param
    default: nil
    }
  }

  /// Whether the difference concerns no single param, or only one, so that the others are shown.
  fileprivate var isOfWholeEvent: Bool {
    switch self {
    case .condition, .typed: true
    case .name, .value, .unmet, .missing, .extra, .process, .rule: false
    }
  }
}

/// One value of a diff: its sign, its path, the value, and a note on an inconspicuous difference.
struct DiffLine {
  /// A line's width without the four columns by which a report indents a diff.
  static let width = Excerpt.columns - 4
  private static let longestPath = 40

  private let sign: Character
  private let path: String?
  private let text: String
  private let note: String?

  init(_ sign: Character, _ path: String?, _ text: String, _ note: String? = nil) {
    self.sign = sign
    self.path = path.map(Self.shown)
    self.text = VisibleText.of(text)
    self.note = note
  }

  init(_ sign: Character, _ path: String, _ value: TrackingValue, _ note: String? = nil) {
    self.init(sign, path, "\(value)", note)
  }

  static func room(beside path: String) -> Int {
    width - 4 - shown(path).count
  }

  /// Notes that don't fit follow on separate lines.
  var lines: [String] {
    let head = "\(sign) \(path.map { "\($0): " } ?? "")"
    let line = head + Excerpt.of(text, width: Self.width - head.count)
    guard let note else { return [line] }
    if line.count + note.count + 5 <= Self.width { return ["\(line)   (\(note))"] }
    return [line] + Self.wrapped("(\(note))").map { "    \($0)" }
  }

  private static func shown(_ path: String) -> String {
    Excerpt.of(VisibleText.of(path), width: longestPath)
  }

  private static func wrapped(_ text: String) -> [String] {
    text.split(separator: " ").reduce(into: []) { lines, word in
      if let last = lines.last, last.count + 1 + word.count <= width - 4 {
        lines[lines.count - 1] = "\(last) \(word)"
      } else {
        lines.append(String(word))
      }
    }
  }
}
