import TrackingPatterns

/// A stub's condition on the query of a request.
///
/// ```swift
/// query: ["page": "2", "q": .present, "debug": .absent]     // the same as .subset
/// query: .exact(["page": "2"])                              // and no other items
/// ```
///
/// Each item is compared by a ``ValueMatcher``, as params of events are. Values are read leniently, so `.greater(than: 1)` accepts `page=2`.
/// If the request repeats a name, one matching value is enough, but `.absent` and `.not` need that no value matches.
public enum QueryCondition: Hashable, Codable, Sendable {
  /// No condition.
  case ignored
  /// These items and no others, in any order; a name that the request repeats doesn't match, use ``exactItems(_:)``.
  case exact([String: ValueMatcher])
  /// These items; the query may have others.
  case subset([String: ValueMatcher])
  /// These items and no others, in this order.
  case exactItems(FormFields)

  /// Items with these values and no others, in any order.
  @_disfavoredOverload
  public static func exact(_ items: [String: String]) -> QueryCondition {
    .exact(items.mapValues { .equal(to: $0) })
  }

  /// Items with these values; the query may have others.
  @_disfavoredOverload
  public static func subset(_ items: [String: String]) -> QueryCondition {
    .subset(items.mapValues { .equal(to: $0) })
  }

  /// The condition as words that follow a path; `nil` without one.
  var words: String? {
    switch self {
    case .ignored: nil
    case .exact(let items): items.isEmpty ? "without a query" : "with the query \(FieldComparison.text(items))"
    case .subset(let items): items.isEmpty ? nil : "with \(FieldComparison.text(items)) in the query"
    case .exactItems(let items): "with the query \(items)"
    }
  }
}

extension QueryCondition: ExpressibleByDictionaryLiteral {
  /// These items; the query may have others.
  ///
  /// Of a name that is written twice, the last one counts.
  public init(dictionaryLiteral elements: (String, ValueMatcher)...) {
    self = .subset(Dictionary(elements) { $1 })
  }
}
