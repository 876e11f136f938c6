import Foundation
import TrackingModel

/// The differences between an event and a pattern as lines, `-` for expected and `+` for found; folds equal params and explains invisible
/// differences.
package enum EventDiff {
  package static func lines(for event: TrackingEvent, _ mismatch: EventMismatch) -> [String] {
    let details = mismatch.details
    let names = details.differences.filter { $0.kind == .name }
    var lines = names.isEmpty ? ["  \(VisibleText.of(event.name))"] : []
    for difference in names + details.differences.filter({ $0.kind != .name }) {
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

  /// The differences in a phrase that follows the event's number: `has a similar name: "checkout_strated"`, `has screen: "cart"`.
  ///
  /// - Parameter showsValue: Whether to show the value of the only difference.
  package static func summary(of mismatch: EventMismatch, showsValue: Bool = true) -> String {
    let differences = mismatch.differences
    if let phrase = differences.lazy.compactMap(phrase).first { return phrase }
    if showsValue, differences.count == 1, let phrase = foundPhrase(of: differences[0]) { return phrase }
    func list(_ differences: [Difference]) -> String { differences.map { "\"\($0.path)\"" }.inWords(most: 3) }
    let missing = differences.filter { $0.kind == .missing && !$0.isMisspelt }
    let extra = differences.filter { $0.kind == .extra }
    if missing.count == differences.count { return "has no \(list(missing))" }
    if extra.count == differences.count { return "has an extra \(list(extra))" }
    if missing.count == 1, extra.count == 1, differences.count == 2 {
      return "has no \(list(missing)) but an extra \(list(extra))"
    }
    return "differs in \(list(differences))"
  }

  /// The phrase of a difference that is named alone; `nil` for a value, which may be one of several.
  private static func phrase(for difference: Difference) -> String? {
    switch difference.kind {
    case .name:
      let found = TrackingValue.string(difference.foundText)
      return EditDistance.isNear(difference.foundText, difference.expected.plainText)
        ? "has a similar name: \(found)" : "has another name: \(found)"
    case .process: return "is from \(difference.found.map { "\"\($0.plainText)\"" } ?? "an unknown process")"
    case .condition: return "fails the condition"
    case .rule:
      let (path, keyword, reason) = (difference.path, difference.expected.plainText, difference.note ?? "")
      guard !path.isEmpty else { return "breaks the rule \(keyword): \(reason)" }
      return switch keyword {
      case "required": "has no \"\(path)\""
      case "additionalProperties": "has an extra \"\(path)\""
      default: "has \(path): \(reason)"
      }
    case .value, .missing, .extra, .part: return nil
    }
  }

  /// The phrase of the only difference, with what was found: `has quantity: "1"`, `has "orderId" instead of "order_id"`; `nil` if that is long, or
  /// looks like what is expected.
  private static func foundPhrase(of difference: Difference) -> String? {
    let path = VisibleText.of(difference.path)
    if case .misspelt(let param, _)? = difference.instead {
      return "has \"\(VisibleText.of(param.key))\" instead of \"\(path)\""
    }
    guard difference.kind == .value, let found = difference.found.map({ VisibleText.of("\($0)") }),
      found.count <= longestValue, found != VisibleText.of("\(difference.expected)")
    else { return nil }
    return "has \(path): \(found)"
  }

  /// The maximum length of a value in a phrase.
  private static let longestValue = 40

  /// The expected params that differ: `screen: "cart"`.
  package static func expected(by mismatch: EventMismatch) -> [Headline.Param] {
    mismatch.differences.filter { $0.kind == .value || $0.kind == .missing }
      .map { Headline.Param("\($0.path): \($0.expected)", at: $0.path) }
  }

  /// The expected process, if the event is from another one.
  package static func expectedProcess(by mismatch: EventMismatch) -> String? {
    mismatch.differences.first { $0.kind == .process }?.expected.plainText
  }

  private static func lines(for difference: Difference) -> [String] {
    let (path, expected, found) = (difference.path, difference.expected, difference.found)
    switch difference.kind {
    case .name:
      let (expected, found) = (expected.plainText, difference.foundText)
      return DiffLine("-", nil, name(expected)).lines
        + DiffLine("+", nil, name(found), TextNote.of(found, expected: expected)).lines
    case .value, .missing, .extra:
      if case (.value(.string(let expected)), .string(let found)?) = (expected, found) {
        return lines(path, expected: expected, found: found)
      }
      let note = found == nil && difference.instead == nil && expected == .value(.null)
      return
        (expected == .nothing
        ? [] : DiffLine("-", path, "\(expected)", note ? "null is a value, and there is none" : nil).lines)
        + (found.map { DiffLine("+", path, $0, difference.shownNote).lines } ?? [])
        + (difference.instead.map { lines(for: $0) } ?? [])
    case .process:
      return DiffLine("-", nil, "from the process \"\(expected.plainText)\"").lines
        + DiffLine("+", nil, "from \(difference.processWords)").lines
    case .condition where difference.isOfTypedEvent:
      // On several lines, because a decoding error ends with its reason.
      return Excerpt.wrapped(
        "- " + Excerpt.of(VisibleText.of("\(expected)"), width: 6 * DiffLine.width), width: DiffLine.width, indent: 4
      )
      .components(separatedBy: "\n")
    case .condition: return DiffLine("-", nil, "\(expected)").lines
    case .part: return DiffLine("!", path, difference.reason).lines
    case .rule: return DiffLine("!", path.isEmpty ? nil : path, difference.note ?? "", expected.plainText).lines
    }
  }

  private static func lines(for instead: Difference.Instead) -> [String] {
    switch instead {
    case .misspelt(let param, let value): DiffLine("+", param.key, value, "has a similar name").lines
    case .container(let path, let value): DiffLine("+", path, value, "the path ends here").lines
    case .members(let path, let names):
      DiffLine("+", path, names.isEmpty ? "nothing" : "an object with \(names.joined(separator: ", "))").lines
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

extension Difference {
  fileprivate var isMisspelt: Bool { if case .misspelt? = instead { true } else { false } }

  /// The param whose value the difference shows, if it concerns no other.
  fileprivate var shownParam: TrackingParam? {
    guard isOfTypedEvent else { return nil }
    if case .misspelt(let param, _)? = instead { return param }
    return kind == .value ? TrackingParam(stringLiteral: path) : nil
  }

  /// Whether the difference concerns no single param, or only one, so that the others are shown.
  fileprivate var isOfWholeEvent: Bool { kind == .condition || isOfTypedEvent }
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
