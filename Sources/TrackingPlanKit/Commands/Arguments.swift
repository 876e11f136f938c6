import TrackingModel
import TrackingPlan

/// The arguments of a command line, parsed by a command's syntax.
package struct Arguments: Sendable {
  /// The operands, options and flags of a command.
  package struct Syntax: Sendable {
    /// The operands' names in messages; one in brackets is optional, and the last may repeat if it ends in `...`.
    let operands: [String]
    /// The options that take a value.
    let options: [String]
    let flags: [String]

    package init(operands: [String] = [], options: [String] = [], flags: [String] = []) {
      self.operands = operands
      self.options = options
      self.flags = flags
    }
  }

  package private(set) var operands: [String] = []
  private var values: [String: [String]] = [:]
  private var flags: Set<String> = []

  /// - Throws: ``UsageError`` if an argument is unknown, missing or unexpected.
  package init(_ words: some Sequence<String>, syntax: Syntax) throws(UsageError) {
    var rest = Array(words)[...]
    var onlyOperands = false
    while let word = rest.popFirst() {
      if onlyOperands || !word.hasPrefix("-") || word == "-" {
        operands.append(word)
      } else if word == "--" {
        onlyOperands = true
      } else {
        let parts = word.split(separator: "=", maxSplits: 1).map(String.init)
        let name = parts[0]
        if syntax.options.contains(name) {
          guard let value = parts.count == 2 ? parts[1] : rest.popFirst() else {
            throw UsageError("\(name) needs a value")
          }
          values[name, default: []].append(value)
        } else if syntax.flags.contains(name), parts.count == 1 {
          flags.insert(name)
        } else {
          let nearest = EditDistance.nearest(to: name, among: syntax.options + syntax.flags).map {
            "; the nearest is \($0)"
          }
          throw UsageError("unknown option \(name)\(nearest ?? "")")
        }
      }
    }
    try check(syntax.operands)
  }

  private func check(_ names: [String]) throws(UsageError) {
    let least = names.filter { !$0.hasPrefix("[") }.count
    guard operands.count >= least else { throw UsageError("\(names[operands.count]) is missing") }
    guard operands.count <= names.count || names.last?.contains("...") == true else {
      throw UsageError("unexpected argument \"\(operands[names.count])\"")
    }
  }

  package subscript(option: String) -> String? { values[option]?.last }

  package func all(_ option: String) -> [String] { values[option] ?? [] }

  package func has(_ flag: String) -> Bool { flags.contains(flag) }
}
