import TrackingModel
import StubModel

/// The stubs, faults, formats and responses to events that tests set, from any thread; they apply from the next request on.
package final class StubStore: Sendable {
  /// Identifies a verifier, so that it removes only its own setup.
  package struct Owner: Hashable, Sendable {
    let number: Int
  }

  private struct InjectedFault: Sendable {
    let fault: HTTPFault
    let owner: Owner
    /// The remaining number of times; `nil` for always.
    var remaining: Int?
  }

  private struct InstalledFormat: Sendable {
    let format: PreparedFormat
    let owner: Owner
  }

  /// A stub table for an app that serves its own requests.
  private struct StoredTable: Sendable {
    let name: String
    let bytes: [UInt8]
    let owner: Owner
  }

  package enum EventResponse: Sendable {
    case result(PreparedResponse)
    /// A closure of the test, and the folder of its files.
    case closure(EventResponder, folder: StubFolder?)
  }

  fileprivate struct EventResponses: Sendable {
    var responses: ArraySlice<EventResponse>
    let recording: EventKeeping
    let owner: Owner
  }

  /// A summary of the setup, which each request reads first.
  struct Setup {
    /// Whether nothing needs the request as a value.
    var isEmpty = true
    var hasFormats = false
    var hasEventResponses = false
    /// Whether a fault may break a request off before its body has been read.
    var hasEarlyFaults = false
  }

  private struct State: Sendable {
    var table = StubTable()
    var faults: [InjectedFault] = []
    var formats: [InstalledFormat] = []
    var eventResponses: EventResponses?
    var tables: [StoredTable] = []
    /// The number of tables left so far.
    var tableCount = 0
    var owners = 0
    /// The summary, updated with each change because each request reads it.
    var setup = Setup()

    func currentSetup() -> Setup {
      Setup(
        isEmpty: table.isEmpty && faults.isEmpty, hasFormats: !formats.isEmpty,
        hasEventResponses: eventResponses != nil,
        hasEarlyFaults: table.hasEarlyFaults || eventResponses?.earlyFault != nil
          || faults.contains { $0.fault.position.isBeforeTheRequestIsRead })
    }
  }

  private let state = Locked(State())
  private let refusal = Locked<(@Sendable () -> Void)?>(nil)

  private func change<Result: Sendable>(_ body: (inout State) -> Result) -> Result {
    state.withLock { state in
      let result = body(&state)
      state.setup = state.currentSetup()
      return result
    }
  }

  package func makeOwner() -> Owner {
    state.withLock { state in
      state.owners += 1
      return Owner(number: state.owners)
    }
  }

  @discardableResult
  package func install(_ stub: PreparedStub, of owner: Owner) -> StubTable.ID {
    change { $0.table.install(stub, owner: owner.number) }
  }

  /// Replaces a stub by one with the same path and conditions; returns `false` if the stub was removed.
  package func replace(_ id: StubTable.ID, with stub: PreparedStub) -> Bool {
    change { $0.table.replace(id, with: stub) }
  }

  package func remove(_ id: StubTable.ID) {
    change { $0.table.remove(id) }
  }

  /// The usage of an owner's stubs, in the order of their installation.
  package func usages(of owner: Owner) -> [StubTable.Usage] {
    state.withLock { $0.table.usages(of: owner.number) }
  }

  /// The usage of a stub, even if it was removed.
  package func usage(of id: StubTable.ID) -> StubTable.Usage? {
    state.withLock { $0.table.usage(of: id) }
  }

  /// Injects a fault into a number of requests or connections; without a number, into all of them.
  package func inject(_ fault: HTTPFault, times: Int?, of owner: Owner) {
    guard times.map({ $0 > 0 }) ?? true else { return }
    change { $0.faults.append(InjectedFault(fault: fault, owner: owner, remaining: times)) }
    if fault.position.step == .connection { refusal.withLock { $0 }?() }
  }

  /// Sets the function that ends open connections when a fault at `accept` is injected, so that they don't escape it; it returns when they have ended.
  func setRefusal(_ refuse: @escaping @Sendable () -> Void) {
    refusal.withLock { $0 = refuse }
  }

  /// Responds to submissions of events with these results, one after the other; the last one repeats.
  package func respondToEvents(with results: [PreparedResponse], recording: EventKeeping, of owner: Owner) {
    respondToEvents(with: results.map { .result($0) }, recording: recording, of: owner)
  }

  /// Responds to submissions of events with these results or closures, one after the other; the last one repeats.
  package func respondToEvents(with responses: [EventResponse], recording: EventKeeping, of owner: Owner) {
    change {
      $0.eventResponses =
        responses.isEmpty ? nil : EventResponses(responses: responses[...], recording: recording, owner: owner)
    }
  }

  /// Accepts a format to try after the earlier ones; accepting a format again replaces it.
  package func accept(_ format: PreparedFormat, of owner: Owner) {
    change { state in
      let installed = InstalledFormat(format: format, owner: owner)
      let known = state.formats.firstIndex { $0.owner == owner && $0.format.listens(as: format) }
      if let known { state.formats[known] = installed } else { state.formats.append(installed) }
    }
  }

  /// Leaves a stub table for an app to fetch; returns its name.
  package func store(_ table: [UInt8], of owner: Owner) -> String {
    state.withLock { state in
      state.tableCount += 1
      state.tables.append(StoredTable(name: "\(state.tableCount)", bytes: table, owner: owner))
      return "\(state.tableCount)"
    }
  }

  /// Removes an owner's stubs, faults, and responses to events; formats and tables for apps stay.
  package func removeStubs(of owner: Owner) {
    // Released without the lock: a closure may hold the last reference to a verifier, whose deinit removes its stubs.
    let removed = change { state in
      defer { state.table.removeAll(of: owner.number) }
      return state.table
    }
    withExtendedLifetime(removed) {}
    change { state in
      state.faults.removeAll { $0.owner == owner }
      if state.eventResponses?.owner == owner { state.eventResponses = nil }
    }
  }

  package func removeAll(of owner: Owner) {
    removeStubs(of: owner)
    change { state in
      state.formats.removeAll { $0.owner == owner }
      state.tables.removeAll { $0.owner == owner }
    }
  }

  /// Removes an owner's whole setup, and the usage of its stubs.
  package func forget(_ owner: Owner) {
    removeAll(of: owner)
    change { $0.table.forget(owner: owner.number) }
  }

  package func removeFaults(of owner: Owner) {
    change { $0.faults.removeAll { $0.owner == owner } }
  }

  /// The stubs of an owner that haven't responded to a request.
  package func unused(of owner: Owner) -> [StubEndpoint] {
    state.withLock { $0.table }.unused(of: owner.number)
  }

  /// A stub with `times` that is never used because an equal stub was installed later.
  package func covered(of owner: Owner) -> StubEndpoint? {
    state.withLock { $0.table }.covered(of: owner.number)
  }
}

