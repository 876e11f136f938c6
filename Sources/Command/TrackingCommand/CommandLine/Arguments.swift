import TrackingModel

/// The arguments of a command line, parsed by a verb's declaration.
struct Arguments: Sendable {
  private(set) var operands: [String] = []
  private var values: [String: [String]] = [:]

  /// - Throws: ``UsageError`` if an argument is unknown, missing or unexpected, or a value isn't one of the allowed ones.
  init(
    _ words: some Sequence<String>, options: [VerbOption], operands expected: VerbOperands
  ) throws(UsageError) {
    var rest = Array(words)[...]
    var onlyOperands = false
    while let word = rest.popFirst() {
      if onlyOperands || !word.hasPrefix("-") || word == "-" {
        if !onlyOperands, let verb = expected.commandOf {
          let words = Array(words)
          let line = [words.dropLast(rest.count + 1), ["--", word], Array(rest)].joined().joined(separator: " ")
          throw UsageError("a command comes after --: tracking \(verb) \(line)")
        }
        operands.append(word)
      } else if word == "--" {
        onlyOperands = true
      } else {
        let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        guard let option = options.first(where: { $0.isCalled(parts[0]) }), option.kind != .flag || parts.count == 1
        else {
          let nearest = EditDistance.nearest(to: parts[0], among: options.map(\.name)).map { "the nearest is \($0)" }
          throw UsageError(
            "unknown option \(parts[0])\((UsageError.earlier[parts[0]] ?? nearest).map { "; \($0)" } ?? "")")
        }
        guard option.kind == .values || values[option.name] == nil else {
          throw UsageError("\(option.name) is given twice")
        }
        guard option.kind != .flag else {
          values[option.name] = []
          continue
        }
        let isNext = rest.first.map { next in options.contains { $0.isCalled(next) } } ?? true
        guard let value = parts.count == 2 ? parts[1] : isNext ? nil : rest.popFirst() else {
          throw UsageError("\(option.name) needs a value: <\(option.value)>")
        }
        try add(value, of: option)
      }
    }
    guard !onlyOperands || !expected.isCommand || !operands.isEmpty else {
      throw UsageError("the command after -- is missing")
    }
    guard operands.count >= expected.names.count - (expected.isOptional ? 1 : 0) else {
      throw UsageError("<\(expected.names[operands.count])> is missing")
    }
    guard operands.count <= expected.names.count || expected.isList else {
      throw UsageError("unexpected argument \"\(operands[expected.names.count])\"")
    }
  }

  private mutating func add(_ value: String, of option: VerbOption) throws(UsageError) {
    guard option.choices.isEmpty || option.choices.contains(value) else {
      throw UsageError("\(option.name): \(UsageError.unknown(value, among: option.choices))")
    }
    values[option.name, default: []].append(value)
  }

  subscript(option: VerbOption) -> String? { values[option.name]?.last }

  func all(_ option: VerbOption) -> [String] { values[option.name] ?? [] }

  func has(_ option: VerbOption) -> Bool { values[option.name] != nil }

  func integer(_ option: VerbOption, in range: ClosedRange<Int>) throws(UsageError) -> Int? {
    guard let text = self[option] else { return nil }
    guard let number = Int(text), range.contains(number) else {
      let limit =
        range.upperBound == .max ? "of at least \(range.lowerBound)" : "from \(range.lowerBound) to \(range.upperBound)"
      throw UsageError("\(option.name): \"\(text)\" isn't a whole number \(limit)")
    }
    return number
  }

  /// The value of an option as a number; `limits` describes the allowed ones: `above 0 and at most 24`.
  func number(
    _ option: VerbOption, _ limits: String, _ isAllowed: (Double) -> Bool
  ) throws(UsageError) -> Double? {
    guard let text = self[option] else { return nil }
    guard let number = Double(text), isAllowed(number) else {
      throw UsageError("\(option.name): \"\(text)\" isn't a number \(limits)")
    }
    return number
  }
}

/// The reason that a command line can't be run.
struct UsageError: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) {
    self.description = description
  }

  /// Hints for removed verbs and options.
  static let earlier = [
    "ask": "`tracking wait` takes JSON, too: tracking wait '{…}', or tracking wait - < FILE",
    "import": "record the backend instead of reading a HAR file: `tracking record URL FOLDER`",
    "--device": "use a simulator, or forward the port over a cable, as `adb reverse` does",
    "--interface": "`serve` listens on this machine alone",
    "--hours": "end `serve` with SIGINT or SIGTERM",
  ]

  /// The error for an unknown word: `"chek" is unknown; the nearest is check`.
  static func unknown(_ word: String, among names: [String]) -> String {
    "\"\(word)\" is unknown; \(hint(for: word, among: names))"
  }

  /// The name that was most likely meant, or all names: `the nearest is check`.
  static func hint(for word: String, among names: [String], prefix: String = "expected one of") -> String {
    EditDistance.nearest(to: word, among: names).map { "the nearest is \($0)" }
      ?? "\(prefix) \(names.joined(separator: ", "))"
  }
}
