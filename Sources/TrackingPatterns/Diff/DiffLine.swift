import TrackingModel

/// One value of a diff: its sign, its path, the value, and a note on what the eye might miss.
struct DiffLine {
  /// Columns, beside the four by which a report indents a diff.
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

  /// Columns for a value beside its path.
  static func room(beside path: String) -> Int {
    width - 4 - shown(path).count
  }

  /// The line; a note that has no room on it stands on lines of its own.
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
