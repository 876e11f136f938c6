import Foundation

extension BackendRecording {
  /// Stubs with the backends' responses: for each set of conditions in the recorded order, from their epoch on.
  ///
  /// The article "Record a backend" of StubRecording has the rules.
  package var stubs: [StubEndpoint] {
    var groups: [(conditions: RecordedConditions, exchanges: [Epoch])] = []
    var places: [RecordedConditions: Int] = [:]
    func add(_ exchange: Epoch, _ conditions: RecordedConditions) {
      let place = places[conditions, default: groups.count]
      places[conditions] = place
      if place == groups.count { groups.append((conditions, [])) }
      groups[place].exchanges.append(exchange)
    }
    let all = Array(zip(epochs, conditions))
    for (exchange, conditions) in all { add(exchange, conditions) }
    // An app with an empty cache sends no validators: it gets full responses without validators, unless one is recorded.
    let recorded = groups
    for (exchange, conditions) in all where exchanges[exchange.index].response.status != 304 {
      let plain = conditions.withoutValidators
      guard plain != conditions else { continue }
      let own = places[plain].flatMap { $0 < recorded.count ? recorded[$0].exchanges : nil } ?? []
      if !own.contains(where: { $0.epoch == exchange.epoch }) { add(exchange, plain) }
    }
    // The most specific open path is installed last, and so tried first.
    let order = groups.indices.sorted {
      (groups[$0].conditions.openPathLength, $0) < (groups[$1].conditions.openPathLength, $1)
    }
    return order.flatMap { stubs(groups[$0].conditions.pattern, groups[$0].exchanges) }
  }

  private func stubs(_ pattern: RequestPattern, _ group: [Epoch]) -> [StubEndpoint] {
    var stubs: [StubEndpoint] = []
    let byEpoch = Dictionary(grouping: group) { $0.next > 0 ? 0 : $0.epoch }
    var last: StubResponse?
    for (epoch, group) in byEpoch.sorted(by: { $0.key < $1.key }) {
      var results = group.map {
        StubResponse(exchanges[$0.index].response, to: exchanges[$0.index].request.method, followedBy: $0.next)
      }
      // The last response repeats, so its copies add nothing.
      while results.count > 1, results[results.count - 1] == results[results.count - 2] { results.removeLast() }
      if results == [last].compactMap(\.self) { continue }
      var stub = StubEndpoint(pattern, results)
      stub.options.epoch = stubs.isEmpty ? 0 : epoch
      stubs.append(stub)
      last = results.last
    }
    return stubs
  }
}

extension StubResponse {
  /// A recorded response to a request; `epoch` follows it, 0 if it changes nothing.
  package init(_ response: RecordedExchange.Response, to method: String, followedBy epoch: Int) {
    // RFC 9110 8.6: the length in a response to HEAD is that of the body that isn't sent.
    let isHead = method == "HEAD" && response.body.isEmpty
    let fields = response.headers.lines.filter { $0.canBeSent || isHead && $0.isLength }
    self.init(
      status: response.status, headers: MessageHeaders(lines: fields),
      content: response.body.isEmpty ? .empty : .data(response.body, type: nil))
    nextEpoch = epoch
  }
}
