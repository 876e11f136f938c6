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
  package var facts: [DifferenceFacts] {
    differences.map {
      DifferenceFacts(
        param: $0.path.isEmpty ? nil : $0.path, expected: $0.expected.value, found: $0.found, reason: $0.reason)
    }
  }
}
