import Foundation
import TrackingPatterns

/// A condition on a part of a `multipart/form-data` body.
///
/// A literal matches a part with this text: `["title": "Walden"]`.
public struct PartCondition: Hashable, Sendable {
  /// Compares the part's content as text.
  package var content: ValueMatcher
  /// `nil` for any file name, and for none.
  package var fileName: ValueMatcher?
  /// `nil` for any media type.
  package var type: ValueMatcher?
  /// Compares the content as bytes, with any bytes between the pieces; `nil` to compare its text.
  package var pieces: [Data]?

  /// Matches a part whose content, as text, a matcher accepts: `.text(.contains("urgent"))`.
  public static func text(_ content: ValueMatcher) -> PartCondition {
    PartCondition(content: content)
  }

  /// Matches a part that is a file: `.file(named: .hasSuffix(".png"), type: "image/png")`.
  public static func file(
    named name: ValueMatcher = .present, type: ValueMatcher? = nil, content: ValueMatcher = .present
  ) -> PartCondition {
    PartCondition(content: content, fileName: name, type: type)
  }

  /// Matches a part with any content.
  public static let present = PartCondition(content: .present)

  var words: String {
    var words = content == .present ? [] : [" that is \(content)"]
    if let pieces { words.append(" that is \(pieces.words)") }
    if let fileName, fileName != .absent { words.append(" in a file named \(fileName)") }
    if let type { words.append(" of the type \(type)") }
    return words.joined()
  }

  var matchers: [ValueMatcher] { [content] + [fileName, type].compactMap(\.self) }
}

extension PartCondition: ExpressibleByStringLiteral, ExpressibleByStringInterpolation {
  /// Matches a part whose text equals the literal.
  public init(stringLiteral value: String) {
    self.init(content: .equal(to: value))
  }
}
