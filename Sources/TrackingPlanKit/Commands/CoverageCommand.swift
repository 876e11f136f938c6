import Foundation
import TrackingModel
import TrackingPlan

enum CoverageCommand: PlanCommand {
  static let name = "coverage"
  static let abstract = "Reports which planned events, params and values tests have seen."
  static let usage = "--plan PLAN FOLDER|SESSION... [options]"
  static let details = """
    FOLDER contains the tests' observations; set TRACKING_OBSERVATIONS to it when you run them. Files from several processes and
    machines are merged, in any order. SESSION is a session.json, of `tracking serve --save` or a test.

      --plan PLAN        the plan: a file, or a folder of files
      --minimum N        fails below N percent of the events; also events=N, verified=N, params=N, values=N; may repeat
      --baseline FILE    fails if something that this JSON report covers is no longer covered
      --report FORM      the form of the report on standard output: \(forms.joined(separator: ", "))
      --json             the same as --report json
      --output FILE      also writes the report to a file, in the form that its ending says: .txt, .md, .json,
                         .lcov or .info; may repeat
    \(planHelp)
    """
  static let syntax = Arguments.Syntax(
    operands: ["FOLDER..."], options: planOptions + ["--plan", "--minimum", "--baseline", "--report", "--output"],
    flags: ["--json"])

  private static let forms = CoverageFormat.allCases.map(\.rawValue)
  private static let endings: [String: CoverageFormat] = [
    "txt": .text, "md": .markdown, "json": .json, "lcov": .lcov, "info": .lcov,
  ]

  static func run(_ arguments: Arguments, output: CommandLineTool.Output) throws -> [String] {
    guard let path = arguments["--plan"] else { throw UsageError("--plan is missing") }
    let name = arguments["--report"] ?? (arguments.has("--json") ? "json" : "text")
    guard let form = CoverageFormat(rawValue: name) else {
      let nearest = EditDistance.nearest(to: name, among: forms).map { "; the nearest is \($0)" }
      throw UsageError(
        "--report: \"\(name)\" is not a form of reports\(nearest ?? "; expected one of \(forms.joined(separator: ", "))")"
      )
    }
    let files = try arguments.all("--output").map { file throws(UsageError) in
      guard let format = endings[URL(fileURLWithPath: file).pathExtension.lowercased()] else {
        throw UsageError(
          "--output: \(file) must end in .txt, .md, .json, .lcov or .info, which says the form of the report")
      }
      return (file, format)
    }
    var gate = CoverageGate()
    for minimum in arguments.all("--minimum") { try gate.add(minimum: minimum) }
    if let baseline = arguments["--baseline"] { try gate.read(baseline: baseline) }
    let plan = try plan(at: path, arguments)
    let coverage = Coverage(of: plan, by: ObservedEvents(try contents(of: arguments.operands)))
    for (file, format) in files { try write(coverage.report(as: format), to: file) }
    try output.standard(coverage.report(as: form))
    return gate.failures(of: coverage)
  }

  /// Returns the observations in folders and sessions; throws if there are none, which is a mistake rather than a coverage of zero.
  static func contents(of paths: [String]) throws(PlanError) -> ObservationFolder.Contents {
    var all = ObservationFolder.Contents()
    for path in paths {
      var isFolder: ObjCBool = false
      if FileManager.default.fileExists(atPath: path, isDirectory: &isFolder), !isFolder.boolValue {
        let session = try SessionFile(contentsOf: path)
        guard !session.events.isEmpty else { throw PlanError(file: path, reason: "contains no events") }
        all.add(session.observation)
      } else {
        try all.add(ObservationFolder(URL(fileURLWithPath: path)))
      }
    }
    guard !all.observations.isEmpty else {
      throw PlanError(
        file: paths.joined(separator: ", "),
        reason:
          "contains no observations; run the tests with TRACKING_OBSERVATIONS set to this folder, and with the product TrackingPlan linked"
      )
    }
    return all
  }
}
