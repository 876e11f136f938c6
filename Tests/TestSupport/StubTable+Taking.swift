import StubModel

extension StubTable {
  /// The stub that responds to a request; it counts as used.
  package mutating func take(_ request: ReceivedRequest) -> Selection? {
    let parsed = ParsedRequest(request)
    var candidates = candidates(for: parsed)
    while case .match(let match) = candidates.search(parsed, callsCode: true) {
      if let selection = count(match) { return selection }
    }
    return nil
  }
}
