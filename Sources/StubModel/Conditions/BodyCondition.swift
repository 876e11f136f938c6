import Foundation
import TrackingModel
import TrackingPatterns

/// A stub's condition on the body of a request.
///
/// ```swift
/// StubEndpoint(.post, "/login", body: .jsonSubset(["user": .hasPrefix("anna")]), .status(403))
/// StubEndpoint(.post, "/covers", body: .multipart(["title": "Walden", "cover": .file(named: .hasSuffix(".png"))]), .ok)
/// ```
public enum BodyCondition: Hashable, Codable, Sendable {
  /// No condition.
  case ignored
  /// These bytes.
  case exact(Data)
  /// A text in UTF-8, for example `.text(.contains("urgent"))`.
  case text(ValueMatcher)
  /// JSON that a matcher accepts: white space, the order of members and the form of numbers don't matter.
  ///
  /// A body that is nested deeper than the server's `limits.jsonDepth`, or 64 levels in an app, never matches.
  case json(ValueMatcher)
  /// JSON with at least these members, at every level; arrays must have the same length and match element by element.
  case jsonSubset(ValueMatcher)
  /// Form fields, `application/x-www-form-urlencoded`: these and no others, in any order.
  case form([String: ValueMatcher])
  /// Form fields: these; the form may have others.
  case formSubset([String: ValueMatcher])
  /// Parts of a `multipart/form-data` body (RFC 7578), by name; the body may have others.
  ///
  /// If the body repeats a name, one matching part is enough.
  case multipart([String: PartCondition])

  /// This text in UTF-8.
  @_disfavoredOverload
  public static func text(_ text: String) -> BodyCondition {
    .text(.equal(to: text))
  }

  /// JSON that is equal to a value.
  @_disfavoredOverload
  public static func json(_ value: TrackingValue) -> BodyCondition {
    .json(.equal(to: value))
  }

  /// JSON with at least the members of a value, at every level.
  @_disfavoredOverload
  public static func jsonSubset(_ value: TrackingValue) -> BodyCondition {
    .jsonSubset(.equal(to: value))
  }

  /// Form fields with these values and no others, in any order.
  @_disfavoredOverload
  public static func form(_ fields: [String: String]) -> BodyCondition {
    .form(fields.mapValues { .equal(to: $0) })
  }

  /// Form fields with these values; the form may have others.
  @_disfavoredOverload
  public static func formSubset(_ fields: [String: String]) -> BodyCondition {
    .formSubset(fields.mapValues { .equal(to: $0) })
  }

  /// The condition as words that follow a path; `nil` without one.
  var words: String? {
    switch self {
    case .ignored: nil
    case .exact(let data): "with a body of \(data.count) bytes"
    case .text(let text): "with the body \(text)"
    case .json(let value): "with the body \(value)"
    case .jsonSubset(let value): "with \(value) in its body"
    case .form(let fields): "with the form \(FieldComparison.text(fields))"
    case .formSubset(let fields): "with \(FieldComparison.text(fields)) in its form"
    case .multipart(let parts):
      "with "
        + parts.sorted { $0.key < $1.key }.map { "the part \($0.key)\($0.value.words)" }.joined(separator: " and ")
    }
  }
}

/// A condition on a part of a `multipart/form-data` body.
///
/// A literal asks for a part with this text: `["title": "Walden"]`.
public struct PartCondition: Hashable, Codable, Sendable {
  /// The condition on the part's content as text.
  public var content: ValueMatcher
  /// The condition on the file name; `nil` for none.
  public var fileName: ValueMatcher?
  /// The condition on the part's media type; `nil` for none.
  public var type: ValueMatcher?

  /// A part whose content, as text, a matcher accepts: `.text(.contains("urgent"))`.
  public static func text(_ content: ValueMatcher) -> PartCondition {
    PartCondition(content: content)
  }

  /// A part that is a file: `.file(named: .hasSuffix(".png"), type: "image/png")`.
  public static func file(
    named name: ValueMatcher = .present, type: ValueMatcher? = nil, content: ValueMatcher = .present
  ) -> PartCondition {
    PartCondition(content: content, fileName: name, type: type)
  }

  /// A part of this name, with any content.
  public static let present = PartCondition(content: .present)

  /// The condition as words that follow the part's name.
  var words: String {
    var words = content == .present ? [] : [" that is \(content)"]
    if let fileName { words.append(" in a file named \(fileName)") }
    if let type { words.append(" of the type \(type)") }
    return words.joined()
  }

  /// All its matchers.
  var matchers: [ValueMatcher] { [content] + [fileName, type].compactMap(\.self) }
}

extension PartCondition: ExpressibleByStringLiteral, ExpressibleByStringInterpolation {
  /// A part with this text.
  public init(stringLiteral value: String) {
    self.init(content: .equal(to: value))
  }
}
