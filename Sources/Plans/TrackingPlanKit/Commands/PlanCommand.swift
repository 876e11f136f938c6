import Foundation

/// A command of the tool: what it is called, what it takes, and what it does.
public struct PlanCommand: Sendable {
  /// The word for the command.
  public let name: String
  /// One line for the list of commands.
  public let abstract: String
  /// The forms of the command line, without the program and the command.
  public let usage: [String]
  /// A paragraph below the usage.
  public let discussion: String
  /// Command lines, in which `TOOL` stands for the program.
  public let examples: [String]
  /// The arguments that aren't options.
  public let operands: CommandOperands
  /// The options, in the order of the help page.
  public let options: [CommandOption]
  /// Runs the command and returns the failed checks.
  let run: @Sendable (Arguments, CommandLineTool.Output) throws -> [String]

  /// The examples with the program's name, under a heading.
  public func examples(of program: String) -> String {
    ([examples.count == 1 ? "Example:" : "Examples:"]
      + examples.map { "  " + $0.replacing("TOOL", with: program) }).joined(separator: "\n")
  }

  func usage(of program: String) -> String {
    usage.enumerated().map { index, form in
      (index == 0 ? "usage: " : "       ") + "\(program) \(name) \(form)"
    }.joined(separator: "\n")
  }

  func helpPage(of program: String) -> String {
    let operand = operands.names.map { "<\($0)>" }.joined(separator: " ")
    let rows = [(operand, operands.help)] + options.map { ($0.usage, $0.help) }
    let width = rows.map(\.0.count).max() ?? 0
    let list = rows.map { "  \($0.padding(toLength: width, withPad: " ", startingAt: 0))  \($1)" }
    return """
      \(abstract)

      \(usage(of: program))

      \(discussion)

      \(list.joined(separator: "\n"))

      \(examples(of: program))

      """
  }
}
