import Foundation
import TrackingModel
import TrackingPlan

extension Verb {
  static let compare = Verb(
    name: "compare",
    abstract: "Reports what changed between two plans, or between two runs of an app's tests.",
    usage: ["<base> <head> [<options>]"],
    discussion: """
      Runs are folders of observations, written by the same tests with TRACKING_OBSERVATIONS set, or sessions and folders of \
      sessions. Only tests of both are compared, each with itself; two sessions of one test each are compared whatever their \
      titles. A value that differs between two runs of the base isn't a change; without a second run, ids, times and addresses \
      are recognized by their form. Of plans, the report lists the changes by event and param.
      """,
    findings: "the change is one that --fail-on names",
    examples: [
      "tracking compare base head --report markdown --fail-on lost", "tracking compare base head --base-again base-2",
      "git show main:plan.json | tracking compare - plan.json --fail-on apps",
    ],
    operands: .init(
      names: ["base", "head"],
      help:
        "What was before and after the change: folders of observations or sessions, sessions, or plans (- for standard input)."
    ),
    options: [again, failOn] + PlanOptions.all + reports.all, run: run)

  private static let again = VerbOption.values(
    "--base-again", "folder", "Another run of the base, which tells values that differ from run to run.",
    completion: .files)
  private static let failOn = VerbOption.values(
    "--fail-on", "what",
    """
    Of runs: fails if events or params are lost or renamed (lost), if values are of another type (types), if no test notices \
    changes any more (unpinned), or for any change (any). Of plans: for what installed apps may still send and the new plan \
    refuses (apps): a removed event or a removed param of an event without others, a new required param, another type, a lost \
    value, a narrower rule, a source that an event loses; or for any change (any), but not of descriptions, owners, tags \
    and examples.
    """,
    completion: .words(Array(Set(runChecks + planChecks)).sorted()))
  private static let runChecks = ["lost", "types", "unpinned", "any"]
  private static let planChecks = ["apps", "any"]
  private static let reports = ReportOptions([.text, .markdown, .json])

  private enum Subject: String {
    case plan, run

    /// Fails for a path that doesn't exist, or a folder without plans, observations and sessions.
    init?(at path: String) {
      guard path != "-", URL(fileURLWithPath: path).isFolder == true else {
        guard path == "-" || FileManager.default.fileExists(atPath: path) else { return nil }
        self = SessionFile.isSession(path) ? .run : .plan
        return
      }
      if SessionFolder(path: path).isRun {
        self = .run
      } else if PlanFiles.areIn(URL(fileURLWithPath: path)) {
        self = .plan
      } else {
        return nil
      }
    }
  }

  private static func run(_ arguments: Arguments, output: Output) throws -> Status {
    let operands = arguments.operands
    if operands == ["-", "-"] { throw UsageError("only one plan can come from standard input") }
    let subjects = operands.map { Subject(at: $0) }
    if let one = subjects[0], let other = subjects[1], one != other {
      throw UsageError("\(operands[0]) is a \(one), and \(operands[1]) is a \(other); compare two runs or two plans")
    }
    let subject = subjects[0] ?? subjects[1] ?? .run
    let (checks, others) = subject == .run ? (runChecks, PlanOptions.all) : (planChecks, [again])
    if let option = others.first(where: { !arguments.all($0).isEmpty }) {
      throw UsageError("\(option.name) isn't for comparing \(subject)s")
    }
    let names = arguments.all(failOn)
    if let name = names.first(where: { !checks.contains($0) }) {
      throw UsageError("--fail-on: \(name) isn't for \(subject)s; expected one of \(checks.joined(separator: ", "))")
    }
    let destinations = try reports.destinations(arguments)
    if subject == .plan {
      let old = try PlanOptions.plan(at: operands[0], arguments)
      let diff = PlanDiff(
        from: old, to: try PlanOptions.plan(at: operands[1], arguments), source: arguments[PlanOptions.source])
      try output.write(diff.report, to: destinations)
      return output.status(of: failures(of: diff, names), "compare")
    }
    // All runs of the base's folder: earlier ones show what differs from run to run.
    let base = try (arguments.all(again) + [operands[0]]).map { path throws(PlanError) in
      try ObservationFolder.Contents(in: [path], allRuns: true)
    }
    let head = try ObservationFolder.Contents(in: [operands[1]], allRuns: false)
    let comparison = RunComparison(from: base, to: head)
    try output.write(comparison.report, to: destinations)
    return output.status(of: failures(of: comparison, names), "compare")
  }

  private static func failures(of diff: PlanDiff, _ names: [String]) -> [String] {
    names.compactMap { name in
      let failing = diff.events.filter { name == "any" || $0.breaksApps }
      guard !failing.isEmpty else { return nil }
      return "\(failing.count.counted("event")) changed\(name == "any" ? "" : " in a way that breaks apps"): "
        + failing.map(\.name).joined(separator: ", ")
    }
  }

  private static func failures(of comparison: RunComparison, _ names: [String]) -> [String] {
    guard !names.isEmpty else { return [] }
    // A comparison of nothing must not look like one without changes.
    guard !comparison.tests.isEmpty else { return [comparison.nothing] }
    var failures = names.allSatisfy { $0 == "unpinned" } ? [] : comparison.unknownFacts
    if names.contains("any") {
      return failures + (comparison.changes.isEmpty ? [] : [comparison.changes.count.counted("change")])
    }
    func add(_ title: String, _ changes: [RunChange]) {
      if !changes.isEmpty { failures.append("\(title): \(changes.map(\.name).joined(separator: ", "))") }
    }
    if names.contains("lost") { add("lost or renamed", comparison.changes(.lost, .renamed)) }
    if names.contains("types") { add("changed in type", comparison.changes(.kinds)) }
    if names.contains("unpinned") {
      add("no longer noticed by a test", comparison.changes(.unchecked, .unpinned))
      add("gained, and noticed by no test", comparison.changes(.unnoticedGain))
      if !comparison.knowsPins {
        failures.append("unpinned: not known, because \(CoverageGate.noMutants) in both runs, or all were left out")
      }
    }
    return failures
  }
}
