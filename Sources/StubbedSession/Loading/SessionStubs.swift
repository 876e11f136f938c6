import Foundation

/// The stubs of one session, shared by all its tasks.
///
/// The lock makes it `Sendable`: it guards the table.
final class SessionStubs: @unchecked Sendable {
  /// What becomes of a request.
  enum Decision: Sendable {
    case answer(PreparedResult, StubRequest)
    case passThrough(URLSession)
    case fail(reason: String)
  }

  private let lock = NSLock()
  private var stubs: Result<StubTable, StubsProblem>
  /// Where requests go that no stub answers; `nil` when they fail.
  private let real: URLSession?
  private let log: SessionLog
  private let timeout: TimeInterval

  init(
    _ stubs: Result<StubTable, StubsProblem>, unmatched: StubbedSession.Unmatched,
    configuration: URLSessionConfiguration, log: SessionLog
  ) {
    self.stubs = stubs
    self.log = log
    timeout = configuration.timeoutIntervalForRequest
    real = unmatched == .passThrough ? URLSession(configuration: configuration) : nil
  }

  /// Whether a request is to be looked at, as far as its first line says.
  ///
  /// Neither the header fields nor the body are all there when a session asks: those of the configuration are added later, and the body may be a stream.
  func mayAnswer(_ request: StubRequest) -> Bool {
    lock.withLock {
      guard real != nil, case .success(let table) = stubs else { return true }
      return table.mayAnswer(request)
    }
  }

  /// Seconds without a byte after which a request fails.
  ///
  /// A request that says nothing has 60, and a protocol is not told what its session's configuration says instead.
  func timeout(of request: URLRequest) -> TimeInterval {
    request.timeoutInterval == 60 ? timeout : request.timeoutInterval
  }

  /// The answer to a request; it counts as given.
  func decide(_ request: StubRequest) -> Decision {
    let decision = lock.withLock { take(request) }
    if case .fail(let reason) = decision { log.write(reason) }
    return decision
  }

  private func take(_ request: StubRequest) -> Decision {
    switch stubs {
    case .failure(let problem): return .fail(reason: "\(request.line) is not answered: \(problem.text)")
    case .success(var table):
      // So that the table is not copied for the sake of a count.
      stubs = .success(StubTable())
      let selection = table.take(request)
      let nearest = selection == nil && real == nil ? table.nearest(to: request) : nil
      stubs = .success(table)
      if let selection, let result = selection.result { return .answer(result, selection.request) }
      return real.map { .passThrough($0) } ?? .fail(reason: Self.reason(request, nearest))
    }
  }

  private static func reason(_ request: StubRequest, _ nearest: StubTable.NearMiss?) -> String {
    guard let nearest else { return "no stub answers \(request.line); there are none" }
    return "no stub answers \(request.line); the nearest is \(nearest.endpoint): "
      + nearest.differences.joined(separator: "; ")
  }
}

extension StubRequest {
  /// For messages: `GET api.example/books?page=1`.
  fileprivate var line: String { "\(method) \(host ?? "")\(target)" }
}
