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
    case fields(FieldMatchers)
    case exactItems(ReceivedFields)
  }

  private let kind: Kind

  private init(_ kind: Kind) {
    self.kind = kind
  }

  /// Matches a query with exactly these items, in any order; for a repeated name, list its values: `["tag": ["a", "b"]]`.
  public static func exact(_ items: [String: ValueMatcher]) -> QueryCondition {
    QueryCondition(.fields(FieldMatchers(items, isExact: true)))
  }

  /// Matches a query with at least these items.
  public static func subset(_ items: [String: ValueMatcher]) -> QueryCondition {
    QueryCondition(.fields(FieldMatchers(items)))
  }

  /// Matches a query with exactly these items, in this order.
  public static func exactItems(_ items: ReceivedFields) -> QueryCondition { QueryCondition(.exactItems(items)) }
}

extension QueryCondition: RequestPart {
  static let name = "query"

  var known: KnownPart { .line }

  var words: String? {
    switch kind {
    case .fields(let fields) where fields.items.isEmpty: fields.isExact ? "without a query" : nil
    case .fields(let fields): fields.isExact ? "with the query \(fields.text)" : "with \(fields.text) in the query"
    case .exactItems(let items): "with the query \(items)"
    }
  }

  var matchers: [ValueMatcher] {
    switch kind {
    case .exactItems: []
    case .fields(let fields): fields.matchers
    }
  }

  /// Each item is a condition, and so is the absence of others.
  var specificity: Specificity {
    switch kind {
    case .fields(let fields):
      matchers.map(Specificity.init).sum + Specificity(conditions: fields.isExact ? 1 : 0)
    case .exactItems(let items): Specificity(conditions: items.pairs.count + 1, singleValues: items.pairs.count)
    }
  }

  func look(_ look: inout Look) {
    switch kind {
    case .fields(let fields): fields.look(at: .query, &look)
    case .exactItems(let wanted): Self.look(&look, wanted)
    }
  }

  private static func look(_ look: inout Look, _ wanted: ReceivedFields) {
    let parsed = look.parsed
    let state: Look.State =
      parsed.query.isSame(as: wanted)
      ? .met : parsed.query.mayBeSame(as: wanted) && !parsed.isQueryText ? .unread : .unmet
    let (wantedText, foundText) = ("\(wanted)".quotedAndClipped, "\(parsed.query)".quotedAndClipped)
    let why = state == .unread ? "it isn't text in UTF-8" : nil
    look.add(
      state, doubt: "the query isn't text in UTF-8",
      Look.Row(
        "query", wanted: wantedText, found: foundText, why: why,
        "the query is \(foundText), not \(wantedText)\(why.map { " (\($0))" } ?? "")", weight: 0.3))
  }
}

// MARK: - Form

extension QueryCondition {
  package var form: TrackingValue {
    switch kind {
    case .fields(let fields): [fields.isExact ? "exact" : "subset": fields.form]
    case .exactItems(let fields): ["exactItems": fields.pairs.form]
    }
  }

  package static func read(_ form: TrackingValue) -> QueryCondition? {
    switch form.onlyMember {
    case ("exact", let form)?: FieldMatchers.read(form, isExact: true).map { QueryCondition(.fields($0)) }
    case ("subset", let form)?: FieldMatchers.read(form).map { QueryCondition(.fields($0)) }
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
