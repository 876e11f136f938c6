import Foundation
import TrackingModel
import TrackingPlan

/// The tool `tracking-plan`: finds the command, runs it, and turns its outcome into an exit code.
///
/// 0: good. 1: the plan, its coverage or a difference is not as asked. 2: bad input or usage.
public struct CommandLineTool {
  /// Where a run writes to; tests read it.
  public struct Output {
    /// Takes what was asked for.
    public var standard: (String) -> Void
    /// Takes what is wrong.
    public var error: (String) -> Void

    /// Two functions that take text as it is written.
    public init(standard: @escaping (String) -> Void, error: @escaping (String) -> Void) {
      self.standard = standard
      self.error = error
    }

    /// The process's own.
    public static var process: Output {
      Output(
        standard: { FileHandle.standardOutput.write(Data($0.utf8)) },
        error: { FileHandle.standardError.write(Data($0.utf8)) })
    }
  }

  static var commands: [any PlanCommand.Type] {
    [
      CheckCommand.self, CoverageCommand.self, GenerateCommand.self, DiffCommand.self, DraftCommand.self,
      ConvertCommand.self,
    ]
  }

  private static var help: String {
    let list = commands.map { "  \($0.name.padding(toLength: 10, withPad: " ", startingAt: 0)) \($0.abstract)" }
    return """
      The tracking plan of an app: checked, covered, and the source of its types.

      usage: tracking-plan COMMAND ...

      \(list.joined(separator: "\n"))

      `tracking-plan COMMAND --help` says more. Exit codes: 0 good, 1 not as asked, 2 bad input or usage.

      """
  }

  /// Runs a command line without the program's name.
  public static func run(_ words: [String], output: Output = .process) -> Int32 {
    guard let word = words.first else {
      output.error(help)
      return 2
    }
    if ["help", "--help", "-h"].contains(word) {
      let command = words.dropFirst().first.flatMap { name in commands.first { $0.name == name } }
      output.standard(command?.helpPage ?? help)
      return 0
    }
    guard let command = commands.first(where: { $0.name == word }) else {
      let names = commands.map { $0.name }
      let nearest =
        NearestName.of(word, among: names).map { "; the nearest is \($0)" }
        ?? "; expected one of \(names.joined(separator: ", "))"
      output.error("tracking-plan: there is no command \"\(word)\"\(nearest)\n")
      return 2
    }
    let rest = words.dropFirst()
    if rest.contains("--help") || rest.contains("-h") {
      output.standard(command.helpPage)
      return 0
    }
    do {
      let failures = try command.run(Arguments(rest, syntax: command.syntax), output: output)
      for failure in failures { output.error("tracking-plan: \(failure)\n") }
      return failures.isEmpty ? 0 : 1
    } catch let error as UsageError {
      output.error("tracking-plan \(command.name): \(error)\nusage: tracking-plan \(command.name) \(command.usage)\n")
    } catch let error as PlanError {
      output.error("tracking-plan \(command.name): \(error)\n")
    } catch {
      output.error("tracking-plan \(command.name): \(error.localizedDescription)\n")
    }
    return 2
  }
}

/// A verb of the tool.
protocol PlanCommand: Sendable {
  static var name: String { get }
  /// One line for the list of commands.
  static var abstract: String { get }
  static var usage: String { get }
  /// What the help page says below the usage.
  static var details: String { get }
  static var syntax: Arguments.Syntax { get }

  /// Runs it and gives what is not as asked.
  static func run(_ arguments: Arguments, output: CommandLineTool.Output) throws -> [String]
}

extension PlanCommand {
  static var helpPage: String { "\(abstract)\n\nusage: tracking-plan \(name) \(usage)\n\n\(details)\n" }

  /// Options that say which plan is read and how.
  static var planOptions: [String] { ["--format", "--source"] }

  static var planHelp: String {
    """
      --format FORMAT    how the plan is written, if that isn't seen from its content: \(PlanFormat.allCases.map(\.rawValue).joined(separator: ", "))
      --source NAME      only events that are planned for this source, such as iOS
    """
  }

  /// The plan at a path; `-` reads it from standard input.
  static func plan(at path: String, _ arguments: Arguments) throws -> TrackingPlan {
    try plan(at: path, format: arguments["--format"], arguments)
  }

  static func plan(at path: String, format name: String?, _ arguments: Arguments) throws -> TrackingPlan {
    var format: PlanFormat?
    if let name {
      guard let known = PlanFormat(rawValue: name) else {
        let names = PlanFormat.allCases.map(\.rawValue)
        let nearest = NearestName.of(name, among: names).map { "; the nearest is \($0)" }
        throw UsageError(
          "--format: \"\(name)\" is not a format\(nearest ?? "; expected one of \(names.joined(separator: ", "))")")
      }
      format = known
    }
    if path == "-" {
      let data = FileHandle.standardInput.readDataToEndOfFile()
      return try TrackingPlan(
        text: String(decoding: data, as: UTF8.self), name: "standard input", format: format,
        source: arguments["--source"])
    }
    return try TrackingPlan(
      contentsOf: URL(fileURLWithPath: path).relative(as: path), format: format, source: arguments["--source"])
  }

  static func write(_ text: String, to path: String) throws {
    let url = URL(fileURLWithPath: path)
    do {
      try FileManager.default.createDirectory(at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
      try Data(text.utf8).write(to: url)
    } catch {
      throw UsageError("\(path) can't be written: \(error.localizedDescription)")
    }
  }
}

extension URL {
  /// The same file, called in messages as the user called it.
  fileprivate func relative(as path: String) -> URL {
    path.hasPrefix("/")
      ? self : URL(fileURLWithPath: path, relativeTo: URL(fileURLWithPath: FileManager.default.currentDirectoryPath))
  }
}
