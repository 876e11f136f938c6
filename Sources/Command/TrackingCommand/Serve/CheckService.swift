import Foundation
import StubModel
import TrackingInspector
import TrackingJSON
import TrackingModel
import TrackingPatterns
import TrackingPlan
import TrackingChecks
import TrackingServer

/// Serves `/-tracking/v1/`, which ``description`` describes: checks, marks, entries, stubs and the finish.
///
/// An open check's response is delayed without blocking a thread.
final class CheckService: HostedPage {
  static let path = "/-tracking/v1/"
  /// The header field for the factor of a client's timeouts, which replaces that of `tracking serve`.
  static let scaleField = "Tracking-Timeout-Scale"
  private static let mostBytes = 1_024 * 1_024

  /// The paths of written files by kind, and why one couldn't be written.
  typealias Files = (paths: [String: String], problem: String?)

  /// The secret in `Authorization: Bearer …`.
  let token: String

  private struct State {
    var marks: [ServeSession.Mark] = []
    /// The default mark of checks.
    var usual: ServeSession.Mark?
    /// The end of the last finish.
    var finished: ServeSession.Mark?
    var tests: ServedTests
    /// Functions that wake the open checks, by number.
    var open: [Int: @Sendable () -> Void] = [:]
    /// The undecided checks by number, each with the index of its test.
    var pending: [UInt: (check: OpenCheck, test: Int)] = [:]
    var next = 0
    var isEnding = false
  }

  private let server: TrackingServer
  private let session: ServeSession
  private let hasPlan: Bool
  /// The maximum number of open checks: half of the server's connections, so that the app has the other half.
  let mostOpen: Int
  private let write: @Sendable () -> Files
  private let lock = NSLock()
  /// Accessed only through `withState`.
  nonisolated(unsafe) private var unguarded: State

  /// Creates a service, which the server uses after ``start()``.
  ///
  /// - Parameters:
  ///   - settling: The silence, in seconds, after which an upper bound counts as met.
  ///   - write: Writes the session's files at the finish.
  init(
    about server: TrackingServer, plan: TrackingPlan?, settling: TimeInterval = 0.25,
    write: @escaping @Sendable () -> Files
  ) {
    self.server = server
    self.write = write
    hasPlan = plan != nil
    session = ServeSession(about: server, plan: plan, settling: settling)
    let name = "tracking serve at localhost:\(server.lastEndpoint?.url.port ?? 0)"
    unguarded = State(tests: ServedTests(of: name, now: .now))
    server.notes?.observe(title: name)
    mostOpen = server.configuration.limits.connections / 2
    var generator = SystemRandomNumberGenerator()
    // 128 bits.
    token = (0..<4).map { _ in String(generator.next() as UInt32, radix: 36) }.joined()
  }

  private func withState<Result>(_ change: (inout State) -> Result) -> Result {
    lock.withLock { change(&unguarded) }
  }

  var openCount: Int { withState(\.open.count) }

  /// Registers this service with the server.
  func start() {
    server.checks.withLock { $0 = self }
    showTests()
  }

  /// Responds to each open check with 503, and returns when the responses have been sent, or after a second.
  func end() {
    let open = withState { state in
      state.isEnding = true
      return state.open.values.map { $0 }
    }
    for wake in open { wake() }
    let deadline = ContinuousClock.now + .seconds(1)
    while withState({ !$0.open.isEmpty }), .now < deadline { Thread.sleep(forTimeInterval: 0.002) }
    if !open.isEmpty { Thread.sleep(forTimeInterval: 0.02) }
  }

  // MARK: - Requests

  func respond(to request: ReceivedRequest) -> PageOutcome { .work { [self] in outcome(of: request) } }

