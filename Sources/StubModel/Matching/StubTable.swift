import TrackingModel

/// Installed stubs in their order of precedence, and how often each has answered.
///
/// A stub with a literal path is found by a hash of the path, so the cost of a request doesn't grow with the number of such stubs. All other
/// stubs are compared one by one. A value without a lock: whoever shares it guards it.
package struct StubTable: Sendable {
  /// Identifies an installed stub.
  package struct ID: Hashable, Sendable {
    fileprivate let number: Int
  }

  /// The stub that answers a request.
  package struct Selection: Sendable {
    package let id: ID
    package let stub: PreparedStub
    /// The request with the values of the path's params.
    package let request: HTTPRequest
    /// The answer; `nil` when a closure makes it.
    package let result: PreparedResult?
  }

  /// The stub that is most similar to an unmatched request.
  package struct NearMiss: Sendable {
    package let endpoint: StubEndpoint
    /// The differences in words; a single sentence about its number of answers when there is no other difference.
    package let differences: [String]
    /// The stub and the request side by side.
    package let comparison: StubComparison
  }

  /// How often a stub was asked.
  package struct Usage: Hashable, Sendable {
    package let id: ID
    package let endpoint: StubEndpoint
    /// How many requests it has answered.
    package let count: Int
    /// How many answers it has left that were never sent: of a sequence, or of `times:`.
    package let unusedAnswers: Int
  }

  /// In the order in which they were installed.
  private var entries: [Entry] = []
  /// The stubs with a literal path by the path's key, as places in `entries`, in the order in which they are tried.
  ///
  /// All of them precede all others.
  private var literals: [Int: [Int]] = [:]
  /// The other stubs, in the order in which they are tried.
  private var patterns: [Int] = []
  private var neighbours = StubNeighbours()
  private var nextNumber = 0
  /// The current epoch of owners that have one: how many requests that change something their stubs have answered.
  private var epochs: [Int: Int] = [:]
  /// How often stubs were asked that were removed since.
  private var removedUsages: [ID: Usage] = [:]
  /// Whether any stub may break a request off before its body has arrived.
  package private(set) var hasEarlyFaults = false
  /// Whether any stub has an epoch.
  private var hasEpochs = false

  package init() {}

  package var isEmpty: Bool { entries.isEmpty }

  /// Installs a stub: behind those that precede it, and before older stubs of the same precedence.
  @discardableResult
  package mutating func install(_ stub: PreparedStub, owner: Int = 0) -> ID {
    let id = ID(number: nextNumber)
    nextNumber += 1
    add(Entry(id: id, owner: owner, stub: stub))
    return id
  }

  /// Removes all stubs of an owner.
  package mutating func removeAll(of owner: Int) {
    epochs[owner] = nil
    removeAll { $0.owner == owner }
  }

  /// Removes a stub; does nothing if it was removed before.
  package mutating func remove(_ id: ID) {
    removeAll { $0.id == id }
  }

  /// Puts another stub with the same path and conditions in a stub's place; it keeps its count.
  ///
  /// - Returns: `false` if the stub was removed before.
  package mutating func replace(_ id: ID, with stub: PreparedStub) -> Bool {
    guard let index = entries.firstIndex(where: { $0.id == id }) else { return false }
    entries[index].stub = stub
    entries[index].answeredBefore += entries[index].answered
    (entries[index].answered, entries[index].skipped) = (0, 0)
    hasEarlyFaults = hasEarlyFaults || stub.hasEarlyFault
    return true
  }

  /// Counts a request as not answered, because the stub's closure has declined it.
  package mutating func giveBack(_ id: ID, _ request: HTTPRequest) {
    guard let index = entries.firstIndex(where: { $0.id == id }), entries[index].answered > 0 else { return }
    entries[index].answered -= 1
    if entries[index].advancesEpoch(by: request) { epochs[entries[index].owner, default: 1] -= 1 }
  }

  private mutating func removeAll(where isRemoved: (Entry) -> Bool) {
    let kept = entries.filter { !isRemoved($0) }
    guard kept.count < entries.count else { return }
    for entry in entries where isRemoved(entry) { removedUsages[entry.id] = entry.usage }
    (entries, literals, patterns, neighbours) = ([], [:], [], StubNeighbours())
    (hasEarlyFaults, hasEpochs) = (false, false)
    for entry in kept { add(entry) }
  }

  private mutating func add(_ entry: Entry) {
    let place = entries.count
    entries.append(entry)
    hasEarlyFaults = hasEarlyFaults || entry.stub.hasEarlyFault
    hasEpochs = hasEpochs || entry.epoch != nil
    neighbours.add(entry.stub.endpoint.path, at: place)
    if let key = entry.stub.matcher.key {
      insert(place, into: &literals[key, default: []])
    } else {
      insert(place, into: &patterns)
    }
  }

  private func insert(_ place: Int, into places: inout [Int]) {
    let matcher = entries[place].stub.matcher
    var (low, high) = (0, places.count)
    while low < high {
      let middle = (low + high) / 2
      if entries[places[middle]].stub.matcher.precedes(matcher) { low = middle + 1 } else { high = middle }
    }
    // Later epochs of the same owner are tried first, however they were installed.
    while low < places.count, !matcher.precedes(entries[places[low]].stub.matcher),
      entries[places[low]].owner == entries[place].owner,
      let epoch = entries[place].epoch, let other = entries[places[low]].epoch, other > epoch
    {
      low += 1
    }
    places.insert(place, at: low)
  }
}

