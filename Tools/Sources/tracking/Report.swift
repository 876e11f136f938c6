import ArgumentParser
import Foundation
import TrackingInspector
import TrackingModel

struct Report: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Turns a session.json into one HTML file that opens from disk, or into JUnit XML or Markdown.",
    discussion: """
      Examples:
        tracking report session.json --output report.html
        tracking report session.json --junit --output results.xml
        tracking report session.json --markdown >> "$GITHUB_STEP_SUMMARY"
      """)

  @Argument(
    help: "A session.json: of `tracking serve --save`, or the attachment of a failed test.",
    completion: .file(extensions: ["json"]))
  var session: String

  @Option(
    name: .shortAndLong,
    help: "Where the report is written to; by default report.html, or standard output for JUnit and Markdown.",
    completion: .file())
  var output: String?

  @Flag(help: "Writes JUnit XML: one test case, with a failure for each failure and each finding.")
  var junit = false

  @Flag(help: "Writes Markdown: the failures, what is wrong with which entry, and the number of events by name.")
  var markdown = false

  @Flag(
    help:
      "Writes a summary as JSON to standard output: the numbers of events, failures and findings, and the report's path."
  )
  var json = false

  func validate() throws {
    if junit, markdown { throw ValidationError("--junit and --markdown are two reports; ask for one") }
    if json, junit || markdown, output == nil {
      throw ValidationError("--json and the report can't both go to standard output; name a file with --output")
    }
  }

  func run() throws {
    let data: Data
    do {
      data = try Data(contentsOf: URL(fileURLWithPath: session))
    } catch {
      throw refusal("tracking report: \(session) can't be read: \(error.localizedDescription)")
    }
    let summary = try SessionSummary(data, at: session)
    let (text, path): (String, String?) =
      if junit { (summary.junit, output) } else if markdown { (summary.markdown, output) } else {
        (InspectorReport.html(session: data), output ?? "report.html")
      }
    if let path {
      do {
        try Data(text.utf8).write(to: URL(fileURLWithPath: path))
      } catch {
        throw refusal("tracking report: \(path) can't be written: \(error.localizedDescription)")
      }
    } else {
      print(text, terminator: "")
    }
    if json { showJSON(summary.counts(report: path)) }
  }
}
