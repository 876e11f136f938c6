import TrackingModel

/// Installed stubs in their order of precedence, and how often each was used.
///
/// Stubs with literal paths are found by a hash of the path, so their number doesn't affect the cost of a request; a recording has hundreds. Other
/// stubs are compared one by one: in a debug build 300 of them take 1.8 ms per request, and a hash 12 µs.
///
/// Not thread-safe; an owner with a lock gets ``Candidates`` under the lock, compares them without it, and counts the response under it.
package struct StubTable: Sendable {
  package struct ID: Hashable, Comparable, Sendable {
    private let number: Int

    fileprivate init(number: Int) {
      self.number = number
    }

    package static func < (left: ID, right: ID) -> Bool { left.number < right.number }
  }

  package struct Selection: Sendable {
    package let id: ID
    package let stub: PreparedStub
    package let request: ReceivedRequest
    let isHeadOfGet: Bool
    /// `nil` if a closure makes the response.
    package let result: PreparedResponse?
    /// The warning that an earlier stub might match, if any.
    package let doubt: String?
  }

  package struct Usage: Hashable, Sendable {
    package let id: ID
    package fileprivate(set) var endpoint: StubEndpoint
    package let count: Int
    /// The number of responses that were never sent: of a sequence, or of `times:`.
    package let unusedResponses: Int
  }

  /// In the order of installation, including removed ones; responses are counted elsewhere, so that candidates share the array.
  private(set) var entries: [Entry] = []
  /// At the same indices as `entries`.
  private(set) var counts: [Counts] = []
  /// The stubs with literal paths by the paths' keys, as indices of `entries` in the order in which they are tried; they precede all others.
  private var literals: [Int: [Int]] = [:]
  /// The other stubs, in the order in which they are tried.
  private var patterns: [Int] = []
  private var neighbours = StubNeighbours()
  private var nextNumber = 0
  private var holes = 0
  /// The current epoch of each owner: the latest that a response of its stubs has led to.
  private var epochs: [Int: Int] = [:]
  /// The usage of each owner's removed stubs, with their outlines: a table may outlive many tests.
  private var removedUsages: [Int: [ID: Usage]] = [:]
  /// Whether any stub may break a request off before its body has arrived.
  package private(set) var hasEarlyFaults = false

  package init() {}

  package var isEmpty: Bool { entries.isEmpty }

  /// Installs a stub after those that precede it, and before older stubs of the same precedence.
  @discardableResult
  package mutating func install(_ stub: PreparedStub, owner: Int = 0) -> ID {
    let id = ID(number: nextNumber)
    nextNumber += 1
    add(Entry(id: id, owner: owner, stub: stub), Counts())
    return id
  }

  package mutating func removeAll(of owner: Int) {
    epochs[owner] = nil
    removeAll { $0.owner == owner }
  }

  /// Does nothing if the stub was removed before.
  package mutating func remove(_ id: ID) {
    guard let place = place(of: id) else { return }
    releaseStub(at: place)
    counts[place].isRemoved = true
    holes += 1
    // Closing the holes costs as much as installing all others, so a large table waits until it is half empty.
    if entries.count <= Self.mostWithoutHoles || 2 * holes > entries.count { closeHoles() }
  }

  package mutating func forget(owner: Int) {
    removeAll(of: owner)
    removedUsages[owner] = nil
  }

  /// Includes removed stubs.
  package func usage(of id: ID) -> Usage? {
    place(of: id).map { usage(at: $0) } ?? removedUsages.values.lazy.compactMap { $0[id] }.first
  }

  /// Keeps the usage of a removed stub, and releases its responses and code.
  private mutating func releaseStub(at place: Int) {
    var usage = usage(at: place)
    usage.endpoint = entries[place].stub.outline
    removedUsages[entries[place].owner, default: [:]][usage.id] = usage
    entries[place].stub.release()
  }

  private static let mostWithoutHoles = 64

  /// Replaces a stub with one of the same path and conditions, keeping its count; `false` if it was removed before.
  package mutating func replace(_ id: ID, with stub: PreparedStub) -> Bool {
    guard let place = place(of: id) else { return false }
    entries[place].stub = stub
    counts[place] = Counts(usedBefore: counts[place].usedBefore + counts[place].used + counts[place].heads)
    hasEarlyFaults = hasEarlyFaults || stub.hasEarlyFault
    return true
  }

  private mutating func closeHoles() { removeAll { _ in false } }

  private mutating func removeAll(where isRemoved: (Entry) -> Bool) {
    let kept = entries.indices.filter { !counts[$0].isRemoved && !isRemoved(entries[$0]) }
    guard kept.count < entries.count else { return }
    for place in entries.indices where !counts[place].isRemoved && isRemoved(entries[place]) {
      releaseStub(at: place)
    }
    holes = 0
    let (oldEntries, oldCounts) = (entries, counts)
    (entries, counts, literals, patterns, neighbours) = ([], [], [:], [], StubNeighbours())
    hasEarlyFaults = false
    for place in kept { add(oldEntries[place], oldCounts[place]) }
  }

  private mutating func add(_ entry: Entry, _ count: Counts) {
    let place = entries.count
    entries.append(entry)
    counts.append(count)
    hasEarlyFaults = hasEarlyFaults || entry.stub.hasEarlyFault
    let pattern = entry.stub.endpoint.pattern
    neighbours.add(pattern.conditions.map(\.path), at: place)
    if let keys = pattern.keys {
      for key in keys { insert(place, into: &literals[key, default: []]) }
    } else {
      insert(place, into: &patterns)
    }
  }

  private func insert(_ place: Int, into places: inout [Int]) {
    let precedence = entries[place].stub.precedence
    var low = places.indices.partition { entries[places[$0]].stub.precedence.precedes(precedence) }
    // Later epochs of the same owner are tried first, regardless of the order of installation.
    while low < places.count, !precedence.precedes(entries[places[low]].stub.precedence),
      entries[places[low]].owner == entries[place].owner,
      let epoch = entries[place].epoch, let other = entries[places[low]].epoch, other > epoch
    {
      low += 1
    }
    places.insert(place, at: low)
  }

  func place(of id: ID) -> Int? {
    let place = entries.indices.partition { entries[$0].id < id }
    return place < entries.count && entries[place].id == id && !counts[place].isRemoved ? place : nil
  }
}

