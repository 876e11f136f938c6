import Foundation
import TrackingPlan

enum GenerateCommand: PlanCommand {
  static let name = "generate"
  static let abstract = "Generates Swift types for the plan's events."
  static let usage = "PLAN --output FOLDER [options]"
  static let details = """
    Writes TrackingPlan.swift, with one struct per event. The same plan always generates the same bytes. To configure it, add
    \(GeneratorConfiguration.fileName) beside the plan, with the members access, namespace, names, include, exclude and source.

      --output FOLDER    the folder to write the code to
      --output-file F    the one file to write the code to, in place of --output
      --split            writes one file per event
      --check            writes nothing; fails and prints the difference if the code is out of date
      --json             writes the changed files as JSON: path and change of each, written, missing or outdated
      --configuration F  the configuration file, if it isn't the one beside the plan
    \(planHelp)
    """
  static let syntax = Arguments.Syntax(
    operands: ["PLAN"], options: planOptions + ["--output", "--configuration", "--output-file"],
    flags: ["--check", "--split", "--json"])

  static func run(_ arguments: Arguments, output: CommandLineTool.Output) throws -> [String] {
    let path = arguments.operands[0]
    guard let folder = arguments["--output"] ?? arguments["--output-file"] else {
      throw UsageError("--output is missing")
    }
    let configuration = try configuration(arguments["--configuration"], besides: path)
    let plan =
      configuration.source == nil || arguments["--source"] != nil
      ? try plan(at: path, arguments)
      : try TrackingPlan(contentsOf: URL(fileURLWithPath: path), source: configuration.source)
    let generator = SwiftGenerator(plan: plan, configuration: configuration)
    var files: [String: String] = [:]
    if let file = arguments["--output-file"] {
      files = [file: try generator.file()]
    } else {
      let generated = arguments.has("--split") ? try generator.files() : ["TrackingPlan.swift": try generator.file()]
      for (name, code) in generated { files["\(folder)/\(name)"] = code }
    }
    var failures: [String] = []
    var changes: [[String: String]] = []
    for (path, code) in files.sorted(by: { $0.key < $1.key }) {
      let present = FileManager.default.contents(atPath: path).map { String(decoding: $0, as: UTF8.self) }
      if present == code { continue }
      guard arguments.has("--check") else {
        try write(code, to: path)
        changes.append(["path": path, "change": "written"])
        continue
      }
      changes.append(["path": path, "change": present == nil ? "missing" : "outdated"])
      if !arguments.has("--json") {
        output.standard(LineDifference.text(from: present ?? "", to: code, named: path))
      }
      failures.append(
        "\(path) is \(present == nil ? "missing" : "out of date"); run generate \(arguments.operands[0]) --output \(folder)"
      )
    }
    if arguments.has("--json") {
      let encoder = JSONEncoder()
      encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
      output.standard(String(decoding: try encoder.encode(["files": changes]), as: UTF8.self) + "\n")
    }
    return failures
  }

  private static func configuration(_ path: String?, besides plan: String) throws -> GeneratorConfiguration {
    if let path { return try GeneratorConfiguration(contentsOf: URL(fileURLWithPath: path)) }
    return try GeneratorConfiguration.beside(URL(fileURLWithPath: plan))
  }
}

/// A diff of two texts by lines, with three lines of context.
enum LineDifference {
  static func text(from old: String, to new: String, named name: String) -> String {
    let (before, after) = (lines(of: old), lines(of: new))
    let difference = after.difference(from: before)
    var (removed, inserted): (Set<Int>, Set<Int>) = ([], [])
    for change in difference {
      switch change {
      case .remove(let offset, _, _): removed.insert(offset)
      case .insert(let offset, _, _): inserted.insert(offset)
      }
    }
    var entries: [(mark: Character, line: Substring)] = []
    var (left, right) = (0, 0)
    while left < before.count || right < after.count {
      if left < before.count, removed.contains(left) {
        entries.append(("-", before[left]))
        left += 1
      } else if right < after.count, inserted.contains(right) {
        entries.append(("+", after[right]))
        right += 1
      } else {
        entries.append((" ", before[left]))
        left += 1
        right += 1
      }
    }
    let changed = entries.indices.filter { entries[$0].mark != " " }
    let shown = Set(changed.flatMap { ($0 - 3)...($0 + 3) })
    var text = "--- \(name)\n+++ \(name), generated from the plan\n"
    var wasShown = false
    for (index, entry) in entries.enumerated() {
      defer { wasShown = shown.contains(index) }
      guard shown.contains(index) else { continue }
      if !wasShown { text += "@@\n" }
      text += "\(entry.mark)\(entry.line)\n"
    }
    return text
  }

  private static func lines(of text: String) -> [Substring] {
    text.isEmpty ? [] : text.split(separator: "\n", omittingEmptySubsequences: false)
  }
}