  private func outcome(of request: ReceivedRequest) -> PageOutcome {
    guard request.path.hasPrefix(Self.path) else {
      return .failure(404, "there is no \(request.path); a check is sent to POST \(Self.path)wait")
    }
    let name = String(request.path.dropFirst(Self.path.count))
    let route = Route.all.first { ($0.method, $0.path) == (request.method.rawValue, name) }
    guard route?.needsToken == false || isAuthorized(request.headers["Authorization"]) else {
      return .failure(
        401, "send the token of `tracking serve` as \"Authorization: Bearer TOKEN\"", ("WWW-Authenticate", "Bearer"))
    }
    guard request.body.count <= Self.mostBytes else { return .failure(413, "a request has at most 1 MiB") }
    guard let route else {
      if let methods = Route.methods(of: name) { return .failure(405, "\(name) takes \(methods)", ("Allow", methods)) }
      return .failure(
        404, "there is no \(request.path); a check is sent to POST \(Self.path)wait, and there are \(Route.list)")
    }
    do {
      return try route.respond(self, route.call(request))
    } catch let error as JSONError {
      return .failure(400, error.path.isEmpty ? error.reason : "\(error.path): \(error.reason)")
    } catch {
      return .failure(400, "\(error)")
    }
  }

  /// Compares in constant time, so that the duration doesn't reveal how much of the token is right.
  private func isAuthorized(_ field: String?) -> Bool {
    // RFC 9110 11.1: the scheme's name ignores case.
    let (given, expected) = (Array((field ?? "").utf8.dropFirst(7)), Array(token.utf8))
    guard field?.prefix(7).lowercased() == "bearer ", given.count == expected.count else { return false }
    return zip(given, expected).reduce(0) { $0 | ($1.0 ^ $1.1) } == 0
  }

  // MARK: - Checks

  func wait(_ call: RunnerCheck, _ request: ReceivedRequest) throws -> PageOutcome {
    let mark = try call.since.map(mark(named:)) ?? withState(\.usual)
    let scale = try scale(of: request)
    do throws(InvalidCheck) {
      let call = try session.begin(
        call.check, since: mark, timeout: call.timeout, scale: scale, now: .now)
      withState { $0.pending[call.number] = (call, $0.tests.startCheck()) }
      return look(call, isNew: true)
    } catch {
      throw CommandError(error.failure.message)
    }
  }

  private func scale(of request: ReceivedRequest) throws(CommandError) -> Double {
    guard let text = request.headers[Self.scaleField] else { return TimeoutScale.factor }
    guard let factor = TimeoutScale.factor(text) else {
      throw CommandError("\(Self.scaleField): expected a number greater than 0 and at most 100, found \"\(text)\"")
    }
    return factor
  }

  /// Returns the response, or how to wait for it.
  private func look(_ call: OpenCheck, isNew: Bool = false) -> PageOutcome {
    var open = call
    guard !withState(\.isEnding) else {
      forget(open)
      return .failure(503, "`tracking serve` ended before the check passed or failed")
    }
    switch open.look(at: .now) {
    case .finished(let finished):
      let test = takePending(open)
      let place = finished.outcome.failure.flatMap { failure in test.map { add(failure, of: $0) } }
      open.end(place.flatMap { place in finished.outcome.failure.map { ($0.message, place) } })
      return .success { write(finished, of: open, to: &$0) }
    case .open where isNew && openCount >= mostOpen:
      _ = takePending(open)
      return .failure(503, "\(mostOpen) checks are already waiting, which is the limit; try again when one has ended")
    case .open(let time):
      open.show(at: withState { $0.tests.name(of: $0.tests.running) }) { .now }
      let shown = open
      let number = withState { state in
        state.next += 1
        return state.next
      }
      return .wait(max(.zero, time - .now)) { [self] wake in
        withState { $0.open[number] = wake }
        let cancel = shown.wake(wake)
        if withState(\.isEnding) { wake() }
        return cancel
      } then: { [self] in
        withState { _ = $0.open.removeValue(forKey: number) }
        return look(shown)
      } abandon: { [self] in
        withState { _ = $0.open.removeValue(forKey: number) }
        forget(shown)
      }
    }
  }

  /// Ends a check that neither passes nor fails.
  private func forget(_ check: OpenCheck) {
    _ = takePending(check)
    check.end(nil)
  }

