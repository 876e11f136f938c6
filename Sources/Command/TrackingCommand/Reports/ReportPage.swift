import Foundation
import TrackingModel

/// A report for people, written block by block: as Markdown, or as text for a terminal.
struct ReportPage {
  /// A column of a table, whose cells are numbers or text.
  struct Column {
    let title: String
    let isNumber: Bool

    static func text(_ title: String) -> Column { Column(title: title, isNumber: false) }
    static func number(_ title: String) -> Column { Column(title: title, isNumber: true) }
  }

  let isMarkdown: Bool
  /// The number of bytes left for lists, tables and code in Markdown.
  var room = Int.max
  private(set) var lines: [String] = []
  /// Whether the last lines of text are a list's, or paragraphs.
  private var isInList = false

  init(isMarkdown: Bool) { self.isMarkdown = isMarkdown }

  /// Adds a heading to Markdown; text has none.
  mutating func heading(_ text: ReportText, level: Int = 2) {
    if isMarkdown { add(String(repeating: "#", count: level) + " " + text.markdown) }
  }

  mutating func paragraph(_ text: ReportText) {
    if isMarkdown { add(text.markdown) } else { lines.append(text.plain.onOneLine) }
  }

  /// Adds a list, unless it is empty; its label is the title in text.
  mutating func list(_ label: String, _ title: ReportText, _ items: [ReportText], isFolded: Bool = false) {
    guard !isMarkdown, !items.isEmpty else {
      return add(title, items.map { "- \($0.markdown)" }, isFolded: isFolded)
    }
    if !isInList { lines.append("") }
    isInList = true
    for (index, item) in items.enumerated() {
      let start = (index == 0 ? label + ":" : "")
      lines.append(
        (start.padding(toLength: max(20, label.count + 2), withPad: " ", startingAt: 0) + item.plain).onOneLine)
    }
  }

  /// Adds a table, unless it is empty; the first column's title is only in Markdown.
  mutating func table(_ title: ReportText?, _ columns: [Column], _ rows: [[ReportText]], isFolded: Bool = false) {
    if isMarkdown {
      func row(_ cells: [String]) -> String { "|" + cells.map { $0.isEmpty ? " |" : " \($0) |" }.joined() }
      add(
        title, rows.map { row($0.map { $0.markdown.replacing("|", with: "\\|") }) }, isFolded: isFolded,
        head: [row(columns.map(\.title)), "|\(columns.map { $0.isNumber ? "---:|" : "---|" }.joined())"])
    } else if !rows.isEmpty {
      let width = min(40, rows.map { $0[0].plain.count }.max() ?? 0)
      lines.append("")
      for row in [[""] + columns.dropFirst().map { "\($0.title)" }] + rows {
        let cells = zip(row.map(\.plain), columns).enumerated().map { index, cell in
          let fill = max(0, (index == 0 ? width : cell.1.title.count) - cell.0.count)
          let space = String(repeating: " ", count: fill)
          return index == 0 ? cell.0 + space : cell.1.isNumber ? space + cell.0 : cell.0
        }
        lines.append(cells.joined(separator: "  ").onOneLine)
      }
    }
  }

  /// Adds verbatim texts to Markdown, each below its caption.
  mutating func code(_ title: ReportText, _ texts: [(caption: ReportText, text: String)]) {
    let blocks = texts.enumerated().map { index, part in
      // A fence longer than any in the text, so that the text can't end it.
      let longest = part.text.split(whereSeparator: { $0 != "`" }).map(\.count).max() ?? 0
      let fence = String(repeating: "`", count: max(longest + 1, 3))
      return "\(index > 0 ? "\n" : "")\(part.caption.markdown)\n\n\(fence)text\n\(part.text.printable)\n\(fence)"
    }
    add(title, blocks)
  }

  private mutating func add(_ line: String) { lines += (lines.isEmpty ? [] : [""]) + [line] }

  /// Adds the lines that fit, and one that counts the others.
  private mutating func add(_ title: ReportText?, _ items: [String], isFolded: Bool = false, head: [String] = []) {
    guard !items.isEmpty else { return }
    let shown = items.prefix { item in
      room -= item.utf8.count + 1
      return room > 0
    }
    if let title { add(isFolded ? "<details><summary>\(title.markdown)</summary>" : "**\(title.markdown)**") }
    lines += (lines.isEmpty ? [] : [""]) + head + shown
    if shown.count < items.count { add("\(items.count - shown.count) more left out") }
    if isFolded { add("</details>") }
  }
}
