/// An option of a verb.
struct VerbOption: Sendable {
  /// The values of an option.
  enum Kind: Sendable {
    case flag
    /// One value; the last one counts.
    case value
    /// A value each time that the option is repeated.
    case values
  }

  /// The completions of a value in a shell.
  enum Completion: Sendable {
    /// The shell's own: files.
    case files
    /// The only allowed values.
    case words([String])
    /// Words with commas between them.
    case list([String])
  }

  /// The name with its dashes.
  let name: String
  /// A letter that stands for the name.
  let letter: Character?
  /// The number of values.
  let kind: Kind
  /// The value's name in messages.
  let value: String
  /// One sentence about the option.
  let help: String
  /// The completions of the value.
  let completion: Completion

  /// Creates an option without a value.
  static func flag(_ name: String, _ help: String) -> VerbOption {
    VerbOption(name: name, letter: nil, kind: .flag, value: "", help: help, completion: .files)
  }

  /// Creates an option with a value.
  static func value(
    _ name: String, _ value: String, _ help: String, letter: Character? = nil, completion: Completion = .files
  ) -> VerbOption {
    VerbOption(name: name, letter: letter, kind: .value, value: value, help: help, completion: completion)
  }

  /// Creates an option that may be repeated.
  static func values(
    _ name: String, _ value: String, _ help: String, letter: Character? = nil, completion: Completion = .files
  ) -> VerbOption {
    VerbOption(
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

  /// Whether a word is the option's name or its letter.
  func isCalled(_ word: String) -> Bool { word == name || letter.map { word == "-\($0)" } == true }
}

struct VerbOperands: Sendable {
  /// The operands' names.
  let names: [String]
  /// Whether the last operand may be repeated.
  var isList = false
  /// Whether the last operand may be left out.
  var isOptional = false
  /// One sentence about the operands.
  let help: String
  /// The completions of an operand.
  var completion = VerbOption.Completion.files

  static let none = VerbOperands(names: [], help: "")
}
