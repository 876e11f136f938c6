import TrackingPatterns

/// A verb of the command: the only declaration from which parser, help, hints and completions come.
struct Verb: Sendable {
  /// The word for the verb.
  let name: String
  /// One line for the list of verbs.
  let abstract: String
  /// The forms of the command line, without the program and the verb.
  let usage: [String]
  /// Paragraphs below the usage.
  var discussion = ""
  /// Whole command lines.
  let examples: [String]
  /// The arguments that aren't options.
  var operands = VerbOperands.none
  /// The options, in the order of the help page.
  let options: [VerbOption]
  /// Does the verb's work, and throws the reason for which it can't.
  let run: @Sendable (Arguments, Output) throws -> Status

  static let json = VerbOption.flag("--json", "Writes JSON: the whole response.")

  var usageLines: String {
    usage.enumerated().map { ($0 == 0 ? "usage: " : "       ") + "tracking \(name) \($1)" }.joined(separator: "\n")
  }

  /// The page of help, on lines of 80 characters.
  var page: String {
    let operand = operands.names.map { "<\($0)>" }.joined(separator: " ")
    let rows = (operand.isEmpty ? [] : [(operand, operands.help)]) + options.map { ($0.usage, $0.help) }
    let parts =
      [Self.wrapped(abstract), usageLines]
      + discussion.components(separatedBy: "\n\n").filter { !$0.isEmpty }.map { Self.wrapped($0) }
      + [
        Self.table(rows),
        ([examples.count == 1 ? "Example:" : "Examples:"] + examples.map { "  " + $0 }).joined(separator: "\n"),
      ]
    return parts.joined(separator: "\n\n") + "\n"
  }

  private static func wrapped(_ text: String) -> String { Excerpt.wrapped(text, width: 80) }

  /// Names with their texts in a second column; a long name has its own line.
  static func table(_ rows: [(name: String, text: String)]) -> String {
    let width = rows.map(\.name.count).filter { $0 <= 22 }.max() ?? 0
    let margin = String(repeating: " ", count: width + 4)
    return rows.map { name, text in
      let lines = Excerpt.wrapped(text, width: 80 - width - 4).split(separator: "\n").map(String.init)
      let first = name.count > width ? "  \(name)\n\(margin)" : "  " + name.padded(to: width + 2)
      return first + lines.joined(separator: "\n\(margin)")
    }.joined(separator: "\n")
  }
}

extension String {
  /// The text with spaces up to a number of characters.
  func padded(to width: Int) -> String { self + String(repeating: " ", count: max(width - count, 0)) }
}
