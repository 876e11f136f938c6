import TrackingModel

/// A regular expression that must match whole texts.
final class TextPattern: ValueCode {
  private enum Look {
    case whole
    case part(String)
    case none
  }

  /// The name in failures: `/\d+/`.
  let name: String
  /// The pattern as text; `nil` for a `Regex`, which has no text.
  let source: String?
  let problem: String?
  /// Applies the regex, which isn't `Sendable` since it may call closures; without a lock, because these may use the verifier.
  private nonisolated(unsafe) let look: (_ text: String) -> Look

  init(_ source: String) {
    name = "/\(source)/"
    self.source = source
    do {
      look = Self.look(with: try Regex(source))
      problem = nil
    } catch {
      look = { _ in .none }
      problem = "\(TrackingValue.string(source)) is not a regular expression: \(error)"
    }
  }

  init(_ regex: Regex<some Any>, name: String) {
    self.name = name
    source = nil
    problem = nil
    look = Self.look(with: regex)
  }

  /// The most consecutive combining characters in a text that a regex is applied to: comparing characters takes time quadratic in their number.
  private static let mostCombiningCharacters = 100

  func miss(of text: String) -> ValueMiss? {
    guard text.isStreamSafe(upTo: Self.mostCombiningCharacters) else {
      return ValueMiss(
        note: "it has more than \(Self.mostCombiningCharacters) combining characters in a row", share: 1)
    }
    return switch look(text) {
    case .whole: nil
    case .part(let part):
      ValueMiss(note: "only \(TrackingValue.string(part)) matches, and the whole text must", share: 0.5)
    case .none: ValueMiss(share: 1)
    }
  }

  /// The function that applies a regex.
  ///
  /// Copies of a regex share what its first use prepares, and the test may keep a copy. So the first use is here, before other threads have the
  /// regex; later uses only read.
  private static func look(with regex: Regex<some Any>) -> (String) -> Look {
    _ = try? regex.wholeMatch(in: "")
    return { text in
      // A closure in the regex threw: no match.
      if (try? regex.wholeMatch(in: text)) != nil { return .whole }
      guard let match = try? regex.firstMatch(in: text), !match.range.isEmpty else { return .none }
      return .part(String(text[match.range]))
    }
  }
}
