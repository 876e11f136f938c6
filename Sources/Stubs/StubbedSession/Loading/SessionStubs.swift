import Foundation
import TrackingLaunch
import TrackingModel

/// The stubs of one session, shared by all its tasks.
///
/// `@unchecked Sendable`: a lock guards the stubs, and the configuration is never changed.
final class SessionStubs: @unchecked Sendable {
  enum Decision: Sendable {
    /// The report is for the verifier; the request is reported once it is known whether its response is delayed.
    case respond(PreparedResponse, ReceivedRequest, ReportedRequest)
    case passThrough(URLSession)
    case fail(reason: String)
  }

  /// Left when a problem with the stubs has been reported; requests wait for that, because an app may exit at its first error, before the report is
  /// sent.
  let report = DispatchGroup()
  private let table: Locked<StubTable>
  private let problem: StubsProblem?
  /// The session for unmatched requests; `nil` to fail them.
  private let real: URLSession?
  private let log: AppLog
  private let channel: VerifierChannel?
  private let configuration: URLSessionConfiguration

  init(
    _ stubs: Result<StubTable, StubsProblem>, real: URLSession?, configuration: URLSessionConfiguration, log: AppLog,
    channel: VerifierChannel?
  ) {
    switch stubs {
    case .success(let stubs): (table, problem) = (Locked(stubs), nil)
    case .failure(let reason): (table, problem) = (Locked(StubTable()), reason)
    }
    self.log = log
    self.channel = channel
    self.configuration = configuration
    self.real = real
    if let problem { tell(problem) }
  }

  private func tell(_ problem: StubsProblem) {
    log.write(problem.text)
    guard let channel else { return }
    DispatchQueue.global().async(group: report) { channel.report(problem: "StubbedSession: \(problem.text)") }
  }

  /// Whether a request is handled, by its scheme, method, URL and query.
  ///
  /// Header fields and body aren't complete when a session calls this: the configuration's fields are added later, and the body may be a stream.
  func mayRespond(to request: URLRequest) -> Bool {
    // A web socket has no stub, but must not reach the network either.
    if request.opensWebSocket { return real == nil }
    guard let request = ReceivedRequest(head: request) else { return false }
    guard real != nil, problem == nil else { return true }
    let parsed = ParsedRequest(request)
    return table.withLock { $0.candidates(for: parsed) }.mayMatch(parsed)
  }

  /// Seconds without a byte after which a request fails.
  ///
  /// A request's default is 60, and a protocol doesn't know whether its session's configuration has another.
  func timeout(of request: URLRequest) -> TimeInterval {
    request.timeoutInterval == 60 ? configuration.timeoutIntervalForRequest : request.timeoutInterval
  }

  /// Reports a request to the verifier.
  ///
  /// - Returns: For a delayed response, a function to call when the app gets it, which may block for a moment; `nil` if nothing needs it.
  func tell(_ report: ReportedRequest, isDelayed: Bool = false) -> (@Sendable () -> Void)? {
    var report = report
    report.isDelayed = isDelayed ? true : nil
    guard let channel, let number = channel.report(request: report), isDelayed else { return nil }
    return { channel.report(responseTo: number) }
  }

  /// Decides on a request, and counts a response as used; reports the request to the verifier if it gets none.
  func decide(_ request: ReceivedRequest) -> Decision {
    if let problem {
      // The problem has been reported already, and explains all requests.
      return fail("\(request.line) gets no response: \(problem.text)")
    }
    var declined: Set<StubTable.ID> = []
    while let selection = take(request, declined) {
      do {
        if let result = try result(of: selection) {
          let status = result.result.errorCode == nil ? result.result.status : nil
          let report = ReportedRequest(
            selection.request, status: status, stub: selection.stub.endpoint, doubt: selection.doubt)
          return .respond(result, selection.request, report)
        }
      } catch {
        let problem =
          "the closure for \(selection.stub.endpoint) returned no response to \(request.target): \(StubError.text(of: error))"
        channel?.report(request: ReportedRequest(selection.request, stub: selection.stub.endpoint, problem: problem))
        return fail(problem)
      }
      declined.insert(selection.id)
      table.withLock { $0.giveBack(selection) }
    }
    return unmatched(request)
  }

