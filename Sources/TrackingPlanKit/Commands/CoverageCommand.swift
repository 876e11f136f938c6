import Foundation
import TrackingPlan

enum CoverageCommand: PlanCommand {
  static let name = "coverage"
  static let abstract = "Says which planned events, params and values any test has seen."
  static let usage = "--plan PLAN FOLDER... [options]"
  static let details = """
    FOLDER holds what the tests have observed; name it to them as TRACKING_OBSERVATIONS. Files of several processes and
    machines are merged, in any order.

      --plan PLAN        the plan: a file, or a folder of files
      --source NAME      only events that are planned for this source, such as iOS
      --plan-format F    how the plan is written: \(PlanFormat.allCases.map(\.rawValue).joined(separator: ", "))
      --minimum N        fails below N percent; of events, or as events=N, verified=N, params=N, values=N; may repeat
      --baseline FILE    fails if something is no longer covered that was in this JSON report
      --format FORM      of the report on standard output: text (usual), markdown, json, lcov, github
      --text FILE, --markdown FILE, --json FILE, --lcov FILE
                         writes that form to a file, too
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
          "--format: \"\(name)\" is no form of a report\(nearest ?? "; expected one of \(names.joined(separator: ", "))")"
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

  /// All folders' observations; none at all is a mistake and not a coverage of nothing.
  static func contents(of folders: [String]) throws(PlanError) -> ObservationFolder.Contents {
    var all = ObservationFolder.Contents()
    for folder in folders {
      try all.add(ObservationFolder(URL(fileURLWithPath: folder)))
    }
    guard !all.observations.isEmpty else {
      throw PlanError(
        file: folders.joined(separator: ", "),
        reason:
          "holds no observations; run the tests with TRACKING_OBSERVATIONS set to this folder, and with the product TrackingPlan linked"
      )
    }
    return all
  }
}
