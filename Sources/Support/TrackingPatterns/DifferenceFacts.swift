import Foundation
import TrackingModel

/// One difference between an entry and a pattern, for programs.
package struct DifferenceFacts: Hashable, Sendable {
  /// The path of the param, or the part of the request; `nil` for a difference of the event as a whole.
  package let param: String?
  /// The expected value, or the condition on it in words; `nil` if none was expected.
  package let expected: TrackingValue?
  /// The value; `nil` if there is none.
  package let found: TrackingValue?
  /// The difference in words.
  package let reason: String

  package init(param: String? = nil, expected: TrackingValue?, found: TrackingValue?, reason: String) {
    self.param = param
    self.expected = expected
    self.found = found
    self.reason = reason
  }
}

extension EventMismatch {
  /// The differences, for programs.
  package var facts: [DifferenceFacts] { differences.map(\.facts) }
}

extension EventDifference {
  fileprivate var facts: DifferenceFacts {
    switch self {
    case .name(let expected, let found):
      DifferenceFacts(
        expected: .string(expected), found: .string(found),
        reason: "the name is \(TrackingValue.string(found)), not \(TrackingValue.string(expected))")
    case .value(let path, let expected, let found):
      DifferenceFacts(
        param: path, expected: expected, found: found,
        reason: Self.noted("is \(found), not \(expected)", ValueNote.of(found, expected: expected)))
    case .unmet(let path, let expected, let found, let note, _):
      DifferenceFacts(
        param: path, expected: Self.value(of: expected), found: found,
        reason: Self.noted("is \(found), expected \(expected)", note))
    case .missing(let path, let expected, let instead):
      DifferenceFacts(param: path, expected: Self.value(of: expected), found: nil, reason: Self.missing(instead))
    case .extra(let path, let found):
      DifferenceFacts(param: path, expected: nil, found: found, reason: "wasn't expected")
    case .process(let expected, let found):
      DifferenceFacts(
        expected: .string(expected), found: found.map(TrackingValue.string),
        reason: "tracked by \(found.map { "the process \"\($0)\"" } ?? "an unknown process"), not by \"\(expected)\"")
    case .rule(let path, let rule, let found, let reason):
      DifferenceFacts(
        param: path.isEmpty ? nil : path, expected: .string(rule), found: found, reason: reason)
    case .condition(let text): DifferenceFacts(expected: .string(text), found: nil, reason: "expected \(text)")
    case .typed(let difference): difference.facts
    }
  }

  /// The value that a text describes in JSON, or the text itself: a condition in words.
  private static func value(of text: String) -> TrackingValue {
    (try? JSONDecoder().decode(TrackingValue.self, from: Data(text.utf8))) ?? .string(text)
  }

  private static func missing(_ instead: Instead?) -> String {
    switch instead {
    case nil: "is missing"
    case .misspelt(let param, _): "is missing; \"\(param.key)\" has a similar name"
    case .container(let path, let value): "is missing; \"\(path)\" is \(value.kind)"
    case .members(let path, let names): "is missing; \"\(path)\" has \(names.joined(separator: ", "))"
    }
  }

  private static func noted(_ text: String, _ note: String?) -> String { text + (note.map { " (\($0))" } ?? "") }
}
