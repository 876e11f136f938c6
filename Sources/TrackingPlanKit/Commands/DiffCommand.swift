import Foundation
import TrackingPlan

enum DiffCommand: PlanCommand {
  static let name = "diff"
  static let abstract = "Reports whether a change to the plan breaks apps in the field or the use of the data."
  static let usage = "OLD NEW [options]"
  static let details = """
    OLD and NEW are plans; `-` reads one from standard input, as in `git show main:plan.json | tracking-plan diff - plan.json`.

    Compares each event in two directions. Apps in the field: is every event that was valid still valid? Data: was every event that
    is valid now valid before, so that existing reports understand it? Where this can't be decided, the report says "cannot tell".

      --fail-on WHO      fails if a change breaks or may break: apps, data or any
      --report FORM      text (default), markdown, json
      --json             the same as --report json
    \(planHelp)
    """
  static let syntax = Arguments.Syntax(
    operands: ["OLD", "NEW"], options: planOptions + ["--fail-on", "--report"], flags: ["--json"])

  static func run(_ arguments: Arguments, output: CommandLineTool.Output) throws -> [String] {
    let names = PlanDiff.Form.allCases.map(\.rawValue)
    guard let form = PlanDiff.Form(rawValue: arguments["--report"] ?? (arguments.has("--json") ? "json" : "text"))
    else {
      throw UsageError(
        "--report: \"\(arguments["--report"] ?? "")\" is not a report format; expected one of \(names.joined(separator: ", "))"
      )
    }
    if let who = arguments["--fail-on"], !["apps", "data", "any"].contains(who) {
      throw UsageError("--fail-on: \"\(who)\" is unknown; expected apps, data or any")
    }
    if arguments.operands == ["-", "-"] { throw UsageError("only one plan can come from standard input") }
    let old = try plan(at: arguments.operands[0], arguments)
    let diff = PlanDiff(from: old, to: try plan(at: arguments.operands[1], arguments))
    try output.standard(diff.report(as: form))
    let who = arguments["--fail-on"]
    let failing = diff.events.filter { event in
      who == "apps" && event.apps.verdict != .fine || who == "data" && event.data.verdict != .fine
        || who == "any" && (event.apps.verdict != .fine || event.data.verdict != .fine)
    }
    return failing.isEmpty
      ? []
      : [
        "\(failing.count.counted("event")) changed in a way that breaks or may break \(who == "any" ? "apps or data" : who ?? ""): \(failing.map(\.name).joined(separator: ", "))"
      ]
  }
}