// MARK: - Candidates

extension StubTable {
  /// The stubs that may respond to a request, except those whose closures have declined it.
  package func candidates(for parsed: ParsedRequest, declined: Set<ID> = []) -> Candidates {
    let places = places(for: parsed.path)
    func isTried(_ place: Int) -> Bool {
      mayRespond(place) && (declined.isEmpty || !declined.contains(entries[place].id))
    }
    // Usually all of them are tried, so the list isn't copied.
    return Candidates(entries, places.allSatisfy(isTried) ? places : places.filter(isTried), for: parsed.request)
  }

  package mutating func count(_ match: Candidates.Match) -> Selection? {
    guard let place = place(of: match.id), mayRespond(place) else { return nil }
    let entry = entries[place]
    let result = counts[place].result(of: entry.stub)
    if match.isHeadOfGet {
      counts[place].heads += 1
    } else {
      counts[place].used += 1
      if let epoch = result?.result.nextEpoch, epoch > self.epoch(of: entry.owner) { epochs[entry.owner] = epoch }
    }
    return Selection(
      id: entry.id, stub: entry.stub, request: match.request, isHeadOfGet: match.isHeadOfGet,
      result: result?.filled(withBase: match.request.base),
      doubt: match.doubt.map {
        "\(match.request.method) \(match.request.target) got its response from \(entry.stub.endpoint). The stub \($0)."
      })
  }

  /// Undoes the count of a stub whose closure has declined the request.
  package mutating func giveBack(_ selection: Selection) {
    guard let place = place(of: selection.id) else { return }
    let count = selection.isHeadOfGet ? \Counts.heads : \Counts.used
    counts[place][keyPath: count] = max(counts[place][keyPath: count] - 1, 0)
  }

  private func mayRespond(_ place: Int) -> Bool {
    if let first = entries[place].epoch, first > epoch(of: entries[place].owner) { return false }
    return !counts[place].isRemoved && !counts[place].isUsedUp(entries[place].stub)
  }

  /// The stubs that may match a path, in the order in which they are tried.
  private func places(for path: RequestPath) -> [Int] {
    guard !literals.isEmpty, let literal = literals[path.key] else { return patterns }
    return patterns.isEmpty ? literal : literal + patterns
  }

  /// The places of stubs with paths similar to a request's, at most `atMost` of them by the path itself.
  func neighbouringPlaces(of parsed: ParsedRequest, atMost: Int) -> Set<Int> {
    let isKept = { !counts[$0].isRemoved }
    return Set(neighbours.places(near: parsed.request.path, among: entries.count, where: isKept))
      .union(places(for: parsed.path).lazy.filter(isKept).prefix(atMost))
  }
}

// MARK: - Requests

extension StubTable {
  /// Finds a stub that breaks the request off before its body has arrived, and so doesn't depend on the body; counts it as used.
  package mutating func takeEarlyFault(_ head: ReceivedRequest) -> Selection? {
    let parsed = ParsedRequest(head)
    for place in places(for: parsed.path) where mayRespond(place) {
      let entry = entries[place]
      let look = entry.stub.endpoint.pattern.look(at: parsed, knowing: .head)
      guard look.state != .unmet else { continue }
      guard let result = counts[place].result(of: entry.stub),
        result.result.fault?.position.isBeforeTheRequestIsRead == true
      else { return nil }
      counts[place].used += 1
      var request = head
      request.pathParams = look.params
      return Selection(
        id: entry.id, stub: entry.stub, request: request, isHeadOfGet: false, result: result, doubt: nil)
    }
    return nil
  }

  /// Whether any stub may respond to a request, as far as method, host, path and query tell.
  package func mayRespond(to request: ReceivedRequest) -> Bool {
    let parsed = ParsedRequest(request)
    return candidates(for: parsed).mayMatch(parsed)
  }

  func epoch(of owner: Int = 0) -> Int { epochs[owner, default: 0] }
}

extension Range<Int> {
  /// Binary search for the first index for which a condition doesn't hold; it must hold for none after that.
  package func partition(where isBefore: (Int) -> Bool) -> Int {
    var (low, high) = (lowerBound, upperBound)
    while low < high {
      let middle = (low + high) / 2
      if isBefore(middle) { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
