import TrackingModel
import TrackingPatterns

/// Conditions on one request, prepared for looks (a class, because each look at each stub would copy its references).
package final class RequestMatcher: Sendable {
  package let conditions: RequestConditions
  private let method: MethodCondition?
  let path: PathMatcher
  private let others: [any RequestPart]
  /// Whether a condition is a closure, or may call one.
  let hasCode: Bool
  /// Whether deciding needs the whole body; code may read any part.
  let needsBody: Bool
  let specificity: Specificity

  /// Throws the invalid path, host, method or other condition.
  package init(_ conditions: RequestConditions) throws(StubError) {
    let parts = conditions.parts.list
    if let problem = parts.lazy.compactMap(\.problem).first { throw problem }
    if let problem = PatternProblem.all(of: parts.flatMap(\.matchers).map(\.invalidity)) { throw .condition(problem) }
    self.conditions = conditions
    path = try PathMatcher(conditions.path)
    method = conditions.parts.first(MethodCondition.self)
    others = parts.filter { !($0 is MethodCondition) }
    hasCode = conditions.code != nil
    needsBody = parts.contains { $0.known == .all }
    specificity =
      Specificity(conditions: path.literalSegments, singleValues: path.literalSegments)
      + parts.map(\.specificity).sum
  }

  var rank: PathMatcher.Rank { path.rank }

  /// The key under which a table finds the path; `nil` if it isn't literal.
  var key: Int? { path.key }

  func look(_ look: inout Look) {
    // The method decides first, because that is cheapest, and is shown after the path.
    if !look.explains, let method, !method.accepts(look.parsed) { return look.add(.unmet) }
    path.look(&look)
    if look.explains, let method { look.add(method) }
    for part in others where !look.isSettled { look.add(part) }
  }
}

extension RequestMatcher: Hashable {
  package static func == (left: RequestMatcher, right: RequestMatcher) -> Bool { left.conditions == right.conditions }

  package func hash(into hasher: inout Hasher) {
    hasher.combine(conditions)
  }
}

// MARK: - For another process

extension RequestMatcher: Codable {
  package convenience init(from decoder: any Decoder) throws { try self.init(RequestConditions(from: decoder)) }

  package func encode(to encoder: any Encoder) throws { try conditions.encode(to: encoder) }
}
