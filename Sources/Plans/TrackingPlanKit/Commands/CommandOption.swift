/// An option of a command.
///
/// It is declared once: `tracking-plan` parses and explains it, and `tracking plan` has it in its help and completions.
public struct CommandOption: Sendable {
  /// The values of an option.
  public enum Kind: Sendable {
    case flag
    /// One value; the last one counts.
    case value
    /// A value each time that the option is repeated.
    case values
  }

  /// The completions of a value in a shell.
  public enum Completion: Sendable {
    case none, folder
    /// Files with one of these endings; all files if the list is empty.
    case file([String])
    case words([String])
  }

  /// The name with its dashes.
  public let name: String
  /// A letter that stands for the name.
  public let letter: Character?
  /// The number of values.
  public let kind: Kind
  /// The value's name in messages.
  public let value: String
  /// One sentence about the option.
  public let help: String
  /// The completions of the value.
  public let completion: Completion

  /// Creates an option without a value.
  static func flag(_ name: String, _ help: String) -> CommandOption {
    CommandOption(name: name, letter: nil, kind: .flag, value: "", help: help, completion: .none)
  }

  /// Creates an option with a value; `choices` are the only allowed ones.
  static func value(
    _ name: String, _ value: String, _ help: String, letter: Character? = nil, completion: Completion = .none
  ) -> CommandOption {
    CommandOption(name: name, letter: letter, kind: .value, value: value, help: help, completion: completion)
  }

  /// Creates an option that may be repeated.
  static func values(
    _ name: String, _ value: String, _ help: String, letter: Character? = nil, completion: Completion = .none
  ) -> CommandOption {
    CommandOption(
      name: name, letter: letter, kind: .values, value: value, help: help + " May be repeated.", completion: completion)
  }

  /// The name with the value's: `--report <form>`.
  var usage: String {
    let names = (letter.map { "-\($0), " } ?? "") + name
    return kind == .flag ? names : "\(names) <\(value)>"
  }

  /// The allowed values; empty if there is no list of them.
  var choices: [String] {
    if case .words(let words) = completion { words } else { [] }
  }
}

/// The operands of a command.
public struct CommandOperands: Sendable {
  /// The operands' names; the last one may be repeated if `isList`.
  public let names: [String]
  /// Whether the last operand may be repeated.
  public let isList: Bool
  /// One sentence about the operands.
  public let help: String

  init(_ names: String..., isList: Bool = false, help: String) {
    self.names = names
    self.isList = isList
    self.help = help
  }
}
