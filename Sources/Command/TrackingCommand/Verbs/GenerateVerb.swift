import Foundation
import TrackingJSON
import TrackingPlan

extension Verb {
  static let generate = Verb(
    name: "generate",
    abstract: "Generates Swift types for a plan's events.",
    usage: ["<plan> ... [<options>]"],
    discussion: """
      The same plan gives the same bytes. \(GeneratorConfiguration.fileName) beside the plan configures names and access.
      """,
    findings: "with --check, a file is missing or out of date",
    examples: [
      "tracking generate Sources/*/tracking-plan.json --check",
      "tracking generate tracking-plan.json --output Sources/ShopEvents",
    ],
    operands: .init(names: ["plan"], isList: true, help: "Plans: files or folders."),
    options: [folder, split, compares, configuration] + PlanOptions.all + [changes], run: run)

  private static let folder = VerbOption.value(
    "--output", "folder",
    "The folder to write to, or - for standard output; by default, TrackingPlan beside the plan.", letter: "o")
  private static let split = VerbOption.flag("--split", "Writes one file for each event.")
  private static let compares = VerbOption.flag("--check", "Writes nothing, and names what is out of date.")
  private static let configuration = VerbOption.value(
    "--configuration", "file", "The configuration, if it isn't beside the plan.")
  private static let changes = VerbOption.flag(
    "--json", "Writes JSON: path and change of each file: written, missing or outdated.")

  private static func run(_ arguments: Arguments, output: Output) throws -> Status {
    let plans = arguments.operands
    if let option = [folder, configuration].first(where: { arguments.has($0) }), plans.count > 1 {
      throw UsageError("\(option.name) is for one plan, and there are \(plans.count)")
    }
    let generators = try plans.map { try generator(for: $0, arguments, output) }
    if arguments[folder] == "-" {
      for generator in generators { try output.text(generator.file()) }
      return .success
    }
    var failures: [String] = []
    var changes: [JSONTree] = []
    for (plan, generator) in zip(plans, generators) {
      let isFolder = URL(fileURLWithPath: plan).isFolder == true
      let beside =
        isFolder ? plan : plan.split(separator: "/", omittingEmptySubsequences: false).dropLast().joined(separator: "/")
      let folder = arguments[folder] ?? (beside.isEmpty ? "TrackingPlan" : "\(beside)/TrackingPlan")
      let files = arguments.has(split) ? try generator.files() : ["TrackingPlan.swift": try generator.file()]
      for (name, code) in files.sorted(by: { $0.key < $1.key }) {
        let path = "\(folder)/\(name)"
        let present = FileManager.default.contents(atPath: path)
        if present == Data(code.utf8) { continue }
        let isMissing = present == nil
        if arguments.has(compares) {
          changes.append(["path": JSONTree(path), "change": isMissing ? "missing" : "outdated"])
          failures.append(
            "\(path) is \(isMissing ? "missing" : "out of date"); `tracking generate` without --check writes it")
        } else {
          try output.write(code, to: path)
          changes.append(["path": JSONTree(path), "change": "written"])
        }
      }
    }
    if arguments.has(Self.changes) { try output.json(["files": JSONTree(.array(changes))]) }
    return output.status(of: failures, "generate")
  }

  /// - Throws: The plan's last problem; the others are written to standard error.
  private static func generator(for path: String, _ arguments: Arguments, _ output: Output) throws -> SwiftGenerator {
    let configuration =
      try arguments[configuration].map { path throws(PlanError) in
        try GeneratorConfiguration(contentsOf: URL(fileURLWithPath: path))
      } ?? .beside(URL(fileURLWithPath: path))
    let plan = try PlanOptions.plan(at: path, arguments, source: configuration.source)
    let generator = SwiftGenerator(plan: plan, configuration: configuration)
    for problem in generator.problems.dropLast() { output.say(problem.compilerMessage) }
    if let last = generator.problems.last { throw last }
    return generator
  }
}
