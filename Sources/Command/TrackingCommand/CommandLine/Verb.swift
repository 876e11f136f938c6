/// A verb of the command: the single declaration for parser, help, hints and completions.
struct Verb: Sendable {
  let name: String
  /// One line for the list of verbs.
  let abstract: String
  /// The forms of the command line, without the program and the verb.
  let usage: [String]
  /// Paragraphs below the usage.
  var discussion = ""
  /// The reasons for exit status 1, as the end of a sentence; empty if it never ends with that.
  var findings = ""
  let examples: [String]
  var operands = VerbOperands.none
  let options: [VerbOption]
  /// Does the verb's work; throws the reason that it can't.
  let run: @Sendable (Arguments, Output) throws -> Status

  static let json = VerbOption.flag("--json", "Writes JSON: the whole response.")

  var usageLines: String {
    usage.enumerated().map { ($0 == 0 ? "usage: " : "       ") + "tracking \(name) \($1)" }.joined(separator: "\n")
  }

  /// The parts of the page of help.
  var help: [HelpPart] {
    let operand = operands.names.map { "<\($0)>" }.joined(separator: " ")
    let end = findings.isEmpty ? "" : "Exit status 1: \(findings)."
    return [
      .text(abstract), .lines(usageLines), .text([discussion, end].filter { !$0.isEmpty }.joined(separator: " ")),
    ]
      + [.rows((operand.isEmpty ? [] : [(operand, operands.help)]) + options.map { ($0.usage, $0.help) })]
      + [
        .lines(([examples.count == 1 ? "Example:" : "Examples:"] + examples.map { "  " + $0 }).joined(separator: "\n"))
      ]
  }
}

extension String {
  func padded(to width: Int) -> String { self + String(repeating: " ", count: max(width - count, 0)) }
}
