import Foundation

/// The response to one task, from its start until it ends or is stopped.
///
/// `@unchecked Sendable`: guarded by a lock. It is held while the task's client is called, so that no call follows a stop, and recursive, because a
/// session may stop the task within such a call.
final class StubLoading: @unchecked Sendable {
  private let lock = NSRecursiveLock()
  /// `nil` after the end.
  private weak var urlProtocol: URLProtocol?
  private var forwarded: URLSessionTask?
  private let thread: LoadingThread

  /// Must be called on the thread on which loading begins.
  init(_ urlProtocol: URLProtocol) {
    self.urlProtocol = urlProtocol
    thread = LoadingThread(of: urlProtocol)
  }

  /// Finds and delivers the response; `unforwardable` is the reason why the task can't be passed through, if there is one.
  func start(_ request: URLRequest, from stubs: SessionStubs, unforwardable: String?) {
    // Not on the loading thread: the body may be a stream that is still being written.
    stubs.report.notify(queue: .global()) { [weak self] in
      var response = ResponseSearch(to: request, from: stubs)
      if case .passThrough = response, let unforwardable {
        response = .failure(.unsupportedURL, reason: unforwardable)
      }
      guard let self else { return }
      self.thread.perform(after: 0) { [response] in self.begin(response) }
    }
  }

  func refuse(_ reason: String) {
    thread.perform(after: 0) { [weak self] in self?.fail(with: .unsupportedURL, reason) }
  }

  func beganAgain() {
    thread.loadingBeganAgain()
  }

  func stop() {
    thread.stop()
    let forwarded = lock.withLock {
      urlProtocol = nil
      return exchange(&self.forwarded, with: nil)
    }
    if let forwarded { DispatchQueue.global().async { forwarded.cancel() } }
  }

  private func begin(_ response: ResponseSearch) {
    switch response {
    case .plan(let plan, let url, let sends?):
      let steps = plan.withoutLosses.steps[...]
      perform(after: steps.first?.delay ?? 0, sends) { [weak self] in self?.perform(steps, url, isDue: true) }
    case .plan(let plan, let url, nil): perform(plan.withoutLosses.steps[...], url)
    case .passThrough(let request, let session): forward(request, session)
    case .failure(let code, let reason): fail(with: code, reason)
    }
  }

  /// Reports a delayed response before the task gets it, but not on the loading thread, which tasks share.
  private func perform(
    after delay: TimeInterval, _ report: @escaping @Sendable () -> Void, _ work: @escaping @Sendable () -> Void
  ) {
    DispatchQueue.global().asyncAfter(deadline: .now() + delay) { [weak self] in
      guard let self, self.lock.withLock({ self.urlProtocol != nil }) else { return }
      report()
      self.thread.perform(after: 0, work)
    }
  }

  /// - Parameter isDue: Whether the first step's delay has passed.
  private func perform(_ steps: ArraySlice<ResponsePlan.Step>, _ url: URL, isDue: Bool = false) {
    for (index, step) in zip(steps.indices, steps) {
      guard step.delay == 0 || isDue && index == steps.startIndex else {
        return perform(steps[index...], later: step, url)
      }
      guard perform(step.event, url) else { return }
    }
  }

  private func perform(_ steps: ArraySlice<ResponsePlan.Step>, later step: ResponsePlan.Step, _ url: URL) {
    thread.perform(after: step.delay) { [weak self] in
      guard let self, self.perform(step.event, url) else { return }
      self.perform(steps.dropFirst(), url)
    }
  }

  /// Returns whether the task still expects a response.
  private func perform(_ event: ResponsePlan.Event, _ url: URL) -> Bool {
    tell { urlProtocol, client in
      switch event {
      case .head(let status, let headers):
        guard
          let response = HTTPURLResponse(url: url, statusCode: status, httpVersion: "HTTP/1.1", headerFields: headers)
        else { return }
        client.urlProtocol(urlProtocol, didReceive: response.withoutTraps, cacheStoragePolicy: .notAllowed)
      case .body(let data): client.urlProtocol(urlProtocol, didLoad: data)
      case .end: client.urlProtocolDidFinishLoading(urlProtocol)
      case .failure(let code): client.urlProtocol(urlProtocol, didFailWithError: Self.error(code, url))
      }
    }
  }

  /// Not on the loading thread: on Linux that is one queue for all sessions, on which resuming or cancelling a task waits.
  private func forward(_ request: URLRequest, _ session: URLSession) {
    DispatchQueue.global().async { [weak self] in
      guard let self else { return }
      let task = session.dataTask(with: request) { [weak self] data, response, error in
        guard let self else { return }
        self.thread.perform(after: 0) { self.finish(data, response, error) }
      }
      self.resume(task)
    }
  }

  private func resume(_ task: URLSessionTask) {
    let isWanted = lock.withLock {
      forwarded = urlProtocol == nil ? nil : task
      return forwarded != nil
    }
    if isWanted { task.resume() } else { task.cancel() }
  }

  private func finish(_ data: Data?, _ response: URLResponse?, _ error: (any Error)?) {
    _ = tell { urlProtocol, client in
      if let error { return client.urlProtocol(urlProtocol, didFailWithError: error) }
      if let response {
        client.urlProtocol(urlProtocol, didReceive: response.withoutTraps, cacheStoragePolicy: .notAllowed)
      }
      if let data { client.urlProtocol(urlProtocol, didLoad: data) }
      client.urlProtocolDidFinishLoading(urlProtocol)
    }
  }

  private func fail(with code: URLError.Code, _ reason: String) {
    _ = tell { urlProtocol, client in
      client.urlProtocol(urlProtocol, didFailWithError: Self.error(code, urlProtocol.request.url, reason))
    }
  }

  /// Calls the task's client; returns whether the task still expects a response.
  private func tell(_ words: (URLProtocol, any URLProtocolClient) -> Void) -> Bool {
    lock.withLock {
      guard let urlProtocol, let client = urlProtocol.client else { return false }
      words(urlProtocol, client)
      return true
    }
  }

  private static func error(_ code: URLError.Code, _ url: URL?, _ reason: String? = nil) -> URLError {
    var userInfo: [String: Any] = [:]
    userInfo[NSURLErrorFailingURLErrorKey] = url
    userInfo[NSLocalizedDescriptionKey] = reason
    return URLError(code, userInfo: userInfo)
  }
}
