import TrackingModel
import TrackingPlan

extension PlanCommand {
  static let diff = PlanCommand(
    name: "diff",
    abstract: "Reports whether a change of a plan breaks released apps or the use of the data.",
    usage: ["<old> <new> [<options>]"],
    discussion: """
      For apps: is every event that was valid still valid? For data: was every event that is valid now valid before? Where \
      this can't be proved, the report says "cannot tell". Exit status 1: a change breaks, or may break, what --fail-on names.
      """,
    examples: ["git show main:plan.json | TOOL diff - plan.json --fail-on apps"],
    operands: .init("old", "new", help: "The earlier and the later plan; - for standard input."),
    options: [DiffCommand.failOn] + PlanOptions.all + ReportForm.options, run: DiffCommand.run)
}

/// The command `diff`.
private enum DiffCommand {
  static let failOn = CommandOption.value(
    "--fail-on", "who", "Fails if a change breaks or may break apps, data or any.",
    completion: .words(["apps", "data", "any"]))

  static func run(_ arguments: Arguments, output: CommandLineTool.Output) throws -> [String] {
    if arguments.operands == ["-", "-"] { throw UsageError("only one plan can come from standard input") }
    let old = try PlanOptions.plan(at: arguments.operands[0], arguments)
    let diff = PlanDiff(from: old, to: try PlanOptions.plan(at: arguments.operands[1], arguments))
    let form = ReportForm(arguments)
    try output.standard(diff.report(as: form))
    guard let who = arguments[failOn] else { return [] }
    let failing = diff.events.filter { event in
      who != "data" && event.apps.verdict != .fine || who != "apps" && event.data.verdict != .fine
    }
    guard !failing.isEmpty else { return [] }
    return [
      "\(failing.count.counted("event")) changed in a way that breaks or may break "
        + "\(who == "any" ? "apps or data" : who): \(failing.map(\.name).joined(separator: ", "))"
    ]
  }
}
