import Foundation
import TrackingJSON
import TrackingPlan

extension PlanCommand {
  static let generate = PlanCommand(
    name: "generate",
    abstract: "Generates Swift types for a plan's events.",
    usage: ["<plan> --output <folder> [<options>]"],
    discussion: """
      The same plan gives the same bytes. \(GeneratorConfiguration.fileName) beside the plan configures names and access. \
      Exit status 1: with --check, a file is missing or out of date.
      """,
    examples: ["TOOL generate tracking-plan.json --output Sources/ShopEvents --check"],
    operands: .init("plan", help: "The plan: a file or a folder."),
    options: [output, outputFile, split, compares, configuration] + PlanOptions.all + [json], run: run)

  private static let output = CommandOption.value(
    "--output", "folder", "The folder to write to; - for standard output.", letter: "o", completion: .folder)
  private static let outputFile = CommandOption.value(
    "--output-file", "file", "The one file to write, in place of --output.", completion: .file([]))
  private static let split = CommandOption.flag("--split", "Writes one file for each event.")
  private static let compares = CommandOption.flag("--check", "Writes nothing, and prints what is out of date.")
  private static let configuration = CommandOption.value(
    "--configuration", "file", "The configuration, if it isn't beside the plan.", completion: .file(["json"]))
  private static let json = CommandOption.flag(
    "--json", "Writes JSON: path and change of each file: written, missing or outdated.")

  private static func run(_ arguments: Arguments, output: CommandLineTool.Output) throws -> [String] {
    let path = arguments.operands[0]
    guard let folder = arguments[self.output] ?? arguments[outputFile] else {
      throw UsageError("name the folder to write to with --output")
    }
    let configuration = try configuration(arguments[configuration], besides: path)
    let plan = try PlanOptions.plan(at: path, arguments, source: configuration.source)
    let generator = SwiftGenerator(plan: plan, configuration: configuration)
    for problem in generator.problems.dropLast() { output.errorLine(problem.compilerMessage) }
    if let last = generator.problems.last { throw last }
    if folder == "-" || arguments[outputFile] == "-" {
      try output.standard(generator.file())
      return []
    }
    var files: [String: String] = [:]
    if let file = arguments[outputFile] {
      files = [file: try generator.file()]
    } else {
      let generated = arguments.has(split) ? try generator.files() : ["TrackingPlan.swift": try generator.file()]
      for (name, code) in generated { files["\(folder)/\(name)"] = code }
    }
    return try write(files, arguments, output, hint: "generate \(path) --output \(folder)")
  }

  /// Writes the files that have changed, or reports them.
  private static func write(
    _ files: [String: String], _ arguments: Arguments, _ output: CommandLineTool.Output, hint: String
  ) throws -> [String] {
    var failures: [String] = []
    var changes: [JSONTree] = []
    for (path, code) in files.sorted(by: { $0.key < $1.key }) {
      let present = FileManager.default.contents(atPath: path)
      if present == Data(code.utf8) { continue }
      guard arguments.has(compares) else {
        try output.write(code, to: path)
        changes.append(["path": JSONTree(path), "change": "written"])
        continue
      }
      changes.append(["path": JSONTree(path), "change": present == nil ? "missing" : "outdated"])
      if !arguments.has(json) {
        try output.standard(LineDifference.text(from: present ?? Data(), to: code.utf8, named: path))
      }
      failures.append("\(path) is \(present == nil ? "missing" : "out of date"); run \(hint)")
    }
    if arguments.has(json) { try output.json(["files": JSONTree(.array(changes))]) }
    return failures
  }

  private static func configuration(_ path: String?, besides plan: String) throws -> GeneratorConfiguration {
    if let path { return try GeneratorConfiguration(contentsOf: URL(fileURLWithPath: path)) }
    return try GeneratorConfiguration.beside(URL(fileURLWithPath: plan))
  }
}
