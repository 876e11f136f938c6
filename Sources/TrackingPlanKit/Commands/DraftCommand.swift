import Foundation
import TrackingPlan

enum DraftCommand: PlanCommand {
  static let name = "draft"
  static let abstract = "Writes a first plan from what the tests have observed, or adds what a plan doesn't have."
  static let usage = "FOLDER... [--update PLAN] [--name NAME] [--output FILE]"
  static let details = """
    FOLDER is the one that TRACKING_OBSERVATIONS names. A number is an integer where all were whole, a param is optional where
    it was absent once, a text is an enumeration where at most 12 values came in at least 30 events. Every guess is marked
    "draft": true, which `check` reports until somebody has taken it out.

      --update PLAN      adds new events and params to this plan and leaves everything else as it is
      --name NAME        what a new plan calls itself
      --output FILE      where it is written to; standard output by default, the plan itself with --update
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
