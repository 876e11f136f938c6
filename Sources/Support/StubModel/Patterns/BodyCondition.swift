import Foundation
import TrackingModel
import TrackingPatterns

/// A condition on the body of a request.
///
/// ```swift
/// verifier.stub(.request(.post, "/login", body: .jsonSubset(["user": .hasPrefix("anna")])), .status(403))
/// verifier.wait(for: .request(.post, "/covers", body: .multipart(["cover": .file(named: .hasSuffix(".png"))])))
/// ```
///
/// Write a variable in place of a matcher as `.equal(to: name)`.
public struct BodyCondition: Hashable, Sendable {
  enum Kind: Hashable, Sendable {
    case exact(Data)
    case text(ValueMatcher)
    case json(ValueMatcher)
    case jsonSubset(ValueMatcher)
    /// JSON without rounding, as a recording compares it.
    case exactJSON(ValueMatcher)
    case form(FieldMatchers)
    case multipart([String: PartCondition])
    /// All pieces in order, with any bytes between them.
    case pieces([Data])
    case allParts([String: [PartCondition]])
  }

  let kind: Kind

  private init(_ kind: Kind) {
    self.kind = kind
  }

  /// Matches a body with exactly these bytes.
  public static func exact(_ bytes: Data) -> BodyCondition { BodyCondition(.exact(bytes)) }

  /// Matches a body by its text in UTF-8: `.text(.contains("urgent"))`.
  public static func text(_ text: ValueMatcher) -> BodyCondition { BodyCondition(.text(text)) }

  /// Matches a body by its JSON value; white space, the order of members and the form of numbers don't matter.
  ///
  /// A body that can't be read as JSON, or is nested deeper than the server's `limits.jsonDepth` (in an app 64 levels), doesn't match a stub, and
  /// fails an absence. Whole numbers beyond 64 bits are rounded to the nearest double.
  public static func json(_ value: ValueMatcher) -> BodyCondition { BodyCondition(.json(value)) }

  /// Matches JSON with at least these members, at every level; arrays must have the same length and match element by element.
  public static func jsonSubset(_ value: ValueMatcher) -> BodyCondition { BodyCondition(.jsonSubset(value)) }

  /// Matches an `application/x-www-form-urlencoded` body with exactly these fields, in any order.
  public static func form(_ fields: [String: ValueMatcher]) -> BodyCondition {
    BodyCondition(.form(FieldMatchers(fields, isExact: true)))
  }

  /// Matches an `application/x-www-form-urlencoded` body with at least these fields.
  public static func formSubset(_ fields: [String: ValueMatcher]) -> BodyCondition {
    BodyCondition(.form(FieldMatchers(fields)))
  }

  /// Matches a `multipart/form-data` body (RFC 7578) with at least these parts, by name; one matching part of a repeated name is enough.
  public static func multipart(_ parts: [String: PartCondition]) -> BodyCondition { BodyCondition(.multipart(parts)) }

  /// Matches a body by its `exactJSON`, in which integers beyond 64 bits are equal only to themselves.
  package static func exactJSON(_ value: ValueMatcher) -> BodyCondition { BodyCondition(.exactJSON(value)) }

  /// Matches bytes that are the pieces in order, with any bytes between them.
  package static func pieces(_ pieces: [Data]) -> BodyCondition { BodyCondition(.pieces(pieces)) }

  /// Matches a `multipart/form-data` body with exactly these parts, in order within a name.
  package static func allParts(_ parts: [String: [PartCondition]]) -> BodyCondition { BodyCondition(.allParts(parts)) }
}

extension BodyCondition {
  var words: String? {
    switch kind {
    case .exact(let data): "with a body of \(data.count) bytes"
    case .text(let text): "with the body \(text)"
    case .json(let value), .exactJSON(let value): "with the body \(value)"
    case .jsonSubset(let value): "with \(value) in its body"
    case .form(let fields): fields.isExact ? "with the form \(fields.text)" : "with \(fields.text) in its form"
    case .multipart(let parts):
      "with "
        + parts.sorted { $0.key < $1.key }.map { "the part \($0.key)\($0.value.words)" }.joined(separator: " and ")
    case .pieces(let pieces):
      pieces.words.hasPrefix("\"") ? "with the body \(pieces.words)" : "with a body of \(pieces.words)"
    case .allParts(let parts):
      "with exactly the parts "
        + parts.sorted { $0.key < $1.key }.flatMap { name, parts in parts.map { "\(name)\($0.words)" } }
        .joined(separator: " and ")
    }
  }

