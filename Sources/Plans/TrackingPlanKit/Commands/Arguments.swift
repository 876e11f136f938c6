import TrackingModel

/// The arguments of a command line, parsed by the declaration of a command.
package struct Arguments: Sendable {
  package private(set) var operands: [String] = []
  private var values: [String: [String]] = [:]

  /// - Throws: ``UsageError`` if an argument is unknown, missing or unexpected, or a value isn't one of the allowed ones.
  package init(
    _ words: some Sequence<String>, options: [CommandOption], operands expected: CommandOperands
  ) throws(UsageError) {
    var rest = Array(words)[...]
    var onlyOperands = false
    while let word = rest.popFirst() {
      if onlyOperands || !word.hasPrefix("-") || word == "-" {
        operands.append(word)
      } else if word == "--" {
        onlyOperands = true
      } else {
        let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        guard let option = options.first(where: { $0.isCalled(parts[0]) }), option.kind != .flag || parts.count == 1
        else {
          let nearest = EditDistance.nearest(to: parts[0], among: options.map(\.name))
          throw UsageError("unknown option \(parts[0])\(nearest.map { "; the nearest is \($0)" } ?? "")")
        }
        try read(option, parts.count == 2 ? parts[1] : nil, &rest)
      }
    }
    guard operands.count >= expected.names.count else {
      throw UsageError("<\(expected.names[operands.count])> is missing")
    }
    guard operands.count <= expected.names.count || expected.isList else {
      throw UsageError("unexpected argument \"\(operands[expected.names.count])\"")
    }
  }

  private mutating func read(
    _ option: CommandOption, _ written: String?, _ rest: inout ArraySlice<String>
  ) throws(UsageError) {
    guard option.kind != .flag else {
      values[option.name] = []
      return
    }
    guard let value = written ?? rest.popFirst() else { throw UsageError("\(option.name) needs a value") }
    guard option.choices.isEmpty || option.choices.contains(value) else {
      throw UsageError("\(option.name): \"\(value)\" is unknown; \(UsageError.hint(for: value, among: option.choices))")
    }
    values[option.name, default: []].append(value)
  }

  /// The value of an option; the last one if it is repeated.
  package subscript(option: CommandOption) -> String? { values[option.name]?.last }

  /// All values of an option that may be repeated.
  package func all(_ option: CommandOption) -> [String] { values[option.name] ?? [] }

  /// Whether a flag is set.
  package func has(_ flag: CommandOption) -> Bool { values[flag.name] != nil }
}

extension CommandOption {
  fileprivate func isCalled(_ word: String) -> Bool { word == name || letter.map { word == "-\($0)" } == true }
}

/// The reason why a command line can't be run.
package struct UsageError: Error, CustomStringConvertible {
  package let description: String

  package init(_ description: String) {
    self.description = description
  }

  /// The name that a misspelt one most likely stands for, or all names: `the nearest is check`.
  static func hint(for word: String, among names: [String]) -> String {
    nearest(to: word, among: names) ?? "expected one of \(names.joined(separator: ", "))"
  }

  /// The name that a misspelt or an earlier one most likely stands for, in words.
  static func nearest(to word: String, among names: [String]) -> String? {
    if word == "diff", names.contains("compare") { return "it is called compare" }
    return EditDistance.nearest(to: word, among: names).map { "the nearest is \($0)" }
  }
}
