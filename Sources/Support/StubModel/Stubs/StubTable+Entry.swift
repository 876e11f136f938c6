extension StubTable {
  struct Entry: Sendable {
    let id: ID
    let owner: Int
    var stub: PreparedStub
    /// Stored here because every request compares it.
    let epoch: Int?

    init(id: ID, owner: Int, stub: PreparedStub) {
      (self.id, self.owner, self.stub, epoch) = (id, owner, stub, stub.endpoint.options.epoch)
    }
  }

  struct Counts: Sendable {
    var used = 0
    /// HEAD requests to which a stub for GET has responded; they use up none of its responses.
    var heads = 0
    /// Responses that were sent before the current results replaced others.
    var usedBefore = 0
    /// Whether the stub was removed: it keeps its place until many have been.
    var isRemoved = false

    func isUsedUp(_ stub: PreparedStub) -> Bool {
      stub.endpoint.options.times.map { used >= $0 } ?? false
    }

    /// The next response; `nil` if a closure makes it.
    func result(of stub: PreparedStub) -> PreparedResponse? {
      guard stub.handler == nil else { return nil }
      return stub.results[min(used, stub.results.count - 1)]
    }
  }
}

extension StubTable {
  func usage(at place: Int) -> Usage {
    let (entry, counts) = (entries[place], counts[place])
    let most = max(entry.stub.results.count, entry.stub.endpoint.options.times ?? 1)
    // A stub with a single unlimited response has given it to a HEAD request, too.
    let isUsedByHead = counts.heads > 0 && most == 1 && entry.stub.endpoint.options.times == nil
    let unused = isUsedByHead ? 0 : most - counts.used
    return Usage(
      id: entry.id, endpoint: entry.stub.endpoint, count: counts.usedBefore + counts.used + counts.heads,
      unusedResponses: max(unused, 0))
  }

  /// The reason why the stub at a place doesn't respond to a request that it matches.
  func excuse(at place: Int) -> String {
    let (entry, counts) = (entries[place], counts[place])
    let current = epoch(of: entry.owner)
    if let first = entry.epoch, first > current {
      return "it responds from epoch \(first) on, and the epoch is \(current)"
    }
    return counts.isUsedUp(entry.stub)
      ? "it has responded \(counts.used == 1 ? "once" : "\(counts.used) times") already"
      : "its closure has declined it"
  }
}
