import StubModel

extension StubTable {
  /// The stub that answers a request; it counts as used.
  package mutating func take(_ request: ReceivedRequest) -> Selection? {
    let reading = ParsedRequest(request)
    var candidates = candidates(for: reading)
    while case .match(let match) = candidates.search(reading, callsCode: true) {
      if let selection = count(match) { return selection }
    }
    return nil
  }
}
