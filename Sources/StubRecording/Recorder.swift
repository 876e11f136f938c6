import Foundation
import TrackingServer
import TrackingSockets

/// Answers requests from a recording, or forwards them to the real backend and keeps its answers.
final class Recorder: Backend {
  private let folder: URL
  private let mode: RecordingMode
  /// The folder's recording at the beginning.
  private let found: RecordingRun.Found
  /// Whether this run is a second take, which is compared with the recording.
  private let isSecondTake: Bool
  private let setup: RecordingSetup
  /// The matchers that choose a backend for a request; requests are forwarded to these origins only.
  private let routes: [(matcher: StubMatcher, origin: String)]
  let hosts: [String]
  private let client: UpstreamClient
  /// The stubs of the recording, of which none has answered.
  private let recorded: StubTable
  private let state: Locked<State>

  fileprivate struct State: Sendable {
    /// The stubs of the recording, and the epoch.
    var table = StubTable()
    var arrivals = 0
    /// The number of arrivals at each reset: what was asked between two of them is recorded as by a test of its own.
    var resets: [Int] = []
    /// The requests whose answers haven't arrived, by the numbers of their arrivals.
    var pending: [Int: String] = [:]
    /// What the backends have answered, by the number of the request's arrival.
    var fresh: [Int: RecordedExchange] = [:]
    /// The requests without an answer, in the order of the failures.
    var failures: [Failure] = []
    /// Remarks on what can't be recorded, printed at the end.
    var remarks: [String] = []
    /// The number of answers that were written already.
    var written = 0
    /// Whether it was finished once.
    var isFinished = false
  }

  /// A request that a backend didn't answer.
  fileprivate struct Failure: Sendable {
    let number: Int
    let request: RecordedExchange.Request
    let sentence: String
    /// Whether the backend was unreachable or broke off.
    let isOutage: Bool
  }

  /// - Throws: `RecordingError` for a mode, an upstream or a folder that can't be used.
  init(_ setup: RecordingSetup, folder: URL, environment: [String: String], mostBytes: Int = 64 << 20) throws {
    self.folder = folder
    self.setup = setup
    let wanted = try RecordingMode(environment: environment)
    isSecondTake = try wanted == .rewrite && RecordingMode.isSecondTake(environment)
    let exists = FileManager.default.fileExists(atPath: folder.path(percentEncoded: false))
    let isRecording = FileManager.default.fileExists(
      atPath: folder.appending(path: Recording.indexName).path(percentEncoded: false))
    let isOfThisRun = RecordingRun.hasWritten(folder)
    found = RecordingRun.find(folder)
    switch wanted {
    // Another test of this run has just recorded; this one adds to it.
    case .once: mode = isRecording && !isOfThisRun ? .replay : .rewrite
    case .replay, .append, .rewrite: mode = wanted
    }
    if mode == .replay, !isRecording {
      // On a device the folder of the test's source isn't there.
      let isElsewhere = !FileManager.default.fileExists(
        atPath: folder.deletingLastPathComponent().deletingLastPathComponent().path(percentEncoded: false))
      let advice =
        isElsewhere
        ? "Its folder isn't on this machine: add Recordings to the resources of the test target, and say in: .bundle(.module)."
        : "Record it with \(RecordingMode.variable)=once, against the real backend."
      throw RecordingError("there is no recording at \(folder.path(percentEncoded: false)). \(advice)")
    }
    if mode != .replay, exists, !isRecording,
      try !FileManager.default.contentsOfDirectory(atPath: folder.path(percentEncoded: false)).isEmpty
    {
      throw RecordingError(
        "\(folder.path(percentEncoded: false)) has files and no \(Recording.indexName), so it isn't a recording: choose another folder."
      )
    }
    var upstreams = setup.upstreams
    var table = StubTable()
    if mode == .replay || mode == .append, isRecording {
      let recording = try Recording(contentsOf: folder)
      if upstreams.isEmpty { upstreams = recording.upstreams }
      for stub in recording.stubs {
        do throws(StubError) {
          table.install(try PreparedStub(stub, folder: nil))
        } catch {
          throw RecordingError("the recorded answer to \(stub) can't be replayed: \(error).")
        }
      }
    }
    routes = try Self.routes(upstreams)
    hosts = upstreams.keys.filter { !$0.hasPrefix("/") }
    recorded = table
    client = UpstreamClient(mostBytes: mostBytes)
    state = Locked(State(table: table))
    // What is added is put together when it is written.
    if mode != .replay { try FolderLock.hold(folder, isShared: mode == .append || TestRun.start != nil) }
  }