// MARK: - For the server's thread

extension StubStore {
  /// Returns the fault for the next connection or request at a step; it counts as used.
  func takeFault(at step: HTTPFault.Position.Step) -> HTTPFault? {
    change { state in
      guard let index = state.faults.firstIndex(where: { $0.fault.position.step == step }) else { return nil }
      let fault = state.faults[index].fault
      if let remaining = state.faults[index].remaining {
        if remaining > 1 { state.faults[index].remaining = remaining - 1 } else { state.faults.remove(at: index) }
      }
      return fault
    }
  }

  func table(named name: String) -> [UInt8]? {
    state.withLock { state in state.tables.first { $0.name == name }?.bytes }
  }

  var setup: Setup { state.withLock { $0.setup } }

  enum Search: Sendable {
    case stub(StubTable.Selection)
    /// A condition in code decides, which must not run on the server's thread.
    case needsWorker
    case none
  }

  /// Finds the stub for a request; it counts as used.
  ///
  /// An SDK's startup request is only for a stub as specific as its format: `{}` from a stub of all paths silences some SDKs.
  ///
  /// - Parameters:
  ///   - isPreflight: Whether it is a browser's preflight request, which only a stub for `OPTIONS` serves.
  ///   - callsCode: Whether the current thread may call conditions in code: any but the server's.
  func take(
    _ request: ReceivedRequest, isPreflight: Bool, declined: Set<StubTable.ID> = [], callsCode: Bool
  ) -> Search {
    let parsed = ParsedRequest(request)
    var (candidates, formats) = state.withLock { ($0.table.candidates(for: parsed, declined: declined), $0.formats) }
    let startup = isPreflight ? nil : Self.startupRequest(request, formats)
    while true {
      switch candidates.search(parsed, callsCode: callsCode) {
      case .none: return .none
      case .needsCode: return .needsWorker
      case .match(let match):
        if isPreflight, !match.stub.endpoint.pattern.isOnly(for: .options) { return .none }
        if startup?.precedence.precedes(match.stub.precedence) == true { continue }
        // If the stub has been removed or used up in the meantime, the next one responds.
        if let selection = state.withLock({ $0.table.count(match) }) { return .stub(selection) }
      }
    }
  }

