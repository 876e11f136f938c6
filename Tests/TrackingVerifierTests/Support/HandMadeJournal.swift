import TestSupport
import TrackingJSON
import TrackingSockets

@testable import TrackingServer
@testable import TrackingChecks

/// A journal whose entries arrive at times of a test's choice, and what a failed wait that began at zero reports about it.
struct HandMadeJournal {
  let journal: TrackingJournal
  var reachability = FailureContext.Reachability.listening(URL(filePath: "/"), connections: 1)
  /// The numbers of the entries that other waits have matched.
  var matched: Set<Int> = []
  /// The stubs that were never requested.
  var unrequestedStubs: [StubEndpoint] = []
  /// Whether a program with the verifier's address runs.
  var isAppRunning = false
  /// The end of the program that was launched with the verifier's address.
  var programEnd: String?
  /// The test's description of its app.
  var app: String?
  /// The line of the wait that has matched them.
  static let matchLine: UInt = 312
  private let zero = ContinuousClock.now
  private let clock: Locked<ContinuousClock.Instant>

  init() {
    let clock = Locked(ContinuousClock.now)
    self.clock = clock
    journal = TrackingJournal(limits: TrackingServer.Limits()) { clock.withLock { $0 } }
    connections = 1
  }

  /// The number of connections so far; `nil` if its address was never used.
  var connections: Int? {
    get { if case .listening(_, let connections) = reachability { connections } else { nil } }
    set {
      let url = URL(string: "http://[::1]:50123") ?? URL(filePath: "/")
      reachability = newValue.map { .listening(url, connections: $0) } ?? .unused
    }
  }

  /// Of a wait of 5 seconds.
  var scale: Timescale { Timescale(began: zero, deadline: zero + .seconds(5)) }

  /// Adds an event that arrives so many milliseconds after the wait began.
  func add(
    _ name: String, _ params: [TrackingParam: TrackingValue] = [:], at milliseconds: Int, launch: String? = nil,
    sequence: UInt64? = nil
  ) {
    add(TrackingEvent(name: name, params: params), at: milliseconds, launch: launch, sequence: sequence)
  }

  func add(_ event: TrackingEvent, at milliseconds: Int, launch: String? = nil, sequence: UInt64? = nil) {
    set(milliseconds)
    let sender = TrackingJournal.Sender(
      connection: launch == nil ? nil : 1, launch: launch, sequence: sequence, isOfSession: true)
    _ = journal.record([event], bodySize: 0, from: sender)
  }

  /// Adds a request that arrives so many milliseconds after the wait began; one without a stub is unmatched.
  func request(
    _ method: ReceivedRequest.Method, _ target: String, body: String = "", status: Int? = 404,
    stub: StubEndpoint? = nil,
    fault: HTTPFault? = nil, nearest: String? = nil, at milliseconds: Int
  ) {
    set(milliseconds)
    let parts = target.split(separator: "?", maxSplits: 1).map(String.init)
    let request = ReceivedRequest(
      method: method, path: parts[0], queryText: parts.dropFirst().first, body: Data(body.utf8))
    let response = RecordedResponse(
      status: status, stub: stub, fault: fault, isUnmatched: stub == nil, nearestStub: nearest)
    journal.record(
      RecordedRequest(request, connection: 1, exchange: journal.requests.count + 1, response: response))
  }

  /// Adds a request whose response is added later or, if its status is known, sent later.
  func openRequest(_ path: String, delaying status: Int? = nil, at milliseconds: Int) {
    set(milliseconds)
    journal.record(
      RecordedRequest(
        ReceivedRequest(method: "GET", path: path), connection: 1, exchange: 1,
        response: status.map { RecordedResponse(status: $0) }), isSent: false)
  }

  /// Sends the delayed response to a request.
  func send(_ number: Int, at milliseconds: Int) {
    set(milliseconds)
    journal.noteSending(of: number)
  }

  /// Adds the response to a request.
  func complete(_ number: Int, status: Int, at milliseconds: Int) {
    set(milliseconds)
    journal.complete(number, with: RecordedResponse(status: status))
  }

  func reject(
    _ reason: String, path: String? = nil, body: String = "", status: Int = 400, at milliseconds: Int = 0,
    launch: String? = nil, sequence: UInt64? = nil
  ) {
    reject(
      reason, path: path, data: Data(body.utf8), status: status, at: milliseconds, launch: launch, sequence: sequence)
  }

  func reject(
    _ reason: String, path: String? = nil, data: Data, status: Int = 400, at milliseconds: Int = 0,
    launch: String? = nil, sequence: UInt64? = nil
  ) {
    set(milliseconds)
    journal.record(
      RejectedSubmission(
        status: status, reason: reason, path: path, offset: nil, body: data, bodySize: data.count,
        connection: 1, launch: launch),
      sequence: sequence)
  }

  /// Adds the rejection of a body, with the reason that the server gives.
  func reject(body: String, at milliseconds: Int = 0) {
    do {
      _ = try Array(body.utf8).withUnsafeBufferPointer { try EventReader(maximumDepth: 64).events(in: $0) }
    } catch let error as JSONError {
      reject(error.reason, path: error.path.isEmpty ? nil : error.path, body: body, at: milliseconds)
    } catch {}
  }

  /// Notes that a double was created in the process of a launch.
  func hello(of launch: String, at milliseconds: Int) {
    set(milliseconds)
    journal.noteHello(of: launch, connection: 1)
  }

  /// The app closes its connection.
  func close(at milliseconds: Int) {
    set(milliseconds)
    journal.recordEnd(ofConnection: 1)
  }

  /// The failure that a wait of 5 seconds reports.
  func failure(
    of check: TrackingCheck<CheckOutcome>, since origin: Int = 1, _ end: CheckEnd = .decided,
    zero name: String = "the wait began"
  ) -> FailureReport {
    var scale = scale
    scale.zero = name
    let ledger = SharedLedger(of: journal)
    let place = CodeLocation(line: Self.matchLine)
    ledger.match(journal.entries(from: 1).filter { matched.contains($0.number) }, at: place)
    let mark = JournalMark(entry: origin, sequences: [:])
    let check = CheckCall(check, at: CodeLocation(), since: mark, timeout: 5, settling: 0.25)
    var run = CheckRun(check, in: CheckContext(origin: mark, ledger: ledger), asOf: scale)
    run.read(journal)
    var context = FailureContext(in: journal, since: .beginning, origin: mark)
    context.reachability = reachability
    context.unrequestedStubs = unrequestedStubs
    context.isAppRunning = isAppRunning
    context.programEnd = programEnd
    context.app = app
    return FailureReport(of: run, end, context)
  }

  /// A wait that began at zero and has read everything.
  func run(
    of check: TrackingCheck<CheckOutcome>, timeout: Double = 5, countingOtherSessions: Bool = false
  ) -> CheckRun {
    let check = CheckCall(
      check, at: CodeLocation(), since: .beginning, timeout: timeout, settling: 0.25)
    var run = CheckRun(check, in: CheckContext(countsOtherSessions: countingOtherSessions), from: zero)
    run.read(journal)
    return run
  }

  /// The time of a number of milliseconds after the wait began.
  func time(_ milliseconds: Int) -> ContinuousClock.Instant { zero + .milliseconds(milliseconds) }

  private func set(_ milliseconds: Int) {
    clock.withLock { $0 = zero + .milliseconds(milliseconds) }
  }
}
