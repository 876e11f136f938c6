import TrackingPlan
import TrackingJSON
import TrackingModel
import TrackingRules

extension Verb {
  static let check = Verb(
    name: "check",
    abstract: "Checks a plan for mistakes, or the events of a session against a plan.",
    usage: ["<plan> ... [<options>]", "<session> ... --plan <plan> [<options>]"],
    discussion: """
      For a session, it prints each finding with the event's number, the param, the value, the rule and the line of the \
      plan.
      """,
    findings: "a plan has problems, or a session has findings or no events",
    examples: [
      "tracking check tracking-plan.json --limits firebase", "tracking check session.json --plan tracking-plan.json",
    ],
    operands: .init(
      names: ["file"], isList: true,
      help: "Plans (files or folders), or sessions of `serve --save` and tests (files or folders)."),
    options: [plan, limits, personalData] + PlanOptions.all + [findings], run: run)

  private static let plan = VerbOption.value(
    "--plan", "plan", "The plan to check sessions against.", completion: .files)
  private static let limits = VerbOption.values(
    "--limits", "provider", "Also checks the limits of a provider.",
    completion: .words(ProviderLimits.all.map(\.name)))
  private static let personalData = VerbOption.flag("--personal-data", "Also looks for personal data in sessions.")
  private static let findings = VerbOption.flag(
    "--json", "Writes JSON: problems of plans; the number of events, and findings of sessions.")

  private static func run(_ arguments: Arguments, output: Output) throws -> Status {
    let names = arguments.all(limits)
    let limits = ProviderLimits.all.filter { names.contains($0.name) }
    // With a plan, check all files against it.
    let files = arguments.operands.flatMap(SessionFile.files)
    let sessions = arguments[plan] == nil ? files.filter(SessionFile.isSession) : files
    guard sessions.isEmpty, arguments[plan] == nil, !arguments.has(personalData) else {
      return try check(files, sessions: sessions, limits, arguments, output)
    }
    var all: [PlanError] = []
    for path in arguments.operands {
      let plan = try PlanOptions.plan(at: path, arguments)
      let problems = PlanCheck(plan: plan, limits: limits).problems()
      all += problems
      guard !arguments.has(findings) else { continue }
      try problems.forEach { try output.line("\($0)") }
      if problems.isEmpty { try output.line("\(plan.name): \(plan.events.count.counted("event")), no problems") }
    }
    if arguments.has(findings) { try output.json(["problems": JSONTree(.array(all.map(\.json)))]) }
    return output.status(of: all.isEmpty ? [] : [all.count.counted("problem")], "check")
  }

  private static func check(
    _ files: [String], sessions: [String], _ limits: [ProviderLimits], _ arguments: Arguments, _ output: Output
  ) throws -> Status {
    var rules: [any EventRule] = limits
    if arguments.has(personalData) { rules.append(PersonalData()) }
    if let path = arguments[plan] {
      rules.insert(try PlanOptions.plan(at: path, arguments), at: 0)
    } else if let other = files.first(where: { !sessions.contains($0) }) {
      let first = sessions.first.map { "\($0) is a session and \(other) is not" } ?? "\(other) is not a session"
      throw UsageError("\(first); name the plan of a session with --plan")
    }
    guard !rules.isEmpty else {
      throw UsageError("\(sessions[0]) is a session; name the plan to check it against with --plan")
    }
    let checks = try files.map { try SessionCheck(of: SessionFile(contentsOf: $0), against: rules) }
    if arguments.has(findings) {
      let events = checks.reduce(0) { $0 + $1.session.events.count }
      try output.json([
        "events": JSONTree(of: events), "findings": JSONTree(of: checks.flatMap(\.findings).map(\.value)),
      ])
    } else {
      for line in checks.flatMap(\.lines) { try output.line(line) }
    }
    for note in checks.flatMap(\.notes) { output.say(note) }
    return output.status(of: checks.compactMap(\.failure), "check")
  }
}

extension PlanError {
  fileprivate var json: JSONTree {
    [
      "file": JSONTree(file), "line": line.map { JSONTree(of: $0) }, "path": JSONTree(path),
      "reason": JSONTree(reason),
    ]
  }
}