  /// The scheme, host and port of a backend.
  private static func origin(_ text: String) throws -> String {
    guard let url = URLComponents(string: text), let scheme = url.scheme?.lowercased(),
      ["http", "https"].contains(scheme),
      let host = url.host?.lowercased(), !host.isEmpty
    else { throw RecordingError("the upstream \(text) isn't an http or https URL.") }
    guard url.path.isEmpty || url.path == "/", url.query == nil, url.user == nil else {
      throw RecordingError(
        "the upstream \(text) is more than scheme, host and port: the app's own path and query are sent to it.")
    }
    return "\(scheme)://\(host)\(url.port.map { ":\($0)" } ?? "")"
  }

  private static func routes(_ upstreams: [String: String]) throws -> [(matcher: StubMatcher, origin: String)] {
    guard !upstreams.isEmpty else { throw RecordingError("a recording needs the URL of a backend: upstream: url.") }
    return try upstreams.sorted { $0.key < $1.key }.map { key, origin in
      let stub = key.hasPrefix("/") ? StubEndpoint(nil, key, .ok) : StubEndpoint(nil, "/*", host: .equal(to: key), .ok)
      let origin = try Self.origin(origin)
      do throws(StubError) {
        return (try StubMatcher(stub), origin)
      } catch {
        throw RecordingError("the upstream \"\(key)\" can't be used: \(error).")
      }
    }
    .sorted { $0.matcher.precedes($1.matcher) }
  }
}

// MARK: - Answers

extension Recorder {
  func answer(_ request: StubRequest) -> BackendAnswer {
    guard let route = routes.first(where: { $0.matcher.match(request) != nil }) else { return .pass }
    let json = JSONBody(of: request)
    if mode != .rewrite {
      // Read before the lock is taken: a large body takes a while.
      if state.withLock({ $0.table.looksAtJSON(at: RequestPath(request.path)) }) { _ = json.value }
      nonisolated(unsafe) let json = json
      if let selection = state.withLock({ $0.table.take(request, json: json) }), let result = selection.result {
        return .result(result, selection.stub.endpoint)
      }
    }
    guard mode != .replay else { return .missing(state.withLock { $0.table }.nearest(to: request, json: json)) }
    let (number, epoch) = state.withLock { state in
      state.arrivals += 1
      state.pending[state.arrivals] = "\(request.method) \(request.target)"
      return (state.arrivals, state.table.epoch())
    }
    return .task { [self] in await forwarded(request, to: route.origin, number: number, epoch: epoch) }
  }

  func skip(_ request: StubRequest) {
    state.withLock { $0.table.skipRecorded(request) }
  }

  func reset() {
    state.withLock { state in
      state.table = recorded
      state.resets.append(state.arrivals)
    }
  }

  private func forwarded(_ request: StubRequest, to origin: String, number: Int, epoch: Int) async -> BackendAnswer {
    let (date, start) = (Date(), ContinuousClock.now)
    let asked = RecordedExchange.Request(
      method: request.method, origin: origin, path: request.path,
      query: request.queryText.map { UpstreamClient.replacing(request.base, with: RecordedBase.placeholder, in: $0) },
      headers: Self.headers(of: request), body: UpstreamClient.body(of: request, base: RecordedBase.placeholder))
    do throws(UpstreamClient.Failure) {
      let fetched = try await client.send(request, to: origin)
      let answer = AnswerRules(origins: routes.map(\.origin)).applied(to: fetched)
      let result: PreparedResult
      do throws(StubError) {
        result = try PreparedResult(StubResult(answer), folder: nil).filled(withBase: request.base)
      } catch {
        throw UpstreamClient.Failure(reason: "its answer can't be sent on: \(error)", isOutage: false)
      }
      let exchange = RecordedExchange(
        request: asked, answer: answer, date: date, duration: (ContinuousClock.now - start) / .seconds(1), epoch: epoch)
      state.withLock { state in
        state.pending[number] = nil
        state.fresh[number] = exchange
        // An answer to a request from before a reset changes no later epoch.
        if request.changesSomething, number > state.resets.last ?? 0 { state.table.advanceEpoch() }
        if fetched.lostItsBody {
          state.remarks.append("the body of the redirect that answered \(exchange.request.line) isn't recorded")
        }
      }
      return .result(result, nil)
    } catch {
      let sentence = "\(request.method) \(request.target) was not answered by \(origin): \(error.reason)"
      state.withLock { state in
        state.pending[number] = nil
        state.failures.append(
          Failure(number: number, request: asked, sentence: sentence, isOutage: error.isOutage))
      }
      return .failure(sentence)
    }
  }

