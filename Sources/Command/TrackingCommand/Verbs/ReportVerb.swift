import Foundation
import TrackingInspector
import TrackingJSON
import TrackingModel
import TrackingPlan

extension Verb {
  static let report = Verb(
    name: "report",
    abstract: "Writes a session.json as an HTML file or as Markdown.",
    usage: ["<session> [<options>]"],
    discussion: "The HTML file opens from disk, without a server. `tracking check` checks a session against a plan.",
    examples: [
      "tracking report session.json --output report.html",
      "tracking report session.json --markdown >> \"$GITHUB_STEP_SUMMARY\"",
    ],
    operands: .init(names: ["session"], help: "A session.json of `serve --save`, or attached to a failed test."),
    options: [file, markdown, numbers]
  ) { arguments, output in
    let isMarkdown = arguments.has(markdown)
    let path = arguments[file] ?? (isMarkdown ? "-" : "report.html")
    guard path != "-" || !arguments.has(numbers) else {
      throw UsageError("--json and the report can't both go to standard output; name a file with --output")
    }
    let data = try SessionFile.data(at: arguments.operands[0])
    let report = try SessionFile(data, name: arguments.operands[0]).report
    try output.write(isMarkdown ? report.text(as: .markdown) : InspectorReport.html(session: data), to: path)
    guard arguments.has(numbers) else {
      if path != "-" { output.say("The report is in \(path).") }
      return .success
    }
    try output.json(JSONTree(of: report.value).adding([.init("report", JSONTree(path))]))
    return .success
  }

  private static let file = VerbOption.value(
    "--output", "file", "The file to write, or - for standard output; by default report.html, or - for Markdown.",
    letter: "o")
  private static let markdown = VerbOption.flag(
    "--markdown", "Writes Markdown: failures, problems with entries, events by name.")
  private static let numbers = VerbOption.flag(
    "--json", "Writes JSON: title, the numbers of entries, events, failures and findings, and the report's path.")
}