  private func fail(_ reason: String) -> Decision {
    log.write(reason)
    return .fail(reason: reason)
  }

  /// The stub that responds to a request, counted as used; conditions and closures run with no lock held, since they may use the session.
  private func take(_ request: ReceivedRequest, _ declined: Set<StubTable.ID>) -> StubTable.Selection? {
    let parsed = ParsedRequest(request)
    var candidates = table.withLock { $0.candidates(for: parsed, declined: declined) }
    while case .match(let match) = candidates.search(parsed, callsCode: true) {
      if let selection = table.withLock({ $0.count(match) }) { return selection }
    }
    return nil
  }

  private func result(of selection: StubTable.Selection) throws -> PreparedResponse? {
    guard let handler = selection.stub.handler else { return selection.result }
    return try handler.respond(to: selection.request).map {
      try PreparedResponse($0, for: selection.stub.endpoint, folder: selection.stub.folder)
    }
  }

  private func unmatched(_ request: ReceivedRequest) -> Decision {
    if let real { return .passThrough(real) }
    let nearest = table.withLock { $0 }.nearest(to: request)
    let reason =
      nearest.map {
        "no stub matches \(request.line); the nearest is \($0.endpoint): \($0.differences.joined(separator: "; "))"
      } ?? "no stub matches \(request.line), because none is installed"
    channel?.report(request: ReportedRequest(request, nearest: nearest))
    return fail(reason)
  }
}

// MARK: - The configuration's part

extension SessionStubs {
  /// Adds the header fields and cookies that the session adds, so that stubs see the request like a server; `isForeign` after a redirect to another
  /// host, which gets no credentials.
  func completed(_ request: URLRequest, isForeign: Bool) -> URLRequest {
    var request = request
    for (name, value) in configuration.httpAdditionalHeaders ?? [:] {
      guard let name = name as? String, request.value(forHTTPHeaderField: name) == nil else { continue }
      if isForeign, name.lowercased() == "authorization" { continue }
      request.setValue("\(value)", forHTTPHeaderField: name)
    }
    if configuration.httpShouldSetCookies, request.httpShouldHandleCookies,
      request.value(forHTTPHeaderField: "Cookie") == nil, let url = request.url,
      let cookies = configuration.httpCookieStorage?.cookies(for: url), !cookies.isEmpty
    {
      for (name, value) in HTTPCookie.requestHeaderFields(with: cookies) {
        request.setValue(value, forHTTPHeaderField: name)
      }
    }
    return request
  }

  func keepCookies(of result: StubResponse, for request: URLRequest) {
    guard let storage = configuration.httpCookieStorage, configuration.httpCookieAcceptPolicy != .never,
      configuration.httpShouldSetCookies, request.httpShouldHandleCookies, let url = request.url
    else { return }
    // Line by line: joined by commas, their dates would be ambiguous.
    let cookies = result.headers.lines.filter { $0.name.lowercased() == "set-cookie" }
      .flatMap { HTTPCookie.cookies(withResponseHeaderFields: ["Set-Cookie": $0.value], for: url) }
    for cookie in cookies { storage.setCookie(cookie) }
  }
}

extension URLRequest {
  /// Whether the request opens a web socket: by its scheme, or as the HTTP request that Apple's sessions make of it.
  var opensWebSocket: Bool {
    let scheme = url?.scheme?.lowercased()
    return scheme == "ws" || scheme == "wss" || value(forHTTPHeaderField: "Sec-WebSocket-Key") != nil
      || value(forHTTPHeaderField: "Upgrade")?.lowercased() == "websocket"
  }
}

extension ReceivedRequest {
  /// For messages: `GET api.example/books?page=1`.
  fileprivate var line: String { "\(method) \(host ?? "")\(target)" }
}
