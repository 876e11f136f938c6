import TrackingModel
import TrackingPatterns

/// A condition on the query of a request.
///
/// ```swift
/// query: ["page": "2", "q": .present, "debug": .absent]     // the same as .subset
/// query: .exact(["page": "2"])                              // and no other items
/// ```
///
/// Each item is compared by a ``ValueMatcher``, like params of events. Values are read leniently, so `.greater(than: 1)` accepts `page=2`. If the
/// request repeats a name, one matching value is enough; `.absent` and `.not` require that no value matches.
public struct QueryCondition: Hashable, Sendable {
  private enum Kind: Hashable, Sendable {
    case exact([String: ValueMatcher])
    case subset([String: ValueMatcher])
    case exactItems(ReceivedFields)
  }

  private let kind: Kind

  private init(_ kind: Kind) {
    self.kind = kind
  }

  /// Matches a query with exactly these items, in any order; for a repeated name, list its values: `["tag": ["a", "b"]]`.
  public static func exact(_ items: [String: ValueMatcher]) -> QueryCondition { QueryCondition(.exact(items)) }

  /// Matches a query with at least these items.
  public static func subset(_ items: [String: ValueMatcher]) -> QueryCondition { QueryCondition(.subset(items)) }

  /// Matches a query with exactly these items, in this order.
  public static func exactItems(_ items: ReceivedFields) -> QueryCondition { QueryCondition(.exactItems(items)) }
}

extension QueryCondition: RequestPart {
  static let name = "query"

  var known: KnownPart? { .line }

  var words: String? {
    switch kind {
    case .exact(let items): items.isEmpty ? "without a query" : "with the query \(FieldComparison.text(items))"
    case .subset(let items): items.isEmpty ? nil : "with \(FieldComparison.text(items)) in the query"
    case .exactItems(let items): "with the query \(items)"
    }
  }

  var matchers: [ValueMatcher] {
    switch kind {
    case .exactItems: []
    case .exact(let items), .subset(let items): Array(items.values)
    }
  }

  /// Each item is a condition, and so is the absence of others.
  var specificity: Specificity {
    let items = matchers.map(Specificity.init).sum
    return switch kind {
    case .subset: items
    case .exact: items + Specificity(conditions: 1)
    case .exactItems(let items): Specificity(conditions: items.pairs.count + 1, singleValues: items.pairs.count)
    }
  }

  func accepts(_ parsed: ParsedRequest) -> Bool {
    switch kind {
    case .exact(let wanted): FieldComparison.accepts(parsed.query, wanted, isExact: true)
    case .subset(let wanted): FieldComparison.accepts(parsed.query, wanted, isExact: false)
    case .exactItems(let wanted): parsed.query.isSame(as: wanted)
    }
  }

  func doubt(about parsed: ParsedRequest) -> String? {
    let text = parsed.request.queryText ?? ""
    guard !ReceivedFields.isText(text.utf8) || text.hasReplacement else { return nil }
    let isUnknown =
      switch kind {
      case .exact(let wanted): FieldComparison.certainty(of: parsed.query, wanted, isExact: true) == .maybe
      case .subset(let wanted): FieldComparison.certainty(of: parsed.query, wanted, isExact: false) == .maybe
      case .exactItems(let wanted): !parsed.query.isSame(as: wanted) && parsed.query.mayBeSame(as: wanted)
      }
    return isUnknown ? "the query isn't text in UTF-8" : nil
  }

  func compare(_ parsed: ParsedRequest, _ comparison: inout StubComparison) {
    switch kind {
    case .exact(let wanted): FieldComparison.compare(parsed.query, with: wanted, "query", isExact: true, &comparison)
    case .subset(let wanted): FieldComparison.compare(parsed.query, with: wanted, "query", isExact: false, &comparison)
    case .exactItems(let wanted):
      let (wantedText, foundText) = (StubDifference.quoted("\(wanted)"), StubDifference.quoted("\(parsed.query)"))
      let note = doubt(about: parsed).map { _ in "it isn't text in UTF-8" }
      let words = "the query is \(foundText), not \(wantedText)\(note.map { " (\($0))" } ?? "")"
      comparison.add(
        "query", wanted: wantedText, found: foundText, note: note,
        parsed.query.isSame(as: wanted) ? nil : StubDifference(words, weight: 0.3))
    }
  }
}

// MARK: - Form

extension QueryCondition {
  package var form: TrackingValue {
    switch kind {
    case .exact(let items): ["exact": items.form]
    case .subset(let items): ["subset": items.form]
    case .exactItems(let fields): ["exactItems": fields.pairs.form]
    }
  }

  package static func read(_ form: TrackingValue) -> QueryCondition? {
    switch form.onlyMember {
    case ("exact", let form)?: [String: ValueMatcher].read(form).map { .exact($0) }
    case ("subset", let form)?: [String: ValueMatcher].read(form).map { .subset($0) }
    case ("exactItems", let form)?: [NamedText].read(form).map { .exactItems(ReceivedFields(pairs: $0)) }
    default: nil
    }
  }
}

extension ReceivedFields {
  /// Compares items in order.
  fileprivate func isSame(as other: ReceivedFields) -> Bool {
    pairs.elementsEqual(other.pairs) { $0.name.isSameText(as: $1.name) && $0.value.isSameText(as: $1.value) }
  }

  /// Whether the items might be equal if all texts of this query could be read.
  fileprivate func mayBeSame(as other: ReceivedFields) -> Bool {
    func mayBeSame(_ text: String, _ other: String) -> Bool {
      text.isSameText(as: other) || text.hasReplacement && !other.isASCII
    }
    return pairs.elementsEqual(other.pairs) { mayBeSame($0.name, $1.name) && mayBeSame($0.value, $1.value) }
  }
}

extension QueryCondition: ExpressibleByDictionaryLiteral {
  /// Matches a query with at least these items; the last value of a repeated name counts.
  public init(dictionaryLiteral elements: (String, ValueMatcher)...) {
    self = .subset(Dictionary(elements) { $1 })
  }
}
