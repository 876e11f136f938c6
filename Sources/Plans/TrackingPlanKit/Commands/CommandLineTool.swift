import Foundation
import TrackingJSON
import TrackingModel
import TrackingPlan

/// The tool `tracking-plan`: runs a command and returns the process's exit code.
///
/// 0: success. 1: the plan, its coverage or a comparison fails a check. 2: invalid input or usage.
public struct CommandLineTool: Sendable {
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

  /// The options for reading a plan, for commands of other packages.
  public static let planOptions = PlanOptions.all

  private let program: String
  /// The tool's commands.
  public let commands: [PlanCommand]

  /// Creates a tool that messages call `program`, whose command `convert` also reads the plans that `reader` understands.
  public init(named program: String = "tracking-plan", reader: PlanReader? = nil) {
    self.program = program
    commands = [.check, .coverage, .compare, .generate, .draft, .convert(reading: reader)]
  }

  /// Runs a command line, given without the program's name, and returns the exit code.
  public func run(_ words: [String], output: Output = .process) -> Int32 {
    guard let word = words.first else {
      output.error(help)
      return 2
    }
    do {
      return try run(word, words.dropFirst(), output)
    } catch {
      output.errorLine("error: \(program): the output can't be written: \(error.fileReason)")
      return 2
    }
  }

  private func run(_ word: String, _ rest: ArraySlice<String>, _ output: Output) throws -> Int32 {
    if ["help", "--help", "-h"].contains(word) {
      let command = rest.first.flatMap { name in commands.first { $0.name == name } }
      try output.standard(command?.helpPage(of: program) ?? help)
      return 0
    }
    guard let command = commands.first(where: { $0.name == word }) else {
      let hint = UsageError.hint(for: word, among: commands.map(\.name))
      output.errorLine("error: \(program): unknown command \"\(word)\"; \(hint)")
      return 2
    }
    if rest.contains("--help") || rest.contains("-h") {
      try output.standard(command.helpPage(of: program))
      return 0
    }
    do {
      let arguments = try Arguments(rest, options: command.options, operands: command.operands)
      let failures = try command.run(arguments, output)
      for failure in failures { output.errorLine("\(program): \(failure)") }
      return failures.isEmpty ? 0 : 1
    } catch let error as UsageError {
      output.errorLine("error: \(program) \(command.name): \(error)")
      output.error("\(command.usage(of: program))\n")
    } catch let error as PlanError {
      output.errorLine(error.compilerMessage)
    }
    return 2
  }

  private var help: String {
    let list = commands.map { "  \($0.name.padding(toLength: 10, withPad: " ", startingAt: 0)) \($0.abstract)" }
    return """
      Checks an app's tracking plan, measures its coverage, and generates Swift types from it.

      usage: \(program) COMMAND ...

      \(list.joined(separator: "\n"))

      See `\(program) COMMAND --help`. Exit codes: 0 success, 1 a check failed, 2 invalid input or usage.

      """
  }
}

extension CommandLineTool.Output {
  /// Writes one line of the result.
  func line(_ text: String) throws { try standard(text.onOneLine + "\n") }

  /// Writes one line to standard error.
  func errorLine(_ text: String) { error(text.onOneLine + "\n") }

  /// Writes a file, or standard output for `-`.
  func write(_ text: String, to path: String) throws {
    guard path != "-" else { return try standard(text) }
    let url = URL(fileURLWithPath: path)
    do {
      try FileManager.default.createDirectory(at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
      try Data(text.utf8).write(to: url)
    } catch {
      throw UsageError("\(path) can't be written: \(error.fileReason)")
    }
  }

  /// Writes a document of JSON to standard output.
  func json(_ value: JSONTree) throws { try standard(value.text(.lines) + "\n") }
}

extension CommandLineTool {
  /// The reason why a file can't be read or written, in the system's words.
  public static func fileReason(of error: any Error) -> String { error.fileReason }

  /// The reason why a file's bytes aren't JSON, with the file's name and the line; `nil` if they are.
  public static func problem(ofJSON data: Data, named name: String) -> String? {
    do throws(JSONError) {
      _ = try JSONTree(data)
      return nil
    } catch {
      return "\(PlanError(error, in: [UInt8](data), of: name))"
    }
  }

  /// The name that a misspelt or an earlier one most likely stands for, in words: `the nearest is check`; `nil` if there is none.
  public static func hint(for name: String, among names: [String]) -> String? {
    UsageError.nearest(to: name, among: names)
  }
}