  private static func headers(of request: StubRequest) -> HeaderFields {
    let dropped = ConnectionFields.of(request.headers)
    return HeaderFields(fields: request.headers.fields.filter { !dropped.contains($0.name.lowercased()) })
  }
}

// MARK: - Writing

extension Recorder.State {
  /// The exchanges in the order of the requests' arrival, apart for each reset.
  fileprivate var exchanges: [[RecordedExchange]] {
    let sorted = fresh.sorted { $0.key < $1.key }
    let ends = resets + [.max]
    return zip([0] + resets, ends).map { start, end in
      sorted.filter { start < $0.key && $0.key <= end }.map(\.value)
    }
    .filter { !$0.isEmpty }
  }

  /// Whether the same request was answered later.
  private func wasRepeated(_ failure: Recorder.Failure, _ answered: [RecordedExchange.Request: Int]) -> Bool {
    answered[failure.request.withoutHeaders, default: 0] > failure.number
  }

  /// For each request that was answered, its last arrival.
  private var answered: [RecordedExchange.Request: Int] {
    Dictionary(fresh.map { ($0.value.request.withoutHeaders, $0.key) }, uniquingKeysWith: max)
  }

  /// The requests that the recording lacks because a backend was unreachable or broke off.
  fileprivate var gaps: [String] {
    let answered = answered
    return failures.filter { $0.isOutage && !wasRepeated($0, answered) }.map(\.sentence)
  }

  /// The other requests that aren't recorded.
  fileprivate var told: [String] {
    let answered = answered
    let failed = failures.compactMap { failure -> String? in
      if wasRepeated(failure, answered) { return "\(failure.sentence); the same request was answered later" }
      return failure.isOutage ? nil : failure.sentence
    }
    return failed
      + pending.sorted { $0.key < $1.key }.map { "\($0.value) had no answer when the test ended, and isn't recorded" }
  }
}

extension RecordedExchange.Request {
  /// What an equal request has in common: a retry may have other header fields.
  fileprivate var withoutHeaders: RecordedExchange.Request {
    var copy = self
    copy.headers = HeaderFields()
    return copy
  }
}

extension Recorder {
  func finish(hasFailed: Bool) throws {
    guard mode != .replay else { return }
    defer { FolderLock.removeIfEmpty(folder) }
    let state = self.state.withLock { state in
      defer { (state.written, state.isFinished) = (state.fresh.count, true) }
      return state
    }
    // A verifier may be stopped more than once.
    guard state.written < state.fresh.count || !state.isFinished else { return }
    let path = folder.path(percentEncoded: false)
    let gaps = state.gaps
    // In `append` what is there stays, so a gap is only told.
    for remark in Self.unique(state.remarks + state.told + (mode == .append ? gaps : [])) { Self.say(remark) }
    // A recording with gaps must not take the place of a whole one.
    if let gap = gaps.first, mode == .rewrite {
      let more =
        switch gaps.count {
        case 1: ""
        case 2: " 1 more request was not answered."
        default: " \(gaps.count - 1) more requests were not answered."
        }
      throw RecordingError("\(gap).\(more) The files at \(path) are as they were.")
    }
    guard !state.fresh.isEmpty else {
      if mode == .rewrite {
        Self.say("nothing was recorded, because the app has sent no request; \(path) is as it was")
      }
      return
    }
    guard !hasFailed else {
      return Self.say("nothing was recorded, because the test has failed; \(path) is as it was")
    }
    var count = 0
    for exchanges in isSecondTake ? [state.exchanges.flatMap(\.self)] : state.exchanges {
      count = try RecordingRun.write(
        exchanges, setup, to: folder, adds: mode == .append, isSecondTake: isSecondTake, found: found)
    }
    Self.say(
      "\(count) \(count == 1 ? "exchange is" : "exchanges are") recorded at \(path); look through them before you commit them"
    )
  }

  private static func unique(_ texts: [String]) -> [String] {
    var known: Set<String> = []
    return texts.filter { known.insert($0).inserted }
  }

  private static func say(_ text: String) {
    FileHandle.standardError.write(Data("StubRecording: \(text)\n".utf8))
  }
}
