import Foundation
import TrackingPlan

enum CoverageCommand: PlanCommand {
  static let name = "coverage"
  static let abstract = "Reports which planned events, params and values the tests have seen."
  static let usage = "--plan PLAN FOLDER... [options]"
  static let details = """
    FOLDER contains the tests' observations; set TRACKING_OBSERVATIONS to it when you run them. Files from several processes and
    machines are merged, in any order.

      --plan PLAN        the plan: a file, or a folder of files
      --source NAME      reads only events that are planned for this source, such as iOS
      --plan-format F    the plan's format: \(PlanFormat.allCases.map(\.rawValue).joined(separator: ", "))
      --minimum N        fails below N percent of the events; also events=N, verified=N, params=N, values=N; may repeat
      --baseline FILE    fails if something that this JSON report covers is no longer covered
      --format FORM      the format of the report on standard output: text (default), markdown, json, lcov, github
      --text FILE, --markdown FILE, --json FILE, --lcov FILE
                         also writes the report to a file in that format
    """
  static let syntax = Arguments.Syntax(
    operands: ["FOLDER..."],
    options: ["--plan", "--plan-format", "--source", "--minimum", "--baseline", "--format"] + files.map(\.option))

  private static let files: [(option: String, format: CoverageFormat)] = [
    ("--text", .text), ("--markdown", .markdown), ("--json", .json), ("--lcov", .lcov),
  ]

  static func run(_ arguments: Arguments, output: CommandLineTool.Output) throws -> [String] {
    guard let path = arguments["--plan"] else { throw UsageError("--plan is missing") }
    var form = CoverageFormat.text
    if let name = arguments["--format"] {
      guard let known = CoverageFormat(rawValue: name) else {
        let names = CoverageFormat.allCases.map(\.rawValue)
        let nearest = NearestName.of(name, among: names).map { "; the nearest is \($0)" }
        throw UsageError(
          "--format: \"\(name)\" is not a report format\(nearest ?? "; expected one of \(names.joined(separator: ", "))")"
        )
      }
      form = known
    }
    var gate = CoverageGate()
    for minimum in arguments.all("--minimum") { try gate.add(minimum: minimum) }
    if let baseline = arguments["--baseline"] { try gate.read(baseline: baseline) }
    let plan = try plan(at: path, format: arguments["--plan-format"], arguments)
    let coverage = Coverage(of: plan, by: ObservedEvents(try contents(of: arguments.operands)))
    for (option, format) in files {
      if let file = arguments[option] { try write(coverage.report(as: format), to: file) }
    }
    output.standard(coverage.report(as: form))
    return gate.failures(of: coverage)
  }

  /// Returns the observations in all folders; throws if they are empty, which is a mistake rather than a coverage of zero.
  static func contents(of folders: [String]) throws(PlanError) -> ObservationFolder.Contents {
    var all = ObservationFolder.Contents()
    for folder in folders {
      try all.add(ObservationFolder(URL(fileURLWithPath: folder)))
    }
    guard !all.observations.isEmpty else {
      throw PlanError(
        file: folders.joined(separator: ", "),
        reason:
          "contains no observations; run the tests with TRACKING_OBSERVATIONS set to this folder, and with the product TrackingPlan linked"
      )
    }
    return all
  }
}
