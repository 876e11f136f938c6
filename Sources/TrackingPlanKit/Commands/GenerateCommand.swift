import Foundation
import TrackingPlan

enum GenerateCommand: PlanCommand {
  static let name = "generate"
  static let abstract = "Writes the plan's events as Swift types."
  static let usage = "PLAN --output FOLDER [options]"
  static let details = """
    Writes TrackingPlan.swift, a struct an event. The same plan gives the same bytes. Access, names and choice of events stand in
    \(GeneratorConfiguration.fileName) beside the plan: access, namespace, names, include, exclude, source.

      --output FOLDER    where the code is written to
      --split            a file an event
      --check            writes nothing, fails if the code is not what the plan says, and prints the difference
      --configuration F  another configuration than the one beside the plan
    \(planHelp)
    """
  static let syntax = Arguments.Syntax(
    operands: ["PLAN"], options: planOptions + ["--output", "--configuration", "--output-file"],
    flags: ["--check", "--split"])

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
    for (path, code) in files.sorted(by: { $0.key < $1.key }) {
      let present = FileManager.default.contents(atPath: path).map { String(decoding: $0, as: UTF8.self) }
      if present == code { continue }
      guard arguments.has("--check") else {
        try write(code, to: path)
        continue
      }
      output.standard(LineDifference.text(from: present ?? "", to: code, named: path))
      failures.append(
        "\(path) is \(present == nil ? "missing" : "not what the plan says"); run tracking-plan generate \(arguments.operands[0]) --output \(folder)"
      )
    }
    return failures
  }

  private static func configuration(_ path: String?, besides plan: String) throws -> GeneratorConfiguration {
    if let path { return try GeneratorConfiguration(contentsOf: URL(fileURLWithPath: path)) }
    let url = URL(fileURLWithPath: plan)
    let isFolder = (try? url.resourceValues(forKeys: [.isDirectoryKey]))?.isDirectory ?? false
    let folder = isFolder ? url : url.deletingLastPathComponent()
    let file = folder.appendingPathComponent(GeneratorConfiguration.fileName)
    return FileManager.default.fileExists(atPath: file.path)
      ? try GeneratorConfiguration(contentsOf: file) : GeneratorConfiguration()
  }
}

/// What must change in one text to get another, by lines, with three lines around each change.
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
    var text = "--- \(name)\n+++ \(name), as the plan says\n"
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
