import Foundation
import TrackingPlan

enum DraftCommand: PlanCommand {
  static let name = "draft"
  static let abstract = "Drafts a plan from the tests' observations, or adds missing events and params to a plan."
  static let usage = "FOLDER... [--update PLAN] [--name NAME] [--output FILE]"
  static let details = """
    FOLDER is the value of TRACKING_OBSERVATIONS. A number is an integer if all its values were, a param is optional if it was ever
    absent, and a string is an enum if at least 30 events had at most 12 values. Everything new is marked "draft": true, which
    `check` reports until you remove it.

      --update PLAN      adds new events and params to this plan and changes nothing else
      --name NAME        the name of a new plan
      --output FILE      the file to write; standard output by default, the plan itself with --update
    """
  static let syntax = Arguments.Syntax(operands: ["FOLDER..."], options: ["--update", "--name", "--output"])

  static func run(_ arguments: Arguments, output: CommandLineTool.Output) throws -> [String] {
    let draft = PlanDraft(of: ObservedEvents(try CoverageCommand.contents(of: arguments.operands)))
    guard let path = arguments["--update"] else {
      let text = draft.plan(named: arguments["--name"] ?? "Events")
      if let file = arguments["--output"] { try write(text, to: file) } else { output.standard(text) }
      return []
    }
    guard let data = FileManager.default.contents(atPath: path) else {
      throw UsageError("--update: \(path) can't be read")
    }
    let text = try draft.update(try plan(at: path, arguments), text: [UInt8](data))
    try write(text, to: arguments["--output"] ?? path)
    return []
  }
}