  /// Undoes the count of a request that the stub's closure has declined.
  func giveBack(_ selection: StubTable.Selection) {
    state.withLock { $0.table.giveBack(selection) }
  }

  /// Returns the stub that breaks a request off before its body has arrived; it counts as used.
  func takeEarlyFault(_ head: ReceivedRequest) -> StubTable.Selection? {
    state.withLock { $0.table.takeEarlyFault(head) }
  }

  /// The stubs to compare with an unmatched request.
  func neighbours(of parsed: ParsedRequest) -> StubTable.Neighbours {
    state.withLock { $0.table }.neighbours(of: parsed)
  }

  /// The accepted formats in the order in which they are tried.
  package var acceptedFormats: [AcceptedFormat] { state.withLock { $0.formats.map(\.format.format) } }

  /// The accepted formats that listen at a request's path.
  func formats(forHead head: ReceivedRequest) -> [PreparedFormat] {
    let formats = state.withLock { $0.formats }
    return formats.map(\.format).filter { $0.fits(head) }
  }

  func startupResponse(to request: ReceivedRequest) -> PreparedResponse? {
    state.withLock { $0.formats }.map(\.format).startupResponse(to: request)
  }

  /// An SDK's startup request with its response, from the first format that has it.
  private static func startupRequest(_ request: ReceivedRequest, _ formats: [InstalledFormat]) -> PreparedStub? {
    formats.lazy.compactMap { $0.format.startupRequest(request) }.first
  }

  /// The response to the next submission of events; `nil` for the usual one.
  func takeEventResponse() -> (kind: EventResponse, recording: EventKeeping)? {
    change { state in
      guard let recording = state.eventResponses?.recording, let kind = state.eventResponses?.take() else { return nil }
      return (kind, recording)
    }
  }

  /// The fault that breaks off the next submission of events; it counts as its response.
  func takeEarlyEventFault() -> HTTPFault? {
    change { state in
      guard let fault = state.eventResponses?.earlyFault else { return nil }
      _ = state.eventResponses?.take()
      return fault
    }
  }
}

extension StubStore.EventResponses {
  /// The next response; the last one repeats.
  fileprivate mutating func take() -> StubStore.EventResponse? {
    responses.count > 1 ? responses.removeFirst() : responses.first
  }

  fileprivate var earlyFault: HTTPFault? {
    guard case .result(let result)? = responses.first, let fault = result.result.fault,
      fault.position.isBeforeTheRequestIsRead
    else { return nil }
    return fault
  }
}
