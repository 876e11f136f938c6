import TrackingModel

/// A condition on a text.
enum TextCondition: Sendable {
  case contains(String)
  case prefix(String)
  case suffix(String)
  case matches(TextPattern)

  /// The difference of a text from a condition.
  struct Miss {
    /// A remark, where the texts alone don't show the difference.
    var note: String?
    /// The share that is wrong, from 0 to 1.
    let share: Double
  }

  /// The difference of a text from this condition; `nil` if it meets it.
  func miss(of text: String) -> Miss? {
    switch self {
    case .contains(let part):
      holds(for: text) ? nil : miss(of: text, expecting: part)
    case .prefix(let start):
      holds(for: text) ? nil : miss(of: String(text.prefix(start.count)), expecting: start, in: text)
    case .suffix(let end):
      holds(for: text) ? nil : miss(of: String(text.suffix(end.count)), expecting: end, in: text)
    case .matches(let pattern):
      pattern.miss(of: text)
    }
  }

  /// By bytes: UTF-8 never finds a code point in the middle of another one, and no provider looks at canonical equivalence.
  private func holds(for text: String) -> Bool {
    switch self {
    case .contains(let part): text.containsBytes(of: part)
    case .prefix(let start): text.utf8.starts(with: start.utf8)
    case .suffix(let end): text.utf8.reversed().starts(with: end.utf8.reversed())
    case .matches(let pattern): pattern.miss(of: text) == nil
    }
  }

  private func miss(of part: String, expecting expected: String, in text: String? = nil) -> Miss {
    Miss(
      note: lowercased.holds(for: (text ?? part).lowercased()) ? "matches if case is ignored" : nil,
      share: EditDistance.share(expected, part))
  }

  private var lowercased: TextCondition {
    switch self {
    case .contains(let part): .contains(part.lowercased())
    case .prefix(let start): .prefix(start.lowercased())
    case .suffix(let end): .suffix(end.lowercased())
    case .matches: self
    }
  }
}

extension TextCondition: CustomStringConvertible {
  var description: String {
    switch self {
    case .contains(let part): "a text that contains \(TrackingValue.string(part))"
    case .prefix(let start): "a text that begins with \(TrackingValue.string(start))"
    case .suffix(let end): "a text that ends with \(TrackingValue.string(end))"
    case .matches(let pattern): "a text that matches \(pattern.name)"
    }
  }
}