  /// Returns the test of a check that ends; `nil` if the test's finish has reported the check.
  private func takePending(_ check: OpenCheck) -> Int? {
    withState { $0.pending.removeValue(forKey: check.number)?.test }
  }

  /// Adds the failure of a check to the check's own test, which may have ended, and returns its place.
  private func add(_ failure: CheckFailure, of test: Int) -> String {
    defer { showTests() }
    return withState { state in
      state.tests.add(failure, of: test)
      return state.tests.place(of: failure, in: test)
    }
  }

  /// Returns a failure for each check of the running test that hasn't passed or failed, so that no later test is blamed for it.
  private func takeUnfinished() -> [CheckFailure] {
    let checks = withState { state in
      let test = state.tests.running
      let unfinished = state.pending.filter { $0.value.test == test }.sorted { $0.key < $1.key }
      for (number, _) in unfinished { state.pending[number] = nil }
      return unfinished.map(\.value.check)
    }
    return checks.map(\.unfinished)
  }

  /// Changes the tests, and notes failures of the running one for the page and the session.
  private func note(_ failures: [CheckFailure], _ change: (inout ServedTests) -> Void) {
    let places = withState { state in
      change(&state.tests)
      return failures.map { state.tests.place(of: $0, in: state.tests.running) }
    }
    for (failure, place) in zip(failures, places) { server.notes?.add(failure: failure.message, at: place) }
    showTests()
  }

  /// Shows the tests on the page and in the session.
  private func showTests() {
    server.notes?.follow { [weak self] in self?.withState(\.tests.sessionValue) ?? [] }
  }

  private func write(_ finished: CheckResult, of open: OpenCheck, to json: inout JSONWriter) {
    let failure = finished.outcome.failure
    var (numbers, losses) = (Set(finished.outcome.matched.map(\.number)), [LostEvents]())
    if let kind = failure?.kind, [.rejected, .lost].contains(kind) {
      numbers.formUnion(server.journal.received(from: open.origin.entry).rejections.map(\.number))
      losses = server.journal.lostEvents(since: open.origin)
    }
    json.object { json in
      json.member("entries") { json in
        json.array { json in
          server.write(entries: numbers, to: &json)
          for loss in losses {
            json.beginElement()
            json.write(["kind": "lost", "launch": .string(loss.launch), "count": .int(loss.count)] as TrackingValue)
          }
        }
      }
      if let failure {
        json.member("kind", "\(failure.kind)")
        json.member("message", failure.message)
      }
      if let nearest = finished.nearest {
        let differences = TrackingValue.array(nearest.differences.map(\.value))
        json.member("nearest", ["number": .int(nearest.entry), "differences": differences] as TrackingValue)
      }
      json.member("passed", .bool(failure == nil))
      json.member("warning", open.warning)
    }
  }

  // MARK: - Marks and entries

  /// Takes a mark; the default mark starts a test.
  func mark(isDefault isUsual: Bool, test: String?) throws -> String {
    // Late matches of earlier checks belong to the earlier test.
    let late = isUsual ? session.endChecks() + takeUnfinished() : []
    if !late.isEmpty { note(late) { $0.add(late) } }
    let mark = session.mark()
    if let test { server.notes?.add(step: test, before: mark.entry) }
    defer { if isUsual { showTests() } }
    return withState { state in
      state.marks.append(mark)
      if isUsual {
        state.usual = mark
        state.tests.begin(test ?? "", at: .now, from: mark.entry)
      }
      return "m\(state.marks.count)"
    }
  }

  private func mark(named name: String) throws(CommandError) -> ServeSession.Mark {
    let marks = withState(\.marks)
    guard let number = Int(name.dropFirst()), name == "m\(number)", marks.indices.contains(number - 1) else {
      throw CommandError(
        "since: there is no mark \"\(name)\"; \(marks.isEmpty ? "none was taken" : "the last is m\(marks.count)")")
    }
    return marks[number - 1]
  }

