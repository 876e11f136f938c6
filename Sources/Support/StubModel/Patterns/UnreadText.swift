import Foundation
import TrackingModel
import TrackingPatterns

/// The reason why a text of a request can't be read: its bytes aren't UTF-8, or are of another charset.
///
/// Texts of requests have U+FFFD in place of bytes that aren't UTF-8.
struct UnreadText {
  /// `isn't text in UTF-8`, which follows the name of the part.
  let words: String
  /// Whether its ASCII letters are known.
  private let hasASCII: Bool
  private let subject: String
  /// `it isn't text in UTF-8`, which follows a comparison.
  var note: String { "\(subject) \(words)" }

  private init(_ words: String = "isn't text in UTF-8", of subject: String = "it", hasASCII: Bool = true) {
    (self.words, self.subject, self.hasASCII) = (words, subject, hasASCII)
  }

  /// For a body or a part of this media type; `nil` if it can be read.
  init?(_ bytes: Data, type: String?) {
    guard let charset = Self.charset(of: type), !["utf-8", "utf8", "us-ascii", "ascii"].contains(charset) else {
      guard String(data: bytes, encoding: .utf8) == nil else { return nil }
      self.init()
      return
    }
    // Other charsets contain ASCII, too.
    let isWide = ["utf-16", "utf-32", "ucs-", "iso-10646"].contains { charset.hasPrefix($0) }
    guard isWide ? !bytes.isEmpty : bytes.contains(where: { $0 >= 0x80 }) else { return nil }
    self.init("is text in \(StubDifference.shortened(charset)), not UTF-8", hasASCII: !isWide)
  }

  /// For the values of a field, or for several names; `nil` if they can be read.
  init?(_ texts: [String], isOfNames: Bool = false) {
    guard texts.contains(where: \.hasReplacement) else { return nil }
    // An unreadable name may be any name.
    self.init(of: isOfNames ? "a name" : "it", hasASCII: !isOfNames)
  }

  private static func charset(of type: String?) -> String? {
    type.flatMap { ParameterizedValue($0)?.parameters["charset"]?.lowercased() }
  }

  /// Whether a matcher decides as it would if the text could be read.
  func isDecided(by matcher: ValueMatcher) -> Bool { hasASCII && matcher.isOfASCII }

  /// Whether a matcher accepts the values of a field, as far as they can be read.
  static func certainty(of values: [String], _ matcher: ValueMatcher, _ unread: UnreadText?) -> Certainty {
    let accepts = matcher.accepts(fieldWith: values)
    guard let unread, !unread.isDecided(by: matcher), !accepts || matcher.excludesTexts else {
      return accepts ? .yes : .no
    }
    return .maybe
  }
}

extension String {
  /// Whether the text contains U+FFFD, which replaces bytes that aren't UTF-8.
  var hasReplacement: Bool { containsBytes(of: "\u{FFFD}") }

  var isASCII: Bool { utf8.allSatisfy { $0 < 0x80 } }
}
