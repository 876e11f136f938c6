extension StubTable {
  package struct NearMiss: Sendable {
    package let endpoint: StubEndpoint
    /// In words; if nothing else differs, one sentence about the number of responses.
    package let differences: [String]
    package let comparison: StubComparison
  }

  /// The stubs to compare with an unmatched request, as they were at one moment, so that they can be compared without a lock.
  package struct Neighbours: Sendable {
    fileprivate struct Neighbour: Sendable {
      let entry: Entry
      let excuse: String
    }

    fileprivate let neighbours: [Neighbour]

    /// Whether a condition is a closure, which the server's thread must not call.
    package var haveCode: Bool { neighbours.contains { $0.entry.stub.hasCode } }

    package func nearest(to parsed: ParsedRequest) -> NearMiss? {
      parsed.method = parsed.request.method
      var best: (weight: Double, neighbour: Neighbour, comparison: StubComparison)?
      for neighbour in neighbours {
        let comparison = neighbour.entry.stub.endpoint.pattern.comparison(with: parsed)
        let weight = comparison.weight
        if best.map({ weight < $0.weight }) ?? true { best = (weight, neighbour, comparison) }
      }
      return best.map { _, neighbour, comparison in
        NearMiss(
          endpoint: neighbour.entry.stub.endpoint,
          differences: comparison.differences.isEmpty ? [neighbour.excuse] : comparison.differences.map(\.reason),
          comparison: comparison)
      }
    }
  }

  /// The stubs to compare with an unmatched request, in the order in which they are tried.
  ///
  /// In a large table, these are stubs with the same path, or whose paths begin or end most like the request's.
  package func neighbours(of parsed: ParsedRequest) -> Neighbours {
    let places = neighbouringPlaces(of: parsed, atMost: Self.mostAtOnePath)
      .sorted { isTriedBefore(entries[$0], entries[$1]) }
    return Neighbours(
      neighbours: places.map { Neighbours.Neighbour(entry: entries[$0], excuse: excuse(at: $0)) })
  }

  /// The stub most similar to a request; call it without a lock, or for a table without conditions in code.
  package func nearest(to request: ReceivedRequest) -> NearMiss? {
    let parsed = ParsedRequest(request)
    return neighbours(of: parsed).nearest(to: parsed)
  }

  /// Limits the stubs compared at the request's own path.
  private static let mostAtOnePath = 16

  private func isTriedBefore(_ entry: Entry, _ other: Entry) -> Bool {
    if entry.stub.precedence.precedes(other.stub.precedence) { return true }
    return !other.stub.precedence.precedes(entry.stub.precedence) && entry.id > other.id
  }
}
