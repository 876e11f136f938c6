import TrackingModel
import Foundation
import TrackingPatterns

/// The share of a request's path that differs from a stub's: letters within segments, and missing or additional segments.
struct PathDistance {
  enum Segment {
    case literal(String)
    case pattern((String) -> Bool)

    fileprivate func share(of part: String) -> Double {
      switch self {
      case .literal(let text): EditDistance.share(text, part)
      case .pattern(let isMatch): isMatch(part) ? 0 : 1
      }
    }
  }

  /// Further segments aren't compared one by one.
  private static let mostSegments = 32

  private let segments: [Segment]
  /// Whether more segments may follow.
  private let isOpen: Bool

  init(_ segments: [Segment], isOpen: Bool) {
    self.segments = segments
    self.isOpen = isOpen
  }

  /// Splits a regular expression at its slashes.
  init(regex: String) {
    let parts = Self.parts(of: regex)
    self.init(parts.map(Self.segment), isOpen: false)
  }

  /// The share of the longer path that differs, from 0 to 1.
  ///
  /// Levenshtein's distance over segments, so that an additional segment at the beginning doesn't make all others wrong.
  func share(of parts: [String]) -> Double {
    let allParts = parts.prefix(Self.mostSegments)
    let allSegments = segments.prefix(Self.mostSegments)
    let longest = max(allParts.count, allSegments.count, 1)
    // Equal leading segments cost nothing, and most paths differ only in the last segment.
    let common = zip(allSegments, allParts).prefix { $0.share(of: $1) == 0 }.count
    let (otherParts, otherSegments) = (allParts.dropFirst(common), allSegments.dropFirst(common))
    var row = (0...otherParts.count).map(Double.init)
    for (index, segment) in otherSegments.enumerated() {
      var diagonal = row[0]
      row[0] = Double(index + 1)
      for (column, part) in otherParts.enumerated() {
        let changed = diagonal + segment.share(of: part)
        diagonal = row[column + 1]
        row[column + 1] = min(changed, row[column] + 1, row[column + 1] + 1)
      }
    }
    let distance =
      isOpen && allSegments.count == segments.count
      ? row[min(otherSegments.count, otherParts.count)...].min() : row.last
    return min(max((distance ?? 0) / Double(longest), 0.01), 1)
  }

  /// Splits a regular expression at slashes outside of groups and sets.
  private static func parts(of regex: String) -> [String] {
    var parts = [""]
    var depth = 0
    var isEscaped = false
    for character in regex {
      if !isEscaped {
        if "([{".contains(character) { depth += 1 }
        if ")]}".contains(character) { depth -= 1 }
      }
      if character == "/", depth == 0 {
        parts.append("")
      } else {
        parts[parts.count - 1].append(character)
      }
      isEscaped = character == "\\" && !isEscaped
    }
    // The text before the first slash, as for other paths.
    if parts.count > 1, ["", "^"].contains(parts[0]) { parts.removeFirst() }
    return parts
  }

  private static func segment(_ part: String) -> Segment {
    let literal = part.replacing("\\.", with: ".").replacing("\\-", with: "-")
    // A lone dot usually means itself rather than any character.
    guard literal.contains(where: "\\^$|?*+()[]{}".contains) else { return .literal(literal) }
    guard let expression = try? NSRegularExpression(pattern: "\\A(?:\(part))\\z") else { return .literal(literal) }
    return .pattern { text in
      expression.firstMatch(in: text, range: NSRange(text.startIndex..., in: text)) != nil
    }
  }
}
