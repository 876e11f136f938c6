import Foundation
import TrackingJSON
import TrackingPlan

extension PlanCommand {
  static let draft = PlanCommand(
    name: "draft",
    abstract: "Drafts a plan from observed events, or adds to a plan what it lacks.",
    usage: ["<folder|session> ... [<options>]"],
    discussion: "Everything new is marked as a draft, which `check` reports until you remove the mark.",
    examples: [
      "TOOL draft session.json --name Shop --output tracking-plan.json",
      "TOOL draft .build/observed --update tracking-plan.json",
    ],
    operands: .init("folder", isList: true, help: "Folders of observations, and sessions."),
    options: [update, name, output, json], run: run)

  private static let update = CommandOption.value(
    "--update", "plan", "Adds new events and params to this plan.", completion: .file(["json"]))
  private static let name = CommandOption.value("--name", "name", "The name of a new plan.")
  private static let output = CommandOption.value(
    "--output", "file", "The file to write; by default, standard output or the plan to update.", letter: "o",
    completion: .file([]))
  private static let json = CommandOption.flag(
    "--json", "Writes JSON: the file that was written, and the events and params that were added.")

  private static func run(_ arguments: Arguments, output: CommandLineTool.Output) throws -> [String] {
    let old = arguments[update]
    let file = arguments[self.output] ?? old ?? "-"
    try PlanOptions.checkOutput(file, isJSON: arguments.has(json))
    let draft = PlanDraft(of: ObservedEvents(try .init(in: arguments.operands, allRuns: true)))
    let plan = try old.map { try PlanOptions.plan(at: $0, arguments) }
    let text: String
    if let plan, let old {
      guard let data = FileManager.default.contents(atPath: old) else {
        throw UsageError("--update: \(old) can't be read")
      }
      text = try draft.update(plan, text: [UInt8](data))
    } else {
      text = draft.plan(named: arguments[name] ?? "Events")
    }
    try output.write(text, to: file)
    guard arguments.has(json) else { return [] }
    let (events, params) = draft.additions(to: plan)
    try output.json([
      "events": JSONTree(of: events), "file": JSONTree(file),
      "params": JSONTree(of: params.map { "\($0.event).\($0.param)" }),
    ])
    return []
  }
}
