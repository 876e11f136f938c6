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