  func entries(_ query: EntryQuery) throws(CommandError) -> PageOutcome {
    let mark = try query.since.map(mark(named:)) ?? withState(\.usual)
    let numbers = query.numbers(in: server.journal, from: mark?.entry ?? 1)
    return .success { json in
      json.object { json in
        json.member("counts", .object(Dictionary(numbers.map { ($0.rawValue, .int($1.count)) }) { $1 }))
        json.member("entries") {
          $0.array { server.write(entries: numbers.values.reduce([]) { $0.union($1) }, to: &$0) }
        }
      }
    }
  }

  // MARK: - Stubs and the finish

  /// Installs stubs, and returns their number.
  func install(_ stubs: [StubEndpoint]) throws(CommandError) -> Int {
    do throws(StubError) {
      try session.install(stubs)
    } catch {
      throw CommandError("\(error)")
    }
    return stubs.count
  }

  func removeStubs() { session.removeStubs() }

  /// Ends a test: checks the entries since a mark, or else since the later of the default mark and the last finish.
  func finish(test: String?, since: String?) throws(CommandError) -> PageOutcome {
    let named = try since.map(mark(named:))
    if let test { try withState(\.tests).allowFinish(of: test) }
    let (failures, files) = finish(test, since: named)
    var listed = failures.map(\.value)
    if let problem = files.problem { listed.append(["kind": "unwritten", "message": .string(problem)]) }
    return .success([
      "passed": .bool(listed.isEmpty), "failures": .array(listed), "tests": withState(\.tests).value,
      "server": .string(withState(\.tests.server)),
      "files": .object(files.paths.mapValues { .string($0) }),
    ])
  }

  private func finish(_ test: String?, since named: ServeSession.Mark?) -> (failures: [CheckFailure], files: Files) {
    let end = session.mark()
    let start = withState { state in
      defer { state.finished = end }
      return named ?? [state.usual, state.finished].compactMap { $0 }.max { $0.entry < $1.entry }
    }
    let checks: [TrackingCheck<CheckOutcome>] = [.delivery] + (hasPlan ? [.plan] : []) + [.noUnmatchedRequests]
    let failures = takeUnfinished() + session.finish(checks, since: start, until: end, now: .now)
    note(failures) { $0.finish(test, failures, at: .now, before: end.entry) }
    return (failures, write())
  }

  /// Does the finish of a session that no client has finished, and returns the messages of its failures.
  func finishIfNeeded() -> (failures: [String], isUnwritten: Bool)? {
    guard withState({ $0.finished == nil }) else { return nil }
    let (failures, files) = finish(nil, since: nil)
    return (failures.map(\.message), files.problem != nil)
  }
}

extension Difference {
  fileprivate var value: TrackingValue {
    var members: [String: TrackingValue] = ["reason": .string(reason)]
    if !path.isEmpty { members["param"] = .string(path) }
    // Null is a value.
    members["expected"] = expected.value
    members["found"] = found
    return .object(members)
  }
}

extension PageOutcome {
  static func success(_ members: [String: TrackingValue]) -> PageOutcome { json(members, status: 200) }

  static func success(_ write: (inout JSONWriter) -> Void) -> PageOutcome {
    var writer = JSONWriter()
    write(&writer)
    return json(writer.bytes, status: 200)
  }

  /// - Parameter field: A header field that the status requires (RFC 9110 15.5.2, 15.5.6).
  fileprivate static func failure(
    _ status: Int, _ reason: String, _ field: (name: StaticString, value: String)? = nil
  ) -> PageOutcome { json(["error": .string(reason)], status: status, field) }

  private static func json(
    _ members: [String: TrackingValue], status: Int, _ field: (name: StaticString, value: String)? = nil
  ) -> PageOutcome {
    var writer = JSONWriter()
    writer.write(TrackingValue.object(members))
    return json(writer.bytes, status: status, field)
  }

  static func json(
    _ content: [UInt8], status: Int, _ field: (name: StaticString, value: String)? = nil
  ) -> PageOutcome {
    var response = HTTPResponse(status: status, type: "application/json", content: content)
    response.addField("Cache-Control", "no-store")
    // A runner with too many checks loses its connection, which the app may need.
    response.closes = status == 503
    if let field { response.addField(field.name, field.value) }
    return .response(response)
  }
}
