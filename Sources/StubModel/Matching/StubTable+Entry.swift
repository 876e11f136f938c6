extension StubTable {
  /// An installed stub, and how often it has answered.
  struct Entry: Sendable {
    let id: ID
    let owner: Int
    var stub: PreparedStub
    /// The stub's epoch, stored here because every request compares it.
    let epoch: Int?
    var answered = 0
    /// How many requests other stubs have answered in the place of this recorded one.
    var skipped = 0
    /// How many answers were sent before the current results replaced others.
    var answeredBefore = 0

    init(id: ID, owner: Int, stub: PreparedStub) {
      (self.id, self.owner, self.stub, epoch) = (id, owner, stub, stub.endpoint.epoch)
    }

    var isUsedUp: Bool {
      if case .times(let times) = stub.endpoint.times { answered + skipped >= times } else { false }
    }

    /// Whether its answers change what the backend answers later.
    func advancesEpoch(by request: HTTPRequest) -> Bool {
      epoch != nil && request.changesSomething
    }

    /// Why it doesn't answer a request that it matches.
    ///
    /// - Parameter epoch: The current epoch of its owner.
    func excuse(inEpoch epoch: Int) -> String {
      if let first = self.epoch, first > epoch {
        return
          "it answers once \(first == 1 ? "1 request that changes" : "\(first) requests that change") something \(first == 1 ? "has" : "have") been answered, and so far \(epoch == 0 ? "none has" : "\(epoch) have")"
      }
      return isUsedUp
        ? "it has answered \(answered == 1 ? "once" : "\(answered) times") already" : "its closure has declined it"
    }

    var result: PreparedResult? {
      guard stub.handler == nil else { return nil }
      return stub.results[min(answered + skipped, stub.results.count - 1)]
    }

    var usage: Usage {
      let times = if case .times(let times) = stub.endpoint.times { times } else { 1 }
      return Usage(
        id: id, endpoint: stub.endpoint, count: answeredBefore + answered,
        unusedAnswers: max(max(stub.results.count, times) - answered - skipped, 0))
    }
  }
}
