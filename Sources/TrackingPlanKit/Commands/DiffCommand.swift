import Foundation
import TrackingPlan

enum DiffCommand: PlanCommand {
  static let name = "diff"
  static let abstract = "Says what a change of the plan means for apps in the field and for those who read the data."
  static let usage = "OLD NEW [options]"
  static let details = """
    OLD and NEW are plans; `-` reads one from standard input, as in `git show main:plan.json | tracking-plan diff - plan.json`.

    Asked twice of each event. Apps in the field: is each event that was right still right? Data: is each event that is right
    now one that reports know? Where that can't be told, it says so.

      --fail-on WHO      fails if something breaks or can't be told: apps, data or any
      --report FORM      text (usual), markdown, json
    \(planHelp)
    """
  static let syntax = Arguments.Syntax(operands: ["OLD", "NEW"], options: planOptions + ["--fail-on", "--report"])

  static func run(_ arguments: Arguments, output: CommandLineTool.Output) throws -> [String] {
    let names = PlanDiff.Form.allCases.map(\.rawValue)
    guard let form = PlanDiff.Form(rawValue: arguments["--report"] ?? "text") else {
      throw UsageError(
        "--report: \"\(arguments["--report"] ?? "")\" is no form; expected one of \(names.joined(separator: ", "))")
    }
    if let who = arguments["--fail-on"], !["apps", "data", "any"].contains(who) {
      throw UsageError("--fail-on: \"\(who)\" is none of apps, data, any")
    }
    if arguments.operands == ["-", "-"] { throw UsageError("only one plan can come from standard input") }
    let old = try plan(at: arguments.operands[0], arguments)
    let diff = PlanDiff(from: old, to: try plan(at: arguments.operands[1], arguments))
    output.standard(diff.report(as: form))
    let who = arguments["--fail-on"]
    let failing = diff.events.filter { event in
      who == "apps" && event.apps.verdict != .fine || who == "data" && event.data.verdict != .fine
        || who == "any" && (event.apps.verdict != .fine || event.data.verdict != .fine)
    }
    return failing.isEmpty
      ? []
      : [
        "\(failing.count) event\(failing.count == 1 ? "" : "s") changed in a way that breaks \(who == "any" ? "apps or data" : who ?? "") or can't be told: \(failing.map(\.name).joined(separator: ", "))"
      ]
  }
}
