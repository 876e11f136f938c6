import TrackingModel
import Foundation
import TrackingSecrets
import TrackingServer

/// Responds to requests from a recording, or forwards them to the real backend and keeps its responses.
final class Recorder: Backend {
  let folder: URL
  let opened: OpenedFolder
  let setup: RecordingSetup
  let test: String
  /// `nil` in a replay.
  let lock: FolderLock?
  let state: Locked<State>
  private let upstreams: Upstreams
  private let client: UpstreamClient
  private let console: Locked<LineRedaction>
  private let secretFields: SecretFields

  struct State: Sendable {
    var table: StubTable
    var epoch = 0
    var arrivals = 0
    /// The number of arrivals at the last reset.
    var beginning = 0
    /// Requests whose responses haven't arrived, by arrival number.
    var pending: [Int: String] = [:]
    /// Complete exchanges, by the requests' arrival numbers.
    var fresh: [Int: RecordedExchange] = [:]
    /// Exchanges that the redaction of printed lines hasn't seen.
    var unseen: [RecordedExchange] = []
    var failures: [Failure] = []
    var warnings: [String] = []
    var written = 0
    var isFinished = false
  }

  struct Failure: Sendable {
    let number: Int
    let request: RecordedExchange.Request
    let sentence: String
    /// Whether the backend was unreachable or broke off.
    let isOutage: Bool
  }

  /// Throws `RecordingError` for an unusable mode, upstream or folder.
  init(
    _ setup: RecordingSetup, folder: URL, test: String?, environment: [String: String], mostBytes: Int = 64 << 20
  ) throws {
    try setup.redaction.check()
    (self.folder, self.test) = (folder, test ?? "")
    opened = try OpenedFolder(folder, setup, for: self.test, environment: environment)
    upstreams = try Upstreams(opened.upstreams)
    if opened.records, let origin = upstreams.origins.first(where: UpstreamClient.usesURLLoading),
      let problem = URLLoading.problem
    {
      throw RecordingError("\(origin) can't be recorded: \(problem).")
    }
    var setup = setup
    setup.recording.upstreams = upstreams.byKey
    self.setup = setup
    client = UpstreamClient(mostBytes: mostBytes)
    console = Locked(LineRedaction(setup.redaction))
    secretFields = SecretFields(setup.redaction.names)
    state = Locked(State(table: opened.stubs))
    lock = try opened.records ? FolderLock(folder, for: self.test) : nil
  }

  var hosts: [String] { upstreams.hosts }

  func isSecret(field name: String) -> Bool { secretFields.contains(name) }
}

// MARK: - Responses

extension Recorder {
  func respond(to request: ReceivedRequest) -> BackendOutcome {
    guard let origin = upstreams.origin(for: request) else { return .pass }
    guard opened.records else {
      if let selection = recorded(request), let result = selection.result {
        return .result(result, selection.stub.endpoint)
      }
      return .missing(state.withLock { $0.table }.nearest(to: request))
    }
    let (number, epoch) = state.withLock { state in
      state.arrivals += 1
      state.pending[state.arrivals] = "\(request.method) \(request.target)"
      return (state.arrivals, state.epoch)
    }
    return .task { [self] in await forwarded(request, to: origin, number: number, epoch: epoch) }
  }

  private func recorded(_ request: ReceivedRequest) -> StubTable.Selection? {
    let parsed = ParsedRequest(request)
    // Without the lock, because comparing a large body takes a while.
    var candidates = state.withLock { $0.table.candidates(for: parsed) }
    while case .match(let match) = candidates.search(parsed, callsCode: true) {
      if let selection = state.withLock({ $0.table.count(match) }) { return selection }
    }
    return nil
  }

  func reset() {
    state.withLock { state in
      state.table = opened.stubs
      (state.epoch, state.beginning) = (0, state.arrivals)
    }
  }

  private func forwarded(_ request: ReceivedRequest, to origin: String, number: Int, epoch: Int) async -> BackendOutcome
  {
    var recorded = RecordedExchange.Request(
      method: request.method.rawValue, origin: origin, path: request.path,
      query: request.queryText.map { UpstreamClient.replacing(request.base, with: RecordedBase.placeholder, in: $0) },
      headers: Self.headers(of: request), body: UpstreamClient.body(of: request, base: RecordedBase.placeholder))
    recorded = recorded.ignoring(setup.ignored)
    do throws(UpstreamFailure) {
      let fetched = try await client.send(request, to: origin)
      let response = self.response(of: fetched, to: request)
      let result = try Self.result(response, to: request)
      keep(
        RecordedExchange(request: recorded, response: response, epoch: epoch), number, lostItsBody: fetched.lostItsBody)
      return .result(result, nil)
    } catch {
      let sentence = redacted(
        "\(request.method) \(request.target) got no usable response from \(origin): \(error.reason)")
      state.withLock { state in
        state.pending[number] = nil
        state.failures.append(
          Failure(number: number, request: recorded, sentence: sentence, isOutage: error.isOutage))
      }
      return .failure(sentence)
    }
  }

  private func response(of fetched: UpstreamResponse, to request: ReceivedRequest) -> RecordedExchange.Response {
    var response = ResponseRules(origins: upstreams.origins).applied(to: fetched)
    // With a content coding it is the length of the coded body, while the response to GET has the decoded one.
    if request.method == "HEAD", fetched.headers["Content-Encoding"] == nil,
      let length = fetched.headers["Content-Length"]
    {
      response.headers["Content-Length"] = length
    }
    return response
  }

  private static func result(
    _ response: RecordedExchange.Response, to request: ReceivedRequest
  ) throws(UpstreamFailure) -> PreparedResponse {
    do throws(StubError) {
      return try PreparedResponse(StubResponse(response, to: request.method.rawValue, followedBy: 0), folder: nil)
        .filled(
          withBase: request.base)
    } catch {
      throw UpstreamFailure(reason: "its response can't be forwarded: \(error)", isOutage: false)
    }
  }

  private func keep(_ exchange: RecordedExchange, _ number: Int, lostItsBody: Bool) {
    state.withLock { state in
      state.pending[number] = nil
      state.fresh[number] = exchange
      state.unseen.append(exchange)
      // A response to a request from before a reset changes no later epoch.
      if exchange.request.changesSomething, number > state.beginning { state.epoch += 1 }
      for field in exchange.response.headers.lines where field.name.lowercased() == "set-cookie" {
        let cookie = field.value.prefix { $0 != "=" }.trimmingCharacters(in: .whitespaces)
        guard ["__host-", "__secure-"].contains(where: cookie.lowercased().hasPrefix) else { continue }
        state.warnings.append(
          "the cookie \(cookie) of \(exchange.request.line) loses the Secure attribute that its name requires, so web views refuse it; URLSession takes it"
        )
      }
      if lostItsBody {
        state.warnings.append("the body of the redirect for \(exchange.request.line) isn't recorded")
      }
    }
  }

  /// Redacts the secrets known so far from a line for a console.
  func redacted(_ line: String) -> String {
    console.withLock { console in
      let unseen = state.withLock { exchange(&$0.unseen, with: []) }
      return console.redacted(line, knowing: unseen)
    }
  }

  private static func headers(of request: ReceivedRequest) -> MessageHeaders {
    let dropped = ConnectionFields.of(request.headers)
    return MessageHeaders(lines: request.headers.lines.filter { !dropped.contains($0.name.lowercased()) })
  }
}