// MARK: - Requests

extension StubTable {
  /// The stub that answers a request; it counts as used.
  ///
  /// A HEAD request that has no stub of its own is answered by the stub of GET (RFC 9110 9.3.2).
  ///
  /// - Parameters:
  ///   - path: The request's path, if it has been split already.
  ///   - json: The request's body; Foundation reads it when `nil`.
  ///   - declined: Stubs whose closures have declined this request.
  ///   - question: What answers the request unless a stub does that is as specific.
  package mutating func take(
    _ request: HTTPRequest, path: RequestPath? = nil, json: JSONBody? = nil, declined: Set<ID> = [],
    unless question: StubMatcher? = nil
  ) -> Selection? {
    let found = match(request, path: path, json: json) { entry in
      !declined.contains(entry.id) && question?.precedes(entry.stub.matcher) != true
    }
    guard let (place, matched) = found else { return nil }
    let entry = entries[place]
    entries[place].answered += 1
    if entry.advancesEpoch(by: request) { epochs[entry.owner, default: 0] += 1 }
    return Selection(
      id: entry.id, stub: entry.stub, request: matched, result: entry.result?.filled(withBase: matched.base))
  }

  /// Counts the recorded answer to a request that another stub has answered with success in its place.
  ///
  /// So what is recorded after it is answered next, and a retry after a stub's error gets the recorded answer itself. Does nothing for requests
  /// that change nothing, or that aren't recorded.
  package mutating func skipRecorded(_ request: HTTPRequest) {
    guard hasEpochs, request.changesSomething,
      let (place, _) = match(request, where: { $0.epoch != nil })
    else { return }
    entries[place].skipped += 1
    epochs[entries[place].owner, default: 0] += 1
  }

  /// The first stub that matches a request and may answer it.
  private func match(
    _ request: HTTPRequest, path: RequestPath? = nil, json: JSONBody? = nil, where isAsked: (Entry) -> Bool
  ) -> (place: Int, request: HTTPRequest)? {
    let path = path ?? RequestPath(request.path)
    let json = json ?? JSONBody(of: request)
    for method in Self.methods(for: request) {
      var asked = request
      asked.method = method
      for place in places(for: path) where mayAnswer(place) && isAsked(entries[place]) {
        guard var matched = entries[place].stub.matcher.match(asked, path: path, json: json) else { continue }
        matched.method = request.method
        return (place, matched)
      }
    }
    return nil
  }

  /// The stub that breaks a request off before its body has arrived, and so can't depend on the body; it counts as used.
  package mutating func takeEarlyFault(_ head: HTTPRequest) -> Selection? {
    let path = RequestPath(head.path)
    for place in places(for: path) where mayAnswer(place) {
      let entry = entries[place]
      guard entry.stub.matcher.matchesHead(of: head, path: path) else { continue }
      guard let result = entry.result, result.result.fault?.position.isBeforeTheRequestIsRead == true else {
        return nil
      }
      entries[place].answered += 1
      return Selection(
        id: entry.id, stub: entry.stub, request: entry.stub.matcher.match(head, path: path) ?? head,
        result: result)
    }
    return nil
  }

