import Foundation
import TrackingJSON
import TrackingModel
import TrackingPlan

enum CheckCommand: PlanCommand {
  static let name = "check"
  static let abstract = "Checks a plan for mistakes, or the events of a session against a plan."
  static let usage = "PLAN... | SESSION... --plan PLAN  [options]"
  static let details = """
    Of a plan: compiles every event's schema and validates the plan's examples against it. Reports unknown keywords, contradictory
    bounds, empty enums, expired events, unreviewed drafts, and names that clash in Swift.

    Of a session.json, which `tracking serve --save` and failed tests write: reports what is wrong with each event, with its number,
    the param, the value, the rule and the line of the plan. Findings it may already have are not read.

      --plan PLAN        the plan to check the events of sessions against
      --limits PROVIDER  also checks the limits of a provider: \(ProviderLimits.all.map(\.name).joined(separator: ", ")); may repeat
      --personal-data    also looks for personal data in the events of sessions
      --json             writes JSON: {"problems": [...]} with file, line, path and reason of each; of sessions {"events": N,
                         "findings": [...]} with session, number, event, param, rule, value, reason, isFailure, file and line
    \(planHelp)
    """
  static let syntax = Arguments.Syntax(
    operands: ["PLAN..."], options: planOptions + ["--limits", "--plan"], flags: ["--json", "--personal-data"])

  static func run(_ arguments: Arguments, output: CommandLineTool.Output) throws -> [String] {
    let limits = try limits(arguments.all("--limits"))
    let sessions = arguments.operands.filter(SessionFile.isSession)
    guard sessions.isEmpty, arguments["--plan"] == nil, !arguments.has("--personal-data") else {
      return try check(sessions: sessions, limits, arguments, output)
    }
    let isJSON = arguments.has("--json")
    var all: [PlanError] = []
    for path in arguments.operands {
      let plan = try plan(at: path, arguments)
      let problems = PlanCheck(plan: plan, limits: limits).problems()
      all += problems
      guard !isJSON else { continue }
      try problems.forEach { try output.standard("\($0)\n") }
      if problems.isEmpty {
        try output.standard(
          "\(plan.name): \(plan.events.count.counted("event")), no problems\n")
      }
    }
    if isJSON { try output.standard(json(all)) }
    return all.isEmpty ? [] : [all.count.counted("problem")]
  }

  private static func limits(_ names: [String]) throws(UsageError) -> [ProviderLimits] {
    try names.map { name throws(UsageError) in
      guard let limits = ProviderLimits.all.first(where: { $0.name == name }) else {
        let names = ProviderLimits.all.map(\.name)
        let nearest = EditDistance.nearest(to: name, among: names).map { "; the nearest is \($0)" }
        throw UsageError(
          "--limits: \"\(name)\" is not a known provider\(nearest ?? "; expected one of \(names.joined(separator: ", "))")"
        )
      }
      return limits
    }
  }

  private static func check(
    sessions: [String], _ limits: [ProviderLimits], _ arguments: Arguments, _ output: CommandLineTool.Output
  ) throws -> [String] {
    var rules: [any EventRule] = limits
    if arguments.has("--personal-data") { rules.append(PersonalData()) }
    if let path = arguments["--plan"] {
      rules.insert(try plan(at: path, arguments), at: 0)
    } else if let other = arguments.operands.first(where: { !sessions.contains($0) }) {
      let first = sessions.first.map { "\($0) is a session and \(other) is not" } ?? "\(other) is not a session"
      throw UsageError("\(first); name the plan of a session with --plan")
    }
    guard !rules.isEmpty else {
      throw UsageError("\(sessions[0]) is a session; name the plan to check it against with --plan")
    }
    let checks = try arguments.operands.map { try SessionCheck(of: SessionFile(contentsOf: $0), against: rules) }
    if arguments.has("--json") {
      try output.standard(json(checks))
    } else {
      for check in checks { try output.standard(check.text) }
    }
    for note in checks.flatMap(\.notes) { output.error("\(note)\n") }
    return checks.compactMap(\.failure)
  }

  private static func json(_ checks: [SessionCheck]) throws -> String {
    struct Report: Encodable {
      let events: Int
      let findings: [EventFinding]
    }
    return try json(
      Report(events: checks.reduce(0) { $0 + $1.session.events.count }, findings: checks.flatMap(\.findings)))
  }

  private static func json(_ problems: [PlanError]) throws -> String {
    struct Problem: Encodable {
      let file: String
      let line: Int?
      let path: String
      let reason: String
    }
    return try json([
      "problems": problems.map { Problem(file: $0.file, line: $0.line, path: $0.path, reason: $0.reason) }
    ])
  }

  private static func json(_ value: some Encodable) throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    return String(decoding: try encoder.encode(value), as: UTF8.self) + "\n"
  }
}

