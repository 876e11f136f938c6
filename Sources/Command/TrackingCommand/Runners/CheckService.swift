import Foundation
import StubModel
import StubReplay
import TrackingInspector
import TrackingJSON
import TrackingModel
import TrackingPlan
import TrackingChecks
import TrackingServer

/// Answers the requests under `/-tracking/v1/`: questions, marks, entries, stubs and the finish.
///
/// `openapi.json` describes them. An answer that isn't known is held back, and no thread waits for it.
final class CheckService: HostedPage {
  /// The prefix of all paths.
  static let path = "/-tracking/v1/"
  /// The header field for the factor of a client's timeouts, in place of that of `tracking serve`.
  static let scaleField = "Tracking-Timeout-Scale"
  /// The most bytes of a request's body.
  private static let mostBytes = 1_024 * 1_024

  /// The paths of the files that a finish has written, by kind, and the reason why one wasn't.
  typealias Files = (paths: [String: String], problem: String?)

  /// The secret of each request, in `Authorization: Bearer …`.
  let token: String

  private struct State {
    var marks: [ServeSession.Mark] = []
    /// The mark after which entries count unless a question names another.
    var usual: ServeSession.Mark?
    /// The functions that wake the open questions, by number.
    var open: [Int: @Sendable () -> Void] = [:]
    var next = 0
    var isEnding = false
  }

  private let server: TrackingServer
  private let session: ServeSession
  private let hasPlan: Bool
  /// The most questions that are held back: half of the server's connections, so that the app has the others.
  let mostHeld: Int
  private let write: @Sendable () -> Files
  private let lock = NSLock()
  /// Accessed through `withState` only.
  nonisolated(unsafe) private var unguarded = State()

  /// Creates a service, which the server uses once ``start()`` has been called.
  ///
  /// - Parameter write: Writes the files of the session at the finish.
  init(about server: TrackingServer, plan: TrackingPlan?, write: @escaping @Sendable () -> Files) {
    self.server = server
    self.write = write
    hasPlan = plan != nil
    session = ServeSession(about: server, plan: plan)
    mostHeld = server.configuration.limits.connections / 2
    var generator = SystemRandomNumberGenerator()
    // 128 bits.
    token = (0..<4).map { _ in String(generator.next() as UInt32, radix: 36) }.joined()
  }

  private func withState<Result>(_ change: (inout State) -> Result) -> Result {
    lock.withLock { change(&unguarded) }
  }

  /// The number of questions that are held back.
  var held: Int { withState(\.open.count) }

  /// Lets the server answer with this service.
  func start() {
    server.checks.withLock { $0 = self }
  }

