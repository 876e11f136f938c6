/// The rank of a stub among those that match the same request.
package struct StubPrecedence: Hashable, Sendable {
  private let rank: PathMatcher.Rank
  private let isRecorded: Bool
  private let specificity: Specificity

  init(_ stub: StubEndpoint) {
    rank = stub.pattern.condition.rank
    specificity = stub.pattern.condition.specificity
    isRecorded = !stub.results.isEmpty && stub.results.allSatisfy(\.isRecorded)
  }

  /// Whether a stub responds to requests that both stubs match: decided by the path, then by the number of conditions, then by how many of them
  /// name one value.
  ///
  /// If the paths are of the same kind, a test's stub precedes a recorded one, whose conditions no one has chosen.
  package func precedes(_ other: StubPrecedence) -> Bool {
    if rank != other.rank { return rank < other.rank }
    if isRecorded != other.isRecorded { return !isRecorded }
    if specificity.conditions != other.specificity.conditions {
      return specificity.conditions > other.specificity.conditions
    }
    return specificity.singleValues > other.specificity.singleValues
  }
}

extension RequestPattern {
  /// Whether a stub with this pattern responds to requests that both match.
  package func precedes(_ other: RequestPattern) -> Bool {
    StubPrecedence(StubEndpoint(self, [])).precedes(StubPrecedence(StubEndpoint(other, [])))
  }

  /// The keys under which a table finds the pattern; `nil` if its path isn't literal.
  var keys: [Int]? {
    let keys = condition.rank == .literal ? condition.keys : []
    return keys.isEmpty ? nil : keys
  }
}

extension RequestPattern.Condition {
  /// The path's generality: the more specific one of two that must both match, the more general one of alternatives.
  fileprivate var rank: PathMatcher.Rank {
    switch self {
    case .parts(let matcher): matcher.rank
    case .both(let left, let right): min(left.rank, right.rank)
    case .either(let left, let right): max(left.rank, right.rank)
    case .impossible, .responded, .not: .pathless
    }
  }

  fileprivate var specificity: Specificity {
    switch self {
    case .parts(let matcher): return matcher.specificity
    case .both(let left, let right): return left.specificity + right.specificity
    case .either(let left, let right):
      let (first, second) = (left.specificity, right.specificity)
      return Specificity(
        conditions: min(first.conditions, second.conditions),
        singleValues: min(first.singleValues, second.singleValues))
    case .impossible, .responded, .not: return Specificity(conditions: 1)
    }
  }

  fileprivate var keys: [Int] {
    switch self {
    case .parts(let matcher): [matcher.key].compactMap(\.self)
    case .both(let left, let right): left.rank == .literal ? left.keys : right.keys
    case .either(let left, let right): Array(Set(left.keys + right.keys))
    case .impossible, .responded, .not: []
    }
  }
}
