/// The form of a report that compares two plans or two runs.
package enum ReportForm: String, CaseIterable, Sendable {
  case text, markdown, json

  /// The options that choose it, for the commands that print such a report.
  static let options = [formOption, jsonOption]

  private static let formOption = CommandOption.value(
    "--report", "form", "The form of the report: text (default), markdown, json.",
    completion: .words(allCases.map(\.rawValue)))
  private static let jsonOption = CommandOption.flag("--json", "Writes JSON: the report, as --report json does.")

  /// The form that a command line asks for; text unless it says otherwise.
  init(_ arguments: Arguments) {
    self = arguments[Self.formOption].flatMap(Self.init(rawValue:)) ?? (arguments.has(Self.jsonOption) ? .json : .text)
  }
}

/// Texts of an app in Markdown, where they must not be read as markup.
enum MarkdownText {
  /// The text as code, also in a cell of a table.
  static func code(_ text: String) -> String {
    "`\(text.replacing("`", with: "'").replacing("|", with: "\\|"))`"
  }

  /// The text with its marks escaped.
  static func escaped(_ text: some StringProtocol) -> String {
    text.map { "\\`*_{}[]<>#|".contains($0) ? "\\\($0)" : "\($0)" }.joined()
  }
}
