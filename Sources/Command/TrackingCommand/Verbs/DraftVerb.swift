import TrackingJSON
import TrackingPlan

extension Verb {
  static let draft = Verb(
    name: "draft",
    abstract: "Drafts a plan from observed events, or what a plan lacks.",
    usage: ["<folder|session> ... [<options>]"],
    discussion: "Everything is marked as a draft, which `check` reports until you remove the mark.",
    examples: [
      "tracking draft session.json --name Shop --output tracking-plan.json",
      "tracking draft .build/observed --plan tracking-plan.json",
    ],
    operands: .init(names: ["folder"], isList: true, help: "Folders of observations or of sessions, and sessions."),
    options: [plan, name, output] + PlanOptions.all + [additions], run: run)

  private static let plan = VerbOption.value(
    "--plan", "plan", "Drafts only the events and params that this plan lacks.")
  private static let name = VerbOption.value("--name", "name", "The name of a new plan.")
  private static let output = VerbOption.value(
    "--output", "file", "The file to write; by default, standard output.", letter: "o")
  private static let additions = VerbOption.flag(
    "--json", "Writes JSON: the file that was written, and the events and params in it.")

  private static func run(_ arguments: Arguments, output: Output) throws -> Status {
    let file = arguments[self.output] ?? "-"
    guard file != "-" || !arguments.has(additions) else {
      throw UsageError("--json and the plan can't both go to standard output; name the plan's file with --output")
    }
    let plan = try arguments[plan].map { path throws(PlanError) in try PlanOptions.plan(at: path, arguments) }
    let draft = PlanDraft(of: ObservedEvents(try .init(in: arguments.operands, allRuns: true)), lackedBy: plan)
    for note in draft.notes { output.say("tracking draft: \(note)") }
    try output.write(draft.text(named: arguments[name] ?? plan?.name ?? "Events"), to: file)
    guard arguments.has(additions) else { return .success }
    try output.json([
      "events": JSONTree(of: draft.events), "file": JSONTree(file),
      "params": JSONTree(of: draft.params.map { "\($0.event).\($0.param)" }),
    ])
    return .success
  }
}
