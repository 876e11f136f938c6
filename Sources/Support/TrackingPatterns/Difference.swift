import TrackingModel

/// A difference between an event or a request and a pattern, or between a value and a matcher.
package struct Difference: Hashable, Sendable {
  package enum Kind: Hashable, Sendable {
    case name
    /// A value that isn't accepted.
    case value
    case missing
    case extra
    /// Another process than the expected one, or an unknown one, tracked the event.
    case process
    /// A condition on the whole event doesn't hold.
    case condition
    /// A keyword of a schema, which is what is expected, is broken; the note is the reason.
    case rule
    /// A part of a request, which the path names; what is expected and found are words.
    case part
  }

  package enum Expectation: Hashable, Sendable {
    case nothing
    case value(TrackingValue)
    /// The description of a matcher, a condition, or a keyword.
    case words(String)
  }

  /// The value found in place of a missing one.
  package enum Instead: Hashable, Sendable {
    /// A param with a similar name, which the pattern doesn't name.
    case misspelt(TrackingParam, TrackingValue)
    /// The value at which the path ends early.
    case container(path: String, TrackingValue)
    /// The names of the members where the path ends early.
    case members(path: String, [String])
  }

  package let kind: Kind
  /// A param or a part of one, such as `items[0].price`; empty for the event, or the value, as a whole.
  package let path: String
  package let expected: Expectation
  package let found: TrackingValue?
  package let instead: Instead?
  /// A matcher's note, if the value alone doesn't show the difference; a rule's reason.
  package let note: String?
  /// The difference in words, if it has its own.
  private(set) var sentence: String?
  /// The distance from matching, above 0; 0 for a part of a request that matches.
  package private(set) var weight: Double
  /// Whether it is the first reason why the event can't be decoded as a typed one.
  ///
  /// Whether the other params fit isn't known.
  private(set) var isOfTypedEvent = false

  private init(
    _ kind: Kind, path: String = "", expected: Expectation, found: TrackingValue? = nil, instead: Instead? = nil,
    note: String? = nil, weight: Double
  ) {
    (self.kind, self.path, self.expected, self.found) = (kind, path, expected, found)
    (self.instead, self.note, self.weight) = (instead, note, weight)
  }
}

extension Difference.Expectation: CustomStringConvertible {
  package var description: String {
    switch self {
    case .nothing: "absent"
    case .value(let value): "\(value)"
    case .words(let words): words
    }
  }

  /// The value, or the words as a text.
  package var value: TrackingValue? {
    switch self {
    // A plain `nil` would be JSON's null.
    case .nothing: .none
    case .value(let value): .some(value)
    case .words(let words): .string(words)
    }
  }

  /// The text, if a text is expected, or the words.
  var plainText: String { value?.plainText ?? "" }
}

// MARK: - Making

extension Difference {
  static func name(expected: String, found: String) -> Difference {
    Difference(
      .name, expected: .value(.string(expected)), found: .string(found),
      weight: MismatchWeight.name(found, expected: expected))
  }

  static func value(path: String, expected: TrackingValue, found: TrackingValue) -> Difference {
    Difference(
      .value, path: path, expected: .value(expected), found: found,
      weight: MismatchWeight.value(found, expected: expected))
  }

  /// A matcher, given in words, doesn't accept the value.
  static func unmet(
    path: String, expected: String, found: TrackingValue, note: String?, weight: Double
  ) -> Difference {
    Difference(.value, path: path, expected: .words(expected), found: found, note: note, weight: weight)
  }

  static func missing(path: String, expected: Expectation, instead: Instead?) -> Difference {
    let isMisspelt = if case .misspelt? = instead { true } else { false }
    return Difference(
      .missing, path: path, expected: expected, instead: instead,
      weight: isMisspelt ? MismatchWeight.misspeltParam : MismatchWeight.missing)
  }

  static func extra(path: String, found: TrackingValue) -> Difference {
    Difference(.extra, path: path, expected: .nothing, found: found, weight: MismatchWeight.extra)
  }

  static func process(expected: String, found: String?) -> Difference {
    Difference(
      .process, expected: .value(.string(expected)), found: found.map(TrackingValue.string),
      weight: MismatchWeight.process)
  }

  static func condition(_ words: String) -> Difference {
    Difference(.condition, expected: .words(words), weight: MismatchWeight.condition)
  }

  package static func rule(path: String, keyword: String, found: TrackingValue?, reason: String) -> Difference {
    Difference(
      .rule, path: path, expected: .words(keyword), found: found, note: reason, weight: MismatchWeight.condition)
  }

  /// Without a sentence, it is "the path is /a, not /b".
  package static func part(
    _ label: String, expected: String, found: String, note: String?, sentence: String?, weight: Double
  ) -> Difference {
    var difference = Difference(
      .part, path: label, expected: .words(expected), found: .string(found), note: note, weight: weight)
    difference.sentence = sentence
    return difference
  }

  /// The difference with another sentence and weight.
  package func saying(_ sentence: String, weight: Double) -> Difference {
    var difference = self
    (difference.sentence, difference.weight) = (sentence, weight)
    return difference
  }

  /// The difference as the first reason why an event can't be decoded.
  var ofTypedEvent: Difference {
    var difference = self
    difference.isOfTypedEvent = true
    return difference
  }
}

extension [Difference] {
  /// The distance from matching of what has these differences.
  var distance: Double { reduce(0) { $0 + $1.weight } }
}

// MARK: - Words

extension Difference {
  /// A note on an inconspicuous difference between two values.
  var noteOnValues: String? {
    guard kind == .value, case .value(let expected) = expected, let found else { return nil }
    return ValueNote.of(found, expected: expected)
  }

  var shownNote: String? { noteOnValues ?? note }

  /// The difference in words; those of an event can follow the path.
  package var reason: String {
    if let sentence { return sentence }
    switch kind {
    case .name: return "the name is \(TrackingValue.string(foundText)), not \(expected)"
    case .value:
      let word = if case .value = expected { "not" } else { "expected" }
      return "is \(found.map { "\($0)" } ?? ""), \(word) \(expected)\(shownNote.map { " (\($0))" } ?? "")"
    case .missing:
      return switch instead {
      case nil: "is missing"
      case .misspelt(let param, _)?: "is missing; \"\(param.key)\" has a similar name"
      case .container(let path, let value)?: "is missing; \"\(path)\" is \(value.kind)"
      case .members(let path, let names)?: "is missing; \"\(path)\" has \(names.joined(separator: ", "))"
      }
    case .extra: return "wasn't expected"
    case .process: return "tracked by \(processWords), not by \"\(expected.plainText)\""
    case .condition: return "expected \(expected)"
    case .rule: return note ?? ""
    case .part: return "the \(path) is \(foundText), not \(expected)\(note.map { ": \($0)" } ?? "")"
    }
  }

  /// The found name.
  var foundText: String { found?.plainText ?? "" }

  /// The process that tracked the event.
  var processWords: String { found.map { "the process \"\($0.plainText)\"" } ?? "an unknown process" }
}
