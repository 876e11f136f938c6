import TrackingModel

enum TextCondition: Sendable {
  case contains(String)
  case prefix(String)
  case suffix(String)
  case matches(TextPattern)

  private func miss(of text: String) -> ValueMiss? {
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

  /// By bytes: UTF-8 never contains a code point in the middle of another, and providers ignore canonical equivalence.
  private func holds(for text: String) -> Bool {
    switch self {
    case .contains(let part): text.containsBytes(of: part)
    case .prefix(let start): text.utf8.starts(with: start.utf8)
    case .suffix(let end): text.utf8.reversed().starts(with: end.utf8.reversed())
    case .matches(let pattern): pattern.miss(of: text) == nil
    }
  }

  private func miss(of part: String, expecting expected: String, in text: String? = nil) -> ValueMiss {
    ValueMiss(
      note: lowercased.holds(for: (text ?? part).lowercased()) ? "matches if case is ignored" : nil,
      share: EditDistance.share(expected, part))
  }

  var lowercased: TextCondition {
    switch self {
    case .contains(let part): .contains(part.lowercased())
    case .prefix(let start): .prefix(start.lowercased())
    case .suffix(let end): .suffix(end.lowercased())
    case .matches: self
    }
  }
}

extension TextCondition: ValueTest {
  func miss(of value: TrackingValue, _ leniency: Leniency) -> ValueMiss? {
    guard let text = value.text(leniency) else { return .kind(of: value) }
    return miss(of: text)
  }

  var form: TrackingValue {
    switch self {
    case .contains(let part): ["containsText": .string(part)]
    case .prefix(let start): ["prefix": .string(start)]
    case .suffix(let end): ["suffix": .string(end)]
    case .matches(let pattern): pattern.source.map { ["matches": .string($0)] } ?? ["regex": .string(pattern.name)]
    }
  }

  static func read(_ name: String, _ value: TrackingValue) -> TextCondition? {
    guard case .string(let text) = value else { return nil }
    return switch name {
    case "containsText": .contains(text)
    case "prefix": .prefix(text)
    case "suffix": .suffix(text)
    case "matches": .matches(TextPattern(text))
    default: nil
    }
  }

  var isOfASCII: Bool {
    switch self {
    case .contains(let text), .prefix(let text), .suffix(let text): text.utf8.allSatisfy { $0 < 0x80 }
    case .matches: false
    }
  }

  var problem: String? { if case .matches(let pattern) = self { pattern.problem } else { nil } }

  var code: (any ValueCode)? {
    if case .matches(let pattern) = self, pattern.source == nil { pattern } else { nil }
  }

  var description: String {
    switch self {
    case .contains(let part): "a text that contains \(TrackingValue.string(part))"
    case .prefix(let start): "a text that begins with \(TrackingValue.string(start))"
    case .suffix(let end): "a text that ends with \(TrackingValue.string(end))"
    case .matches(let pattern): "a text that matches \(pattern.name)"
    }
  }
}

// MARK: - Matchers

extension ValueMatcher {
  /// Accepts a text that contains another: `.contains("checkout")`; texts are compared by their UTF-8 bytes.
  public static func contains(_ part: String) -> ValueMatcher {
    ValueMatcher(TextCondition.contains(part))
  }

  /// Accepts a text that begins with another: `.hasPrefix("https://")`; texts are compared by their UTF-8 bytes.
  public static func hasPrefix(_ prefix: String) -> ValueMatcher {
    ValueMatcher(TextCondition.prefix(prefix))
  }

  /// Accepts a text that ends with another: `.hasSuffix("_screen")`; texts are compared by their UTF-8 bytes.
  public static func hasSuffix(_ suffix: String) -> ValueMatcher {
    ValueMatcher(TextCondition.suffix(suffix))
  }

  /// Accepts a text that matches a regular expression as a whole.
  ///
  /// ```swift
  /// .named("order", params: ["id": .matches(#"A-\d{6}"#), "note": .matches(".*gift.*")])
  /// ```
  ///
  /// The syntax is that of Swift's `Regex`. An invalid expression accepts nothing, even inside a ``not(_:)``, and the failure says what is wrong
  /// with it.
  public static func matches(_ pattern: String) -> ValueMatcher {
    ValueMatcher(TextCondition.matches(TextPattern(pattern)))
  }

  /// Accepts a text that matches a Swift `Regex` as a whole: `.matches(/A-\d{6}/, as: "an order number")`.
  ///
  /// A `Regex` can't be printed, so failures show its description. Closures in it may be called on several threads at once, with no lock held.
  public static func matches(_ regex: Regex<some Any>, as description: String = "a regular expression") -> ValueMatcher
  {
    ValueMatcher(TextCondition.matches(TextPattern(regex, name: description)))
  }
}
