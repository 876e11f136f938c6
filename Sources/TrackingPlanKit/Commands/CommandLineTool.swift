import Foundation
import TrackingJSON
import TrackingModel
import TrackingPlan

/// The tool `tracking-plan`: runs a command and returns the process's exit code.
///
/// 0: success. 1: the plan, its coverage or a diff fails a check. 2: invalid input or usage.
public struct CommandLineTool {
  /// The destinations of a run's output, which tests replace.
  public struct Output {
    /// Receives the requested output; what it throws ends the command.
    public var standard: (String) throws -> Void
    /// Receives errors and failed checks.
    public var error: (String) -> Void

    /// Creates an output from two functions that receive text as it is written.
    public init(standard: @escaping (String) throws -> Void, error: @escaping (String) -> Void) {
      self.standard = standard
      self.error = error
    }

    /// The process's standard output and standard error.
    public static var process: Output {
      Output(
        // `write(_:)` ends the process where a disk is full.
        standard: { try FileHandle.standardOutput.write(contentsOf: Data($0.utf8)) },
        error: { StandardError.write($0) })
    }
  }

  /// The reason why a file can't be read or written, in the system's words.
  public static func fileReason(of error: any Error) -> String { error.fileReason }

  /// The reason why a file's bytes aren't JSON, with the file's name and the line; `nil` if they are.
  public static func problem(ofJSON data: Data, named name: String) -> String? {
    let bytes = [UInt8](data)
    do throws(JSONError) {
      _ = try JSONTree(bytes)
      return nil
    } catch {
      let line = bytes.withUnsafeBufferPointer { LineTable($0) }.position(of: error.offset).line
      return "\(PlanError(file: name, line: line, path: error.path, reason: error.reason))"
    }
  }

  /// The name that a misspelt one most likely stands for.
  public static func nearestName(to name: String, among names: [String]) -> String? {
    EditDistance.nearest(to: name, among: names)
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
      Checks an app's tracking plan, measures its coverage, and generates Swift types from it.

      usage: tracking-plan COMMAND ...

      \(list.joined(separator: "\n"))

      See `tracking-plan COMMAND --help`. Exit codes: 0 success, 1 a check failed, 2 invalid input or usage.

      """
  }

  /// Runs a command line, given without the program's name, and returns the exit code.
  ///
  /// Messages name the program as `program`.
  public static func run(
    _ words: [String], as program: String = "tracking-plan", output: Output = .process
  ) -> Int32 {
    guard let word = words.first else {
      output.error(help)
      return 2
    }
    do {
      return try run(word, words.dropFirst(), as: program, output)
    } catch {
      output.error("\(program): the output can't be written: \(error.fileReason)\n")
      return 2
    }
  }

  private static func run(
    _ word: String, _ rest: ArraySlice<String>, as program: String, _ output: Output
  ) throws -> Int32 {
    if ["help", "--help", "-h"].contains(word) {
      let command = rest.first.flatMap { name in commands.first { $0.name == name } }
      try output.standard(command?.helpPage ?? help)
      return 0
    }
    guard let command = commands.first(where: { $0.name == word }) else {
      let names = commands.map { $0.name }
      let nearest =
        EditDistance.nearest(to: word, among: names).map { "; the nearest is \($0)" }
        ?? "; expected one of \(names.joined(separator: ", "))"
      output.error("\(program): unknown command \"\(word)\"\(nearest)\n")
      return 2
    }
    if rest.contains("--help") || rest.contains("-h") {
      try output.standard(command.helpPage)
      return 0
    }
    do {
      let failures = try command.run(Arguments(rest, syntax: command.syntax), output: output)
      for failure in failures { output.error("\(program): \(failure)\n") }
      return failures.isEmpty ? 0 : 1
    } catch let error as UsageError {
      output.error("\(program) \(command.name): \(error)\nusage: \(program) \(command.name) \(command.usage)\n")
    } catch let error as PlanError {
      output.error("\(program) \(command.name): \(error)\n")
    }
    return 2
  }
}

/// A command of the tool.
protocol PlanCommand: Sendable {
  static var name: String { get }
  /// One line for the list of commands.
  static var abstract: String { get }
  static var usage: String { get }
  /// The text below the usage on the help page.
  static var details: String { get }
  static var syntax: Arguments.Syntax { get }

  /// Runs the command and returns the failed checks.
  static func run(_ arguments: Arguments, output: CommandLineTool.Output) throws -> [String]
}

extension PlanCommand {
  static var helpPage: String { "\(abstract)\n\nusage: tracking-plan \(name) \(usage)\n\n\(details)\n" }

  /// The options for reading a plan.
  static var planOptions: [String] { ["--format", "--source"] }

  static var planHelp: String {
    """
      --format FORMAT    the plan's format, if it can't be detected from the content: \(PlanFormat.allCases.map(\.rawValue).joined(separator: ", "))
      --source NAME      reads only events that are planned for this source, such as iOS
    """
  }

  /// Reads the plan at a path, or from standard input for `-`.
  static func plan(at path: String, _ arguments: Arguments) throws -> TrackingPlan {
    var format: PlanFormat?
    if let name = arguments["--format"] {
      guard let known = PlanFormat(rawValue: name) else {
        let names = PlanFormat.allCases.map(\.rawValue)
        let nearest = EditDistance.nearest(to: name, among: names).map { "; the nearest is \($0)" }
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
      throw UsageError("\(path) can't be written: \(error.fileReason)")
    }
  }
}

extension URL {
  /// The same file, with the user's path in messages.
  fileprivate func relative(as path: String) -> URL {
    path.hasPrefix("/")
      ? self : URL(fileURLWithPath: path, relativeTo: URL(fileURLWithPath: FileManager.default.currentDirectoryPath))
  }
}
