import TrackingModel

/// What a text must be like.
enum TextCondition: Sendable {
  case contains(String)
  case prefix(String)
  case suffix(String)
  case matches(TextPattern)

  /// Why a text is not like that; `nil` when it is.
  func miss(of text: String) -> TextMiss? {
    switch self {
    case .contains(let part):
      part.isEmpty || text.contains(part) ? nil : miss(of: text, part) { $0.contains(part.lowercased()) }
    case .prefix(let beginning):
      text.hasPrefix(beginning)
        ? nil : miss(of: String(text.prefix(beginning.count)), beginning) { $0.hasPrefix(beginning.lowercased()) }
    case .suffix(let end):
      text.hasSuffix(end)
        ? nil : miss(of: String(text.suffix(end.count)), end) { $0.hasSuffix(end.lowercased()) }
    case .matches(let pattern):
      pattern.miss(of: text)
    }
  }

  private func miss(of text: String, _ expected: String, ignoringCase matches: (String) -> Bool) -> TextMiss {
    TextMiss(
      note: matches(text.lowercased()) ? "it does in other letter case" : nil,
      share: EditDistance.share(expected, text))
  }
}

extension TextCondition: CustomStringConvertible {
  var description: String {
    switch self {
    case .contains(let part): "a text that contains \(TrackingValue.string(part))"
    case .prefix(let beginning): "a text that begins with \(TrackingValue.string(beginning))"
    case .suffix(let end): "a text that ends with \(TrackingValue.string(end))"
    case .matches(let pattern): "a text that matches \(pattern.name)"
    }
  }

}
