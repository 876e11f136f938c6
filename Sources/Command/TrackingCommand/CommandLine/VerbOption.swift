struct VerbOption: Sendable {
  enum Kind: Sendable {
    case flag
    /// One value.
    case value
    /// A value for each time that the option is repeated.
    case values
  }

  enum Completion: Sendable {
    /// The shell completes files.
    case files
    /// The only allowed values.
    case words([String])
    /// Words with commas between them.
    case list([String])
  }

  /// The name with its dashes.
  let name: String
  /// A single letter for the name.
  let letter: Character?
  let kind: Kind
  /// The value's name in messages.
  let value: String
  let help: String
  let completion: Completion

  static func flag(_ name: String, _ help: String) -> VerbOption {
    VerbOption(name: name, letter: nil, kind: .flag, value: "", help: help, completion: .files)
  }

  static func value(
    _ name: String, _ value: String, _ help: String, letter: Character? = nil, completion: Completion = .files
  ) -> VerbOption {
    VerbOption(name: name, letter: letter, kind: .value, value: value, help: help, completion: completion)
  }

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

  /// The allowed values; empty if they aren't listed.
  var choices: [String] {
    if case .words(let words) = completion { words } else { [] }
  }

  func isCalled(_ word: String) -> Bool { word == name || letter.map { word == "-\($0)" } == true }
}

struct VerbOperands: Sendable {
  let names: [String]
  /// Whether the last operand may be repeated.
  var isList = false
  /// Whether the last operand may be omitted.
  var isOptional = false
  /// The verb, if they are a command with its arguments, which come only after `--`.
  var commandOf: String?
  let help: String
  var completion = VerbOption.Completion.files

  var isCommand: Bool { commandOf != nil }

  static let none = VerbOperands(names: [], help: "")
}
