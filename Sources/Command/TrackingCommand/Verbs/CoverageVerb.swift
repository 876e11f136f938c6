import Foundation
import TrackingModel
import TrackingPlan

extension Verb {
  static let coverage = Verb(
    name: "coverage",
    abstract: "Reports which events, params and values tests have seen, and what they would notice.",
    usage: ["--plan <plan> <folder|session> ... [<options>]", "<folder|session> ... [<options>]"],
    discussion: """
      A folder holds what tests have observed: set TRACKING_OBSERVATIONS to it when you run them, or export the \
      attachments of a result bundle with `xcrun xcresulttool export attachments`, or save sessions in it with \
      `tracking serve --save`. With TRACKING_MUTATIONS=1 the report says \
      which changes of events and params the tests would notice. `xcodebuild` hands on only variables with the prefix TEST_RUNNER_, \
      such as TEST_RUNNER_TRACKING_OBSERVATIONS.
      """,
    findings: """
      the coverage is below a minimum or below the baseline, a check of --fail-on fails, or tests were not checked \
      against this version of the plan
      """,
    examples: ["tracking coverage --plan plan.json .build/observed --minimum 90"],
    operands: .init(
      names: ["folder"], isList: true,
      help: "Folders of observations, of exported attachments or of sessions, and sessions."),
    options: [plan, minimum, failOn, baseline, allRuns, allowUnchecked] + PlanOptions.all + reports.all, run: run)

  private static let plan = VerbOption.value(
    "--plan", "plan", "The plan: a file or a folder; without one, the report is about all events that arrived.",
    completion: .files)
  private static let minimum = VerbOption.values(
    "--minimum", "n",
    "The least percentage: 90 (of the events), or events=N, matched=N, params=N, values=N, checked=N, pinned=N.")
  private static let failOn = VerbOption.value(
    "--fail-on", "what", "Fails for required params of the plan whose changes nothing notices (unpinned).",
    completion: .words(["unpinned"]))
  private static let baseline = VerbOption.value(
    "--baseline", "file", "A JSON report: what it covers must still be covered.", completion: .files)
  private static let reports = ReportOptions([.text, .markdown, .json, .github])
  private static let allRuns = VerbOption.flag(
    "--all-runs", "Counts all test runs in a folder, not only the last one: for machines that share a run.")
  private static let allowUnchecked = VerbOption.flag(
    "--allow-unchecked", "Accepts tests that were not checked against this version of the plan.")

  private static func run(_ arguments: Arguments, output: Output) throws -> Status {
    let destinations = try reports.destinations(arguments)
    var gate = CoverageGate()
    for minimum in arguments.all(minimum) { try gate.add(minimum: minimum) }
    if let baseline = arguments[baseline] { try gate.read(baseline: baseline) }
    let plan = try arguments[plan].map { path throws(PlanError) in try PlanOptions.plan(at: path, arguments) }
    if plan == nil { try checkOptionsWithoutPlan(arguments, destinations.map(\.form)) }
    let observed = ObservedEvents(try .init(in: arguments.operands, allRuns: arguments.has(allRuns)))
    guard let plan else {
      try output.write(observed.report, to: destinations)
      let figures = CoverageGate.Figures(noticed: observed.noticed, items: observed.noticed?.items ?? [])
      return output.status(of: gate.failures(of: figures), "coverage")
    }
    let coverage = Coverage(of: plan, by: observed)
    try output.write(coverage.report, to: destinations)
    let unchecked = arguments.has(allowUnchecked) ? [] : coverage.checks.problems
    let failures =
      unchecked + gate.failures(of: coverage.figures) + (arguments[failOn] == nil ? [] : unpinned(in: coverage))
    return output.status(of: failures, "coverage")
  }

  /// - Throws: `UsageError` for options that require a plan.
  private static func checkOptionsWithoutPlan(_ arguments: Arguments, _ forms: [ReportForm]) throws(UsageError) {
    if let form = forms.first(where: { $0 == .github }) {
      throw UsageError("--plan is missing; a report in the form \(form.rawValue) is about the plan's lines")
    }
    if arguments[failOn] != nil { throw UsageError("--plan is missing; it says which params are required") }
  }

  private static func unpinned(in coverage: Coverage) -> [String] {
    if let reason = NoticedChanges.reasonForNone(coverage.noticed) { return ["unpinned: not known, because \(reason)"] }
    let names = coverage.unpinnedRequired
    guard !names.isEmpty else { return [] }
    return ["\(names.count.counted("required param")) that nothing pins: \(names.joined(separator: ", "))"]
  }
}
