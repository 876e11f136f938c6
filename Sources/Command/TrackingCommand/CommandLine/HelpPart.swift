import TrackingModel
import TrackingPatterns

/// A part of a page of help, which fits itself to the terminal.
enum HelpPart: Sendable {
  /// Paragraphs, between blank lines.
  case text(String)
  /// Lines to copy, which aren't broken.
  case lines(String)
  /// Lines to copy, each with its text below.
  case examples([(line: String, text: String)])
  /// Names with their texts in a second column.
  case rows([(name: String, text: String)])
  /// Rows with a title each, which share their columns.
  case groups([(title: String, rows: [(name: String, text: String)])])
  /// The names of articles with more.
  case articles([String])

  /// The folder of the articles, in the sources.
  static let articleFolder = "Sources/TrackingVerifier/TrackingVerifier.docc"

  /// The page on lines of at most `width` columns, but for lines to copy.
  static func page(_ parts: [HelpPart], width: Int) -> String {
    parts.map { $0.text(width) }.filter { !$0.isEmpty }.joined(separator: "\n\n") + "\n"
  }

  private func text(_ width: Int) -> String {
    switch self {
    case .text(let text):
      text.components(separatedBy: "\n\n").map { Excerpt.wrapped($0, width: width) }.joined(separator: "\n\n")
    case .lines(let text): text
    case .examples(let examples): Self.table(examples.map { ($0.line, $0.text) }, 0, width)
    case .rows(let rows): Self.table(rows, Self.column(rows), width)
    case .groups(let groups):
      groups.map { "\($0.title):\n\(Self.table($0.rows, Self.column(groups.flatMap(\.rows)), width))" }
        .joined(separator: "\n\n")
    case .articles(let names):
      Excerpt.wrapped(
        "More: \(names.map { "\($0).md" }.joined(separator: ", ")) in \(Self.articleFolder)", width: width)
    }
  }

  /// The width of the first column; a longer name has its own line.
  private static func column(_ rows: [(name: String, text: String)]) -> Int {
    rows.map(\.name.count).filter { $0 <= 22 }.max() ?? 0
  }

  private static func table(_ rows: [(name: String, text: String)], _ column: Int, _ width: Int) -> String {
    let margin = String(repeating: " ", count: column + 4)
    return rows.map { name, text in
      let lines = Excerpt.wrapped(text, width: width - column - 4).split(separator: "\n").map(String.init)
      let first = name.count > column ? "  \(name)\n\(margin)" : "  " + name.padded(to: column + 2)
      return first + lines.joined(separator: "\n\(margin)")
    }.joined(separator: "\n")
  }
}
