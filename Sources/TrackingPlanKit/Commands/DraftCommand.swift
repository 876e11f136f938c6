import Foundation
import TrackingJSON
import TrackingModel
import TrackingPlan

enum DraftCommand: PlanCommand {
  static let name = "draft"
  static let abstract = "Drafts a plan from the tests' observations, or adds missing events and params to a plan."
  static let usage = "FOLDER|SESSION... [--update PLAN] [--name NAME] [--output FILE]"
  static let details = """
    FOLDER is the value of TRACKING_OBSERVATIONS, SESSION a session.json of `tracking serve --save` or a test. A number is an
    integer if all its values were, a param is optional if it was ever absent, and a string is an enum if at least 30 events had at
    most 12 values. Everything new is marked "draft": true, which `check` reports until you remove it.

      --update PLAN      adds new events and params to this plan and changes nothing else
      --name NAME        the name of a new plan
      --output FILE      the file to write; standard output by default, the plan itself with --update
      --json             writes JSON about the file that was written: {"file": F, "events": [...], "params": [...]}, what was added
    """
  static let syntax = Arguments.Syntax(
    operands: ["FOLDER..."], options: ["--update", "--name", "--output"], flags: ["--json"])

  static func run(_ arguments: Arguments, output: CommandLineTool.Output) throws -> [String] {
    let (old, file) = (arguments["--update"], arguments["--output"] ?? arguments["--update"])
    guard file != nil || !arguments.has("--json") else {
      throw UsageError("--json and the plan can't both go to standard output; name the plan's file with --output")
    }
    let draft = PlanDraft(of: ObservedEvents(try CoverageCommand.contents(of: arguments.operands)))
    let plan = try old.map { try self.plan(at: $0, arguments) }
    let text: String
    if let plan, let old {
      guard let data = FileManager.default.contents(atPath: old) else {
        throw UsageError("--update: \(old) can't be read")
      }
      text = try draft.update(plan, text: [UInt8](data))
    } else {
      text = draft.plan(named: arguments["--name"] ?? "Events")
    }
    guard let file else {
      try output.standard(text)
      return []
    }
    try write(text, to: file)
    guard arguments.has("--json") else { return [] }
    let (events, params) = draft.additions(to: plan)
    try output.standard(
      JSONTree(of: [
        "file": .string(file), "events": .array(events.map { .string($0) }),
        "params": .array(params.map { .string("\($0.event).\($0.param)") }),
      ]).text(.lines) + "\n")
    return []
  }
}
