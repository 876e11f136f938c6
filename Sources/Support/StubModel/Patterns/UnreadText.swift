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
  fileprivate let hasASCII: Bool
  private let subject: String
  /// `it isn't text in UTF-8`, which follows a comparison.
  var note: String { "\(subject) \(words)" }

  private init(_ words: String = "isn't text in UTF-8", of subject: String = "it", hasASCII: Bool = true) {
    (self.words, self.subject, self.hasASCII) = (words, subject, hasASCII)
  }

  /// A name that may be any name.
  static let name = UnreadText(of: "a name", hasASCII: false)

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
    self.init("is text in \(charset.clipped), not UTF-8", hasASCII: !isWide)
  }

  /// For the values of a field, of which only the text is known; `nil` if they can be read.
  init?(_ texts: [String]) {
    guard texts.contains(where: \.hasReplacement) else { return nil }
    self.init()
  }

  private static func charset(of type: String?) -> String? {
    type.flatMap { ParameterizedValue($0)?.parameters["charset"]?.lowercased() }
  }
}

extension ValueMatcher {
  /// Whether the matcher accepts the values of a field, as far as they can be read; pending if it may call code that may not run.
  ///
  /// An accepted value stays accepted unless the matcher excludes texts, which the unread one may be. A matcher of ASCII decides beside bytes that
  /// aren't UTF-8, because they can't be what it expects.
  ///
  /// - Parameters:
  ///   - isAlone: Whether the name must not be repeated, unless the matcher lists its values.
  ///   - unread: The reason why the values can't be read; `nil` if they can.
  func state(
    of values: [String], isAlone: Bool = false, in look: Look, _ unread: @autoclosure () -> UnreadText?
  ) -> Look.State {
    guard look.callsCode || closure == nil else { return .pending }
    if isAlone, values.count > 1, !isList { return .unmet }
    let accepts = accepts(values, isAlone: isAlone)
    guard !accepts || excludesTexts, let unread = unread(), !(unread.hasASCII && isOfASCII) else {
      return accepts ? .met : .unmet
    }
    return .unread
  }

  private func accepts(_ values: [String], isAlone: Bool) -> Bool {
    isAlone && isList ? accepts(.array(values.map { .string($0) })) : accepts(fieldWith: values)
  }
}

extension Look.Row {
  /// The row of a text that a matcher has judged: "q in the query is "a", not "b"".
  init(
    _ label: String, _ subject: String, wanted: ValueMatcher, found: [String], _ state: Look.State,
    _ unread: UnreadText?
  ) {
    let foundText = found.isEmpty ? "missing" : found.map(\.quotedAndClipped).joined(separator: " and ")
    let wantedText = "\(wanted)".clipped
    let miss = state == .met ? nil : wanted.miss(ofFieldWith: found)
    let why = state == .unread ? unread?.note : miss?.note
    let isExcluded = state == .unread && miss == nil
    self.init(
      label, wanted: wantedText, found: foundText, why: why,
      state == .met
        ? nil
        : isExcluded
          ? "can't tell whether \(subject) is \(wantedText): \(why ?? "")"
          : "\(subject) is \(foundText), not \(wantedText)\(why.map { " (\($0))" } ?? "")",
      weight: found.isEmpty ? 0.2 : 0.1 + 0.05 * (miss?.share ?? 0))
  }
}

extension String {
  /// Whether the text contains U+FFFD, which replaces bytes that aren't UTF-8.
  var hasReplacement: Bool { containsBytes(of: "\u{FFFD}") }

  var isASCII: Bool { utf8.allSatisfy { $0 < 0x80 } }
}
