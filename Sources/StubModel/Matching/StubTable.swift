/// Stubs that are installed, in the order in which they are tried, and how often each has answered.
///
/// A value without a lock; whoever shares it guards it.
package struct StubTable: Sendable {
  /// Stands for an installed stub.
  package struct ID: Hashable, Sendable {
    fileprivate let number: Int
  }

  /// The stub that answers a request.
  package struct Selection: Sendable {
    package let stub: PreparedStub
    /// The request with what the path's params stand for.
    package let request: StubRequest
    /// The answer, when it is known beforehand.
    package let result: PreparedResult?
  }

  /// The stub that comes nearest to a request that none answers.
  package struct NearMiss: Sendable {
    package let endpoint: StubEndpoint
    /// What differs, in words; a single sentence about its number of answers when nothing else does.
    package let differences: [String]
  }

  private struct Entry: Sendable {
    let id: ID
    let owner: Int
    let stub: PreparedStub
    var answered = 0

    var isUsedUp: Bool {
      if case .times(let times) = stub.endpoint.times { answered >= times } else { false }
    }

    var result: PreparedResult? {
      guard stub.handler == nil else { return nil }
      return stub.results[min(answered, stub.results.count - 1)]
    }
  }

  /// In the order in which they are tried.
  private var entries: [Entry] = []
  private var nextNumber = 0

  package init() {}

  package var isEmpty: Bool { entries.isEmpty }

  /// Puts a stub where it belongs: behind those that precede it, before its equals that are older.
  @discardableResult
  package mutating func install(_ stub: PreparedStub, owner: Int = 0) -> ID {
    let id = ID(number: nextNumber)
    nextNumber += 1
    let place = entries.firstIndex { !$0.stub.matcher.precedes(stub.matcher) } ?? entries.count
    entries.insert(Entry(id: id, owner: owner, stub: stub), at: place)
    return id
  }

  /// Takes all stubs of an owner out.
  package mutating func removeAll(of owner: Int) {
    entries.removeAll { $0.owner == owner }
  }

  /// Whether any stub asks for the JSON of a body.
  package var looksAtJSON: Bool { entries.contains { $0.stub.matcher.looksAtJSON } }

  /// The stub that answers a request; it counts as used.
  ///
  /// - Parameter json: The request's body; Foundation's reading of it when `nil`.
  package mutating func take(_ request: StubRequest, json: JSONBody? = nil) -> Selection? {
    let json = json ?? JSONBody(of: request)
    for index in entries.indices where !entries[index].isUsedUp {
      let entry = entries[index]
      guard let request = entry.stub.matcher.match(request, json: json) else { continue }
      entries[index].answered += 1
      return Selection(stub: entry.stub, request: request, result: entry.result)
    }
    return nil
  }

  /// The stub that breaks a request off before its body has arrived, so that it cannot wait for it; it counts as used.
  package mutating func takeEarlyFault(_ head: StubRequest) -> Selection? {
    for index in entries.indices where !entries[index].isUsedUp {
      let entry = entries[index]
      guard entry.stub.matcher.matchesHead(of: head) else { continue }
      guard let result = entry.result, let position = result.result.fault?.position,
        position == .requestHead || position == .requestBody
      else { return nil }
      entries[index].answered += 1
      return Selection(stub: entry.stub, request: entry.stub.matcher.match(head) ?? head, result: result)
    }
    return nil
  }

  /// Whether any stub may answer a request, as far as method, host, path and query say.
  package func mayAnswer(_ request: StubRequest) -> Bool {
    entries.contains { !$0.isUsedUp && $0.stub.matcher.matchesLine(of: request) }
  }

  /// The stub that comes nearest to a request; `nil` without stubs.
  package func nearest(to request: StubRequest, json: JSONBody? = nil) -> NearMiss? {
    let json = json ?? JSONBody(of: request)
    var best: (weight: Double, miss: NearMiss)?
    for entry in entries {
      let differences = entry.stub.matcher.differences(of: request, json: json)
      let weight = differences.reduce(0) { $0 + $1.weight }
      guard best.map({ weight < $0.weight }) ?? true else { continue }
      let words =
        differences.isEmpty ? ["it has answered \(Self.times(entry.answered)) already"] : differences.map(\.text)
      best = (weight, NearMiss(endpoint: entry.stub.endpoint, differences: words))
    }
    return best?.miss
  }

  /// The stubs of an owner that have not answered, in the order in which they were installed.
  package func unused(of owner: Int) -> [StubEndpoint] {
    entries.filter { $0.owner == owner && $0.answered == 0 }.sorted { $0.id.number < $1.id.number }
      .map(\.stub.endpoint)
  }

  private static func times(_ count: Int) -> String { count == 1 ? "once" : "\(count) times" }
}
