import ArgumentParser
import Foundation
import TrackingInspector
import TrackingModel
import TrackingPlanKit

struct Report: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "report",
    abstract:
      "Writes a session.json as an HTML file, JUnit XML or Markdown; or counts the tests that were checked against a plan.",
    usage: "tracking report <session> [<options>]\ntracking report --observations <folder> ... (--junit | --markdown)",
    discussion: """
      The HTML file opens from disk, without a server. `tracking plan check` checks a session against a plan. A folder of \
      observations is that of TRACKING_OBSERVATIONS (xcodebuild: TEST_RUNNER_TRACKING_OBSERVATIONS), or an export of `xcrun xcresulttool export attachments`.

      Examples:
        tracking report session.json --output report.html
        tracking report session.json --junit --output results.xml
        tracking report session.json --markdown >> "$GITHUB_STEP_SUMMARY"
        tracking report --observations .build/tracking --markdown
      """)

  @Argument(
    help: "A session.json of `tracking serve --save`, or attached to a failed test.",
    completion: .file(extensions: ["json"]))
  var session: String?

  @Option(
    help: ArgumentHelp("A folder of observations: counts tests that were checked against a plan.", valueName: "folder"),
    completion: .directory)
  var observations: [String] = []

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
    guard (session == nil) != observations.isEmpty else {
      throw ValidationError("name a session, or folders of observations with --observations")
    }
    if session == nil, !junit, !markdown, !json {
      throw ValidationError(
        "the HTML report is of a session; ask for --junit, --markdown or --json with --observations")
    }
    if junit, markdown { throw ValidationError("--junit and --markdown are two reports; ask for one") }
    if json, output == "-" || output == nil && (junit || markdown) {
      throw ValidationError("--json and the report can't both go to standard output; name a file with --output")
    }
  }

  func run() throws {
    let (data, report) = try refusing("report") {
      let data = try session.map { try SessionFile.data(at: $0) } ?? Data()
      return (data, try session.map { try SessionFile(data, name: $0).report } ?? CheckedTests(in: observations).report)
    }
    let isPage = session != nil && !junit && !markdown
    let path =
      isPage || junit || markdown
      ? try write(isPage ? InspectorReport.html(session: data) : report.text(as: junit ? .junit : .markdown)) : nil
    guard json, case .object(var value) = report.value else { return }
    value["report"] = path.map { .string($0) }
    showJSON(TrackingValue.object(value), pretty: true)
  }

  /// Writes the report to its file or to standard output.
  ///
  /// - Returns: The path, or - for standard output.
  private func write(_ text: String) throws -> String {
    let path = output ?? (junit || markdown ? "-" : "report.html")
    guard path != "-" else {
      Output.document(text)
      return path
    }
    do {
      try Data(text.utf8).write(to: URL(fileURLWithPath: path))
    } catch {
      throw refusal("tracking report: \(path) can't be written: \(CommandLineTool.fileReason(of: error))")
    }
    if !json { say("The report is in \(path).") }
    return path
  }
}
