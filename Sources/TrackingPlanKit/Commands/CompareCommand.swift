import TrackingModel
import TrackingPlan

extension PlanCommand {
  static let compare = PlanCommand(
    name: "compare",
    abstract: "Reports what a change of an app changes in what its tests see it track.",
    usage: ["<base> <head> [<options>]"],
    discussion: """
      Both are folders of observations, written by the same tests with TRACKING_OBSERVATIONS set, or sessions. Only tests of \
      both are compared, each with itself. A value that differs between two runs of the base isn't a change; without a \
      second run, ids, times and addresses are recognized by their form. Exit status 1: the change is one that --fail-on \
      names.
      """,
    examples: [
      "TOOL compare base head --report markdown --fail-on lost", "TOOL compare base head --base-again base-2",
    ],
    operands: .init("base", "head", help: "The observations before and after the change: folders or sessions."),
    options: [CompareCommand.again, CompareCommand.failOn, CompareCommand.output] + ReportForm.options,
    run: CompareCommand.run)
}

/// The command `compare`.
private enum CompareCommand {
  static let again = CommandOption.values(
    "--base-again", "folder", "Another run of the base, which tells values that differ from run to run.",
    completion: .folder)
  static let failOn = CommandOption.values(
    "--fail-on", "what",
    "Fails if events or params are lost or renamed (lost), if no test notices their changes any more (unpinned), or for any change (any).",
    completion: .words(["lost", "unpinned", "any"]))
  static let output = CommandOption.values(
    "--output", "file", "Also writes a file: .txt, .md or .json.", letter: "o",
    completion: .file(["txt", "md", "json"]))

  private static let endings: [String: ReportForm] = ["txt": .text, "md": .markdown, "json": .json]

  static func run(_ arguments: Arguments, output: CommandLineTool.Output) throws -> [String] {
    let form = ReportForm(arguments)
    let files = try output.files(arguments.all(self.output), endings)
    // All runs of the base's folder: an earlier one tells what differs from run to run.
    let base = try CoverageCommand.contents(of: [arguments.operands[0]], allRuns: true)
    let head = try CoverageCommand.contents(of: [arguments.operands[1]], allRuns: false)
    let again = try arguments.all(again).flatMap { path throws(PlanError) in
      try CoverageCommand.contents(of: [path], allRuns: true).runs
    }
    let comparison = RunComparison(
      from: again + base.runs, to: ObservedRun(head.observations), tornLines: base.tornLines + head.tornLines)
    for (file, format) in files { try output.write(comparison.report(as: format), to: file) }
    try output.standard(comparison.report(as: form))
    return try failures(of: comparison, arguments.all(failOn))
  }

  private static func failures(of comparison: RunComparison, _ names: [String]) throws -> [String] {
    guard !names.isEmpty else { return [] }
    // A comparison of nothing must not pass for one without changes.
    guard !comparison.tests.isEmpty else { return ["no test is in both runs, so nothing was compared"] }
    if names.contains("any") {
      return comparison.changes.isEmpty ? [] : [comparison.changes.count.counted("change")]
    }
    var failures: [String] = []
    func add(_ title: String, _ changes: [RunComparison.Change]) {
      if !changes.isEmpty { failures.append("\(title): \(changes.map(\.name).joined(separator: ", "))") }
    }
    if names.contains("lost") { add("lost or renamed", comparison.changes(.lost, .renamed)) }
    if names.contains("unpinned") {
      add("no longer noticed by a test", comparison.changes(.unasked, .unpinned))
      add("gained, and noticed by no test", comparison.changes(.unnoticedGain))
      if !comparison.knowsPins {
        failures.append(
          "unpinned: not known, because no test was run with TRACKING_MUTATIONS=1 (xcodebuild: TEST_RUNNER_TRACKING_MUTATIONS=1) in both runs, or all were left out"
        )
      }
    }
    return failures
  }
}