/// Checks a plan as a whole, where a test checks only the events that it receives.
package struct PlanCheck {
  private let plan: TrackingPlan
  private let limits: [ProviderLimits]

  package init(plan: TrackingPlan, limits: [ProviderLimits] = []) {
    self.plan = plan
    self.limits = limits
  }

  /// Returns the plan's mistakes, in the order of the plan.
  package func problems() -> [PlanError] {
    var found: [PlanError] = []
    for (position, event) in plan.events.enumerated() {
      found += problems(of: event)
      var words: [PlanError] = []
      look(at: event.entry.params, path: event.entry.path, into: &words)
      found += words
      switch plan.schema(at: position) {
      case .failure(let error): found.append(error)
      case .success(let schema): found += examples(of: event, schema)
      }
      for limits in limits {
        found += limits.problems(ofName: event.name, params: event.params.map(\.name)).map {
          problem(event.place, event.entry.path, $0)
        }
      }
    }
    for type in plan.content.types { look(at: type.value, path: "types.\(type.key)", into: &found) }
    do {
      _ = try SwiftGenerator(plan: plan).blocks()
    } catch {
      found.append(error)
    }
    return found
  }

  private func problem(_ place: PlanPlace, _ path: String, _ reason: String) -> PlanError {
    PlanError(file: place.file, line: place.line, path: path, reason: reason)
  }

  private func problems(of event: PlannedEvent) -> [PlanError] {
    var problems: [PlanError] = []
    let path = event.entry.path
    if let day = event.entry.expires, PlanDay.today > day {
      problems.append(problem(event.place, path, "the event expired on \(day)"))
    }
    if event.entry.isDraft { problems.append(problem(event.place, path, "is a draft; review it and remove `draft`")) }
    return problems
  }

  // MARK: Schemas

  private func look(at node: JSONTree, path: String, into problems: inout [PlanError]) {
    guard let members = node.members else { return }
    let place = plan.files.place(of: node)
    if node["draft"]?.bool == true {
      problems.append(problem(place, path, "is a draft; review it and remove `draft`"))
    }
    for member in members where !SchemaWords.known(in: plan.format).contains(member.key) && !member.key.hasPrefix("x-")
    {
      guard let nearest = EditDistance.nearest(to: member.key, among: SchemaWords.known(in: plan.format)) else {
        if plan.format == .trackingPlan {
          problems.append(
            problem(
              plan.files.place(of: member.value), path,
              "`\(member.key)` is not a keyword of JSON Schema and has no effect"))
        }
        continue
      }
      problems.append(
        problem(
          plan.files.place(of: member.value), path,
          "`\(member.key)` is not a keyword of JSON Schema and has no effect; the nearest is `\(nearest)`"))
    }
    if let values = node["enum"]?.elements, values.isEmpty {
      problems.append(problem(place, path, "enum is empty, so no value is valid"))
    }
    for (least, most) in [
      ("minimum", "maximum"), ("minLength", "maxLength"), ("minItems", "maxItems"), ("minProperties", "maxProperties"),
    ] {
      if let low = node[least]?.number, let high = node[most]?.number, low > high {
        problems.append(
          problem(
            place, path,
            "\(least) \(node[least]?.value.description ?? "") is above \(most) \(node[most]?.value.description ?? ""), so no value is valid"
          ))
      }
    }
    for member in members {
      let inner = member.value
      switch SchemaWords.holding(member.key) {
      case .schema: look(at: inner, path: path, into: &problems)
      case .schemas: inner.elements?.forEach { look(at: $0, path: path, into: &problems) }
      case .schemaOrSchemas:
        look(at: inner, path: path + "[]", into: &problems)
        inner.elements?.forEach { look(at: $0, path: path + "[]", into: &problems) }
      case .schemasByName: inner.members?.forEach { look(at: $0.value, path: "\(path).\($0.key)", into: &problems) }
      case nil: break
      }
    }
  }

  /// Returns the examples that are invalid and the counterexamples that are valid.
  private func examples(of event: PlannedEvent, _ schema: JSONSchema) -> [PlanError] {
    var problems: [PlanError] = []
    for (index, example) in event.entry.examples.enumerated() {
      for finding in plan.findings(in: event.name, params: example) where finding.isFailure {
        problems.append(
          problem(plan.files.place(of: example), "events.\(event.name).examples[\(index)]", "\(finding)"))
      }
    }
    for (index, example) in event.entry.counterexamples.enumerated() where schema.isValid(example.value) {
      problems.append(
        problem(
          plan.files.place(of: example), "events.\(event.name).counterexamples[\(index)]",
          "is valid, expected an invalid one"))
    }
    return problems
  }
}

extension JSONTree {
  fileprivate var number: Double? {
    switch content {
    case .scalar(.int(let value)): Double(value)
    case .scalar(.double(let value)): value
    case .scalar(.unsigned(let value)): Double(value)
    default: nil
    }
  }
}

extension TrackingPlan {
  fileprivate func findings(in name: String, params: JSONTree) -> [PlanFinding] {
    guard case .object(let members) = params.value else {
      return [
        PlanFinding(kind: .mismatch(keyword: "type"), reason: "an example must be an object, found \(params.kind)")
      ]
    }
    let params = [TrackingParam: TrackingValue](members.map { (.custom(key: $0), $1) }) { first, _ in first }
    return findings(in: TrackingEvent(name: name, params: params)).filter { $0.kind != .unusable }
  }
}
