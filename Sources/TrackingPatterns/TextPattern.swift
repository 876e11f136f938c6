import TrackingModel
import TrackingSockets

/// A regular expression that whole texts must match.
final class TextPattern: Sendable {
  private enum Look {
    case whole
    case part(String)
    case none
  }

  /// What it is called in failures: `/\d+/`.
  let name: String
  /// Why it is none, if it is none.
  let problem: String?
  /// Looks with the regex, which is not `Sendable`: it may call closures.
  private let look: Locked<(_ text: String) -> Look>

  /// The regular expression that a text is.
  init(_ source: String) {
    name = "/\(source)/"
    do {
      nonisolated(unsafe) let look = Self.look(with: try Regex(source))
      self.look = Locked(look)
      problem = nil
    } catch {
      look = Locked { _ in .none }
      problem = "\(TrackingValue.string(source)) is not a regular expression: \(error)"
    }
  }

  /// A regular expression of Swift's.
  init(_ regex: Regex<some Any>, name: String) {
    self.name = name
    problem = nil
    // Copies of a regex share what its first use prepares, and the test may keep one: so that use is made here, before any other thread has one.
    _ = try? regex.wholeMatch(in: "")
    nonisolated(unsafe) let look = Self.look(with: regex)
    self.look = Locked(look)
  }

  /// Why a text does not match; `nil` when it does.
  func miss(of text: String) -> TextMiss? {
    switch look.withLock({ look in look(text) }) {
    case .whole: nil
    case .part(let part):
      TextMiss(note: "only \(TrackingValue.string(part)) does, and all of it must", share: 0.5)
    case .none: TextMiss(share: 1)
    }
  }

  private static func look(with regex: Regex<some Any>) -> (String) -> Look {
    { text in
      // A closure inside of a regex may throw: then it does not match.
      if (try? regex.wholeMatch(in: text)) != nil { return .whole }
      guard let match = try? regex.firstMatch(in: text), !match.range.isEmpty else { return .none }
      return .part(String(text[match.range]))
    }
  }
}
