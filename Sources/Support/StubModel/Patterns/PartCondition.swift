import Foundation
import TrackingModel
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

extension PartCondition {
  /// Whether a part meets all conditions, as far as its texts can be read, and what can't be read.
  func state(of part: ReceivedPart, in look: Look) -> (state: Look.State, unread: UnreadText?) {
    var (state, unread) = (Look.State.met, UnreadText?.none)
    func judge(_ values: [String], _ matcher: ValueMatcher, _ text: UnreadText?) {
      let found = matcher.state(of: values, in: look, text)
      if found == .unread { unread = unread ?? text }
      state = min(state, found)
    }
    if let pieces {
      if !pieces.accepts(part.data) { state = .unmet }
    } else {
      judge([part.text], content, UnreadText(part.data, type: part.headers["Content-Type"]))
    }
    if let fileName {
      let names = [part.fileName].compactMap(\.self)
      judge(names, fileName, UnreadText(names))
    }
    if let type { judge([part.type], type, UnreadText([part.type])) }
    return (state, unread)
  }
}

extension PartCondition: FormConvertible {
  package var form: TrackingValue {
    let matchers = ["content": content, "fileName": fileName, "type": type].compactMapValues { $0?.form }
    return .object(pieces.map { matchers.merging(["pieces": $0.form]) { $1 } } ?? matchers)
  }

  package static func read(_ form: TrackingValue) -> PartCondition? {
    guard case .object(let members) = form, let content = members["content"].flatMap(ValueMatcher.read) else {
      return nil
    }
    return PartCondition(
      content: content, fileName: members["fileName"].flatMap(ValueMatcher.read),
      type: members["type"].flatMap(ValueMatcher.read), pieces: members["pieces"].flatMap([Data].read))
  }
}
