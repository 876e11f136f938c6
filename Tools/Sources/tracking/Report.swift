import ArgumentParser
import Foundation
import TrackingInspector
import TrackingModel
import TrackingPlanKit

struct Report: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "report",
    abstract: "Writes a session.json as an HTML file, JUnit XML or Markdown.",
    usage: "tracking report <session> [<options>]",
    discussion: """
      The HTML file opens from disk, without a server. `tracking plan check` checks a session against a plan.

      Examples:
        tracking report session.json --output report.html
        tracking report session.json --junit --output results.xml
        tracking report session.json --markdown >> "$GITHUB_STEP_SUMMARY"
      """)

  @Argument(
    help: "A session.json of `tracking serve --save`, or attached to a failed test.",
    completion: .file(extensions: ["json"]))
  var session: String

  @Option(
    name: .shortAndLong,
    help: ArgumentHelp(
      "The file to write, or - for standard output; by default report.html, or - for JUnit and Markdown.",
      valueName: "file"),
    completion: .file())
  var output: String?

  @Flag(help: "Writes JUnit XML: a test case with each failure and each finding.")
  var junit = false

  @Flag(help: "Writes Markdown: failures, problems with entries, events by name.")
  var markdown = false

  @Flag(help: "Writes JSON: title, the numbers of entries, events, failures and findings, and the report's path.")
  var json = false

  func validate() throws {
    if junit, markdown { throw ValidationError("--junit and --markdown are two reports; ask for one") }
    if json, output == "-" || output == nil && (junit || markdown) {
      throw ValidationError("--json and the report can't both go to standard output; name a file with --output")
    }
  }

  func run() throws {
    let data: Data
    do {
      data = try SessionFile.data(at: session)
    } catch {
      throw refusal("tracking report: \(error)")
    }
    let summary = try SessionSummary(data, at: session)
    let text = junit ? summary.junit : markdown ? summary.markdown : InspectorReport.html(session: data)
    let path = output ?? (junit || markdown ? "-" : "report.html")
    if path != "-" {
      do {
        try Data(text.utf8).write(to: URL(fileURLWithPath: path))
      } catch {
        throw refusal("tracking report: \(path) can't be written: \(CommandLineTool.fileReason(of: error))")
      }
    } else {
      Output.document(text)
    }
    if json {
      showJSON(summary.counts(report: path), pretty: true)
    } else if path != "-" {
      say("The report is in \(path).")
    }
  }
}