  var matchers: [ValueMatcher] {
    switch kind {
    case .exact, .pieces: []
    case .text(let matcher), .json(let matcher), .jsonSubset(let matcher), .exactJSON(let matcher): [matcher]
    case .form(let fields): fields.matchers
    case .multipart(let parts): parts.values.flatMap(\.matchers)
    case .allParts(let parts): parts.values.joined().flatMap(\.matchers)
    }
  }

  /// A whole body counts as two conditions and a subset as one, whatever the number of fields; of bodies with open places, more fixed bytes win.
  var specificity: Specificity {
    func open(_ pieces: [Data]) -> Int { pieces.count < 2 ? 2 : pieces.map(\.count).reduce(0, +) - Int(Int32.max) }
    func same(_ conditions: Int) -> Specificity {
      Specificity(conditions: conditions, singleValues: matchers.allSatisfy(\.isOneValue) ? conditions : 0)
    }
    return switch kind {
    case .exact, .text, .json, .exactJSON: same(2)
    case .form(let fields): same(fields.isExact ? 2 : 1)
    case .jsonSubset, .multipart: same(1)
    case .pieces(let pieces): Specificity(conditions: 2, singleValues: open(pieces))
    case .allParts(let parts):
      Specificity(conditions: 2, singleValues: parts.values.joined().map { open($0.pieces ?? []) }.reduce(0, +))
    }
  }
}

extension [Data] {
  /// `"<name>…</name>"`, or the number of bytes.
  var words: String {
    let texts = compactMap { String(data: $0, encoding: .utf8) }
    guard texts.count == count else { return map(\.count).reduce(0, +).counted("byte") }
    return (texts.joined(separator: "…")).quotedAndClipped
  }

  func accepts(_ bytes: Data) -> Bool {
    guard let first, let last, bytes.starts(with: first) else { return false }
    guard count > 1 else { return bytes.count == first.count }
    var rest = bytes.dropFirst(first.count)
    for piece in dropFirst().dropLast() where !piece.isEmpty {
      guard let found = rest.range(of: piece) else { return false }
      rest = rest[found.upperBound...]
    }
    return rest.count >= last.count && rest.suffix(last.count) == last
  }
}

// MARK: - Form

extension BodyCondition {
  package var form: TrackingValue {
    switch kind {
    case .exact(let data): ["exact": data.form]
    case .text(let text): ["text": text.form]
    case .json(let value): ["json": value.form]
    case .jsonSubset(let value): ["jsonSubset": value.form]
    case .exactJSON(let value): ["exactJSON": value.form]
    case .form(let fields): [fields.isExact ? "form" : "formSubset": fields.form]
    case .multipart(let parts): ["multipart": parts.form]
    case .pieces(let pieces): ["pieces": pieces.form]
    case .allParts(let parts): ["allParts": parts.form]
    }
  }

  package static func read(_ form: TrackingValue) -> BodyCondition? {
    switch form.onlyMember {
    case ("exact", let form)?: Data.read(form).map { .exact($0) }
    case ("text", let form)?: ValueMatcher.read(form).map { .text($0) }
    case ("json", let form)?: ValueMatcher.read(form).map { .json($0) }
    case ("jsonSubset", let form)?: ValueMatcher.read(form).map { .jsonSubset($0) }
    case ("exactJSON", let form)?: ValueMatcher.read(form).map { .exactJSON($0) }
    case ("form", let form)?: FieldMatchers.read(form, isExact: true).map { BodyCondition(.form($0)) }
    case ("formSubset", let form)?: FieldMatchers.read(form).map { BodyCondition(.form($0)) }
    case ("multipart", let form)?: [String: PartCondition].read(form).map { .multipart($0) }
    case ("pieces", let form)?: [Data].read(form).map { .pieces($0) }
    case ("allParts", let form)?: [String: [PartCondition]].read(form).map { .allParts($0) }
    default: nil
    }
  }
}

extension Data: FormConvertible {
  package var form: TrackingValue { .string(base64EncodedString()) }

  package static func read(_ form: TrackingValue) -> Data? {
    if case .string(let text) = form { Data(base64Encoded: text) } else { nil }
  }
}