  /// Whether any stub may answer a request, as far as method, host, path and query tell.
  package func mayAnswer(_ request: HTTPRequest) -> Bool {
    let path = RequestPath(request.path)
    return Self.methods(for: request).contains { method in
      var asked = request
      asked.method = method
      return places(for: path).contains {
        mayAnswer($0) && entries[$0].stub.matcher.matchesLine(of: asked, path: path)
      }
    }
  }

  /// Whether a stub has answers left, and its epoch has begun.
  private func mayAnswer(_ place: Int) -> Bool {
    if let first = entries[place].epoch, first > epoch(of: entries[place].owner) { return false }
    return !entries[place].isUsedUp
  }

  /// The current epoch of an owner.
  package func epoch(of owner: Int = 0) -> Int { epochs[owner, default: 0] }

  /// Begins the next epoch of an owner, after a backend has answered a request that changes its state.
  package mutating func advanceEpoch(of owner: Int = 0) {
    epochs[owner, default: 0] += 1
  }

  /// Whether a stub that a path leads to looks at the JSON of the body.
  package func looksAtJSON(at path: RequestPath) -> Bool {
    places(for: path).contains { entries[$0].stub.matcher.looksAtJSON }
  }

  private static func methods(for request: HTTPRequest) -> [String] {
    request.method == "HEAD" ? ["HEAD", "GET"] : [request.method]
  }

  /// The stubs that may fit a path, in the order in which they are tried.
  private func places(for path: RequestPath) -> some Sequence<Int> {
    let literal = literals.isEmpty ? nil : literals[path.key]
    return [literal ?? [], patterns].joined()
  }
}

// MARK: - What tests ask

extension StubTable {
  /// The stub that is most similar to a request; `nil` without stubs.
  ///
  /// A large table compares those with the same path, and those whose paths begin or end most like the request's.
  package func nearest(to request: HTTPRequest, json: JSONBody? = nil) -> NearMiss? {
    let json = json ?? JSONBody(of: request)
    let path = RequestPath(request.path)
    var places = Set(neighbours.places(near: request.path, among: entries.count))
    places.formUnion(self.places(for: path).prefix(Self.mostAtOnePath))
    var best: (weight: Double, entry: Entry, comparison: StubComparison)?
    for entry in places.map({ entries[$0] }).sorted(by: Self.isTriedBefore) {
      let comparison = entry.stub.matcher.comparison(with: request, path: path, json: json)
      let weight = comparison.weight
      if best.map({ weight < $0.weight }) ?? true { best = (weight, entry, comparison) }
    }
    return best.map { _, entry, comparison in
      NearMiss(
        endpoint: entry.stub.endpoint,
        differences: comparison.differences.isEmpty
          ? [entry.excuse(inEpoch: epoch(of: entry.owner))] : comparison.differences.map(\.text),
        comparison: comparison)
    }
  }

  /// How many of the stubs that a path leads to are compared with a request.
  private static let mostAtOnePath = 16

  private static func isTriedBefore(_ entry: Entry, _ other: Entry) -> Bool {
    if entry.stub.matcher.precedes(other.stub.matcher) { return true }
    return !other.stub.matcher.precedes(entry.stub.matcher) && entry.id.number > other.id.number
  }

  /// How often the stubs of an owner were asked, in the order in which they were installed.
  package func usages(of owner: Int) -> [Usage] {
    entries.filter { $0.owner == owner }.map(\.usage)
  }

  /// How often a stub was asked, also one that was removed.
  package func usage(of id: ID) -> Usage? {
    entries.first { $0.id == id }?.usage ?? removedUsages[id]
  }

  /// The stubs of an owner that have not answered, in the order in which they were installed.
  package func unused(of owner: Int) -> [StubEndpoint] {
    usages(of: owner).filter { $0.count == 0 }.map(\.endpoint)
  }
}
