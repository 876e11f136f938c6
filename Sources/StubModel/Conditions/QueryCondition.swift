/// What a stub asks of a request's query.
public enum QueryCondition: Hashable, Codable, Sendable {
  /// Nothing.
  case ignored
  /// These items and no others, in any order; a name that the request repeats has to be asked for with ``exactItems(_:)``.
  case exact([String: String])
  /// These items among others.
  case subset([String: String])
  /// These items and no others, in this order.
  case exactItems(FormFields)

  /// The condition in words that go on from a path; `nil` without one.
  var words: String? {
    switch self {
    case .ignored: nil
    case .exact(let items): items.isEmpty ? "without a query" : "with the query \(Self.text(items))"
    case .subset(let items): "with \(Self.text(items)) in the query"
    case .exactItems(let items): "with the query \(items)"
    }
  }

  /// How many parts of a request it looks at.
  var constrainedParts: Int {
    switch self {
    case .ignored: 0
    case .exact(let items): items.count + 1
    case .subset(let items): items.count
    case .exactItems(let items): items.items.count + 1
    }
  }

  static func text(_ items: [String: String]) -> String {
    items.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }.joined(separator: "&")
  }
}