  /// Answers each open question with 503, and returns when the answers are on their way, after a second at the latest.
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
    guard isAuthorized(request.headers["Authorization"]) else {
      return .failure(
        401, "send the token of `tracking serve` as \"Authorization: Bearer TOKEN\"", ("WWW-Authenticate", "Bearer"))
    }
    guard request.body.count <= Self.mostBytes else { return .failure(413, "a request has at most 1 MiB") }
    let name = String(request.path.dropFirst(Self.path.count))
    do throws(RecordingError) {
      switch (request.method, name) {
      case ("POST", "ask"): return try ask(request)
      case ("POST", "marks"): return .success(["mark": .string(try mark(request.body))])
      case ("GET", "events"): return try events(request.query)
      case ("POST", "stubs"): return try install(request)
      case ("DELETE", "stubs"):
        session.removeStubs()
        return .success(["stubs": 0])
      case ("POST", "finish"): return finish()
      default: break
      }
    } catch {
      return .failure(400, error.description)
    }
    let known = ["ask": "POST", "marks": "POST", "events": "GET", "stubs": "DELETE, POST", "finish": "POST"]
    return known[name].map { .failure(405, "\(name) takes \($0)", ("Allow", $0)) }
      ?? .failure(404, "there are \(known.keys.sorted().joined(separator: ", "))")
  }

  /// Compares in constant time: how long a refusal takes must not tell how much of the token was right.
  private func isAuthorized(_ field: String?) -> Bool {
    // RFC 9110 11.1: the scheme's name ignores case.
    let (given, expected) = (Array((field ?? "").utf8.dropFirst(7)), Array(token.utf8))
    guard field?.prefix(7).lowercased() == "bearer ", given.count == expected.count else { return false }
    return zip(given, expected).reduce(0) { $0 | ($1.0 ^ $1.1) } == 0
  }

  // MARK: - Questions

  private func ask(_ request: ReceivedRequest) throws(RecordingError) -> PageOutcome {
    let call = try RunnerCheck(try JSONNode(request.body, file: ""))
    let mark = try call.since.map(mark(named:)) ?? withState(\.usual)
    let scale = try scale(of: request)
    do throws(InvalidCheck) {
      let call = try session.ask(
        call.check, since: mark, timeout: call.timeout, scale: scale, now: .now)
      return look(call, isNew: true)
    } catch {
      throw RecordingError(error.failure.message)
    }
  }

  /// The factor of the timeouts of a request.
  private func scale(of request: ReceivedRequest) throws(RecordingError) -> Double {
    guard let text = request.headers[Self.scaleField] else { return TimeoutScale.factor }
    guard let factor = TimeoutScale.factor(text) else {
      throw RecordingError("\(Self.scaleField): expected a number greater than 0 and at most 100, found \"\(text)\"")
    }
    return factor
  }

  /// The answer, or how to wait for it.
  private func look(_ call: OpenCheck, isNew: Bool = false) -> PageOutcome {
    var open = call
    guard !withState(\.isEnding) else { return .failure(503, "`tracking serve` ended before the answer") }
    switch open.look(at: .now) {
    case .answered(let answer): return .success(value(of: answer, open.warning))
    case .open where isNew && held >= mostHeld:
      return .failure(503, "\(mostHeld) questions are held back, which is as many as may be; ask when one is answered")
    case .open(let time):
      let open = open
      let number = withState { state in
        state.next += 1
        return state.next
      }
      return .wait(max(.zero, time - .now)) { [self] wake in
        withState { $0.open[number] = wake }
        let cancel = open.wake(wake)
        if withState(\.isEnding) { wake() }
        return { [self] in
          cancel()
          withState { _ = $0.open.removeValue(forKey: number) }
        }
      } then: { [self] in
        withState { _ = $0.open.removeValue(forKey: number) }
        return look(open)
      }
    }
  }

  private func value(of answer: WaitResult, _ warning: String?) -> [String: TrackingValue] {
    var members: [String: TrackingValue] = [
      "passed": .bool(answer.failure == nil), "entries": entries(answer.matched.map(\.number)),
    ]
    if let failure = answer.failure {
      members["kind"] = .string("\(failure.kind)")
      members["message"] = .string(failure.message)
    }
    if let warning { members["warning"] = .string(warning) }
    if let nearest = answer.nearest {
      members["nearest"] = [
        "number": .int(nearest.entry), "differences": .array(nearest.differences.map { .string($0) }),
      ]
    }
    return members
  }

  // MARK: - Marks and entries

  /// Takes a mark; with `{"asDefault": true}` it is the beginning for whatever is asked without a mark.
  private func mark(_ body: Data) throws(RecordingError) -> String {
    var isUsual = false
    if !body.isEmpty {
      let options = try JSONNode(body, file: "")
      try options.allow(["asDefault"])
      try options["asDefault"]?.isTrue()
      isUsual = try options["asDefault"] != nil
    }
    let mark = session.mark()
    return withState { state in
      state.marks.append(mark)
      if isUsual { state.usual = mark }
      return "m\(state.marks.count)"
    }
  }

  private func mark(named name: String) throws(RecordingError) -> ServeSession.Mark {
    let marks = withState(\.marks)
    guard let number = Int(name.dropFirst()), name == "m\(number)", marks.indices.contains(number - 1) else {
      throw RecordingError(
        "since: there is no mark \"\(name)\"; \(marks.isEmpty ? "none was taken" : "the last is m\(marks.count)")")
    }
    return marks[number - 1]
  }

  /// Some entries as in `session.json`, in the order of their numbers.
  private func entries(_ numbers: [Int]) -> TrackingValue {
    let session = try? JSONDecoder().decode([String: TrackingValue].self, from: server.sessionJSON(of: Set(numbers)))
    return session?["entries"] ?? []
  }

  private func events(_ query: ReceivedFields) throws(RecordingError) -> PageOutcome {
    if let unknown = query.items.first(where: { !["since", "name"].contains($0.name) }) {
      throw RecordingError("\"\(unknown.name)\" is unknown here; there are since, name")
    }
    let mark = try query["since"].map(mark(named:)) ?? withState(\.usual)
    let received = server.journal.received(from: mark?.entry ?? 1)
    let events = received.events.filter { event in query["name"].map { event.event.name.isSameText(as: $0) } ?? true }
    return .success(["entries": entries(events.map(\.number))])
  }

  // MARK: - Stubs and the finish

  private func install(_ request: ReceivedRequest) throws(RecordingError) -> PageOutcome {
    let stubs = try ScenarioFile(request.body, hasFolder: false).stubs
    do throws(StubError) {
      try session.install(stubs)
    } catch {
      throw RecordingError("\(error)")
    }
    return .success(["stubs": .int(stubs.count)])
  }

  private func finish() -> PageOutcome {
    let checks: [TrackingCheck<CheckOutcome>] = [.delivery] + (hasPlan ? [.plan] : []) + [.noUnmatchedRequests]
    let failures = session.finish(checks, now: .now)
    var listed = failures.map { ["kind": .string("\($0.kind)"), "message": .string($0.message)] as TrackingValue }
    let files = write()
    if let problem = files.problem { listed.append(["kind": "unwritten", "message": .string(problem)]) }
    return .success([
      "passed": .bool(listed.isEmpty), "failures": .array(listed),
      "files": .object(files.paths.mapValues { .string($0) }),
    ])
  }
}

extension PageOutcome {
  fileprivate static func success(_ members: [String: TrackingValue]) -> PageOutcome { json(members, status: 200) }

  /// - Parameter field: A header field that the status needs (RFC 9110 15.5.2, 15.5.6).
  fileprivate static func failure(
    _ status: Int, _ reason: String, _ field: (name: StaticString, value: String)? = nil
  ) -> PageOutcome { json(["error": .string(reason)], status: status, field) }

  private static func json(
    _ members: [String: TrackingValue], status: Int, _ field: (name: StaticString, value: String)? = nil
  ) -> PageOutcome {
    let text = JSONTree(of: TrackingValue.object(members)).text(.compact)
    var response = HTTPResponse(status: status, type: "application/json", content: Array(text.utf8))
    response.addField("Cache-Control", "no-store")
    // A runner that asks too much doesn't keep its connection, which the app may need.
    response.closes = status == 503
    if let field { response.addField(field.name, field.value) }
    return .response(response)
  }
}
