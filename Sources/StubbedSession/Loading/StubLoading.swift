import Foundation

/// One task that is being answered, from its start to its end or its stop.
///
/// The lock makes it `Sendable`. It guards what is under way, and is held while the task is told something, so that nothing comes after a stop; being
/// told of its end, a session may stop a task at once, and on the same thread.
final class StubLoading: @unchecked Sendable {
  private let lock = NSRecursiveLock()
  /// Whom to speak for; `nil` when that is over.
  private weak var urlProtocol: URLProtocol?
  private var forwarded: URLSessionTask?
  private let thread = LoadingThread()

  /// Made on the thread on which loading begins.
  init(_ urlProtocol: URLProtocol) {
    self.urlProtocol = urlProtocol
  }

  /// Looks for the answer and gives it.
  func start(_ request: URLRequest, from stubs: SessionStubs) {
    // The body may be a stream that somebody is still writing to, so not on the thread of all loading.
    DispatchQueue.global().async { [weak self] in
      let answer = StubAnswer(to: request, from: stubs)
      guard let self else { return }
      self.thread.perform(after: 0) { self.begin(answer) }
    }
  }

  /// Answers nothing.
  func refuse(_ reason: String) {
    thread.perform(after: 0) { [weak self] in self?.fail(with: .unsupportedURL, reason) }
  }

  /// From here on the task is told nothing.
  func stop() {
    lock.withLock {
      urlProtocol = nil
      forwarded?.cancel()
      forwarded = nil
    }
  }

  private func begin(_ answer: StubAnswer) {
    switch answer {
    case .plan(let plan, let url): perform(plan.steps[...], url)
    case .passThrough(let request, let session): forward(request, session)
    case .failure(let code, let reason): fail(with: code, reason)
    }
  }

  private func perform(_ steps: ArraySlice<AnswerPlan.Step>, _ url: URL) {
    guard let step = steps.first else { return }
    thread.perform(after: step.delay) { [weak self] in
      guard let self, self.perform(step.event, url) else { return }
      self.perform(steps.dropFirst(), url)
    }
  }

  /// Whether loading goes on.
  private func perform(_ event: AnswerPlan.Event, _ url: URL) -> Bool {
    tell { urlProtocol, client in
      switch event {
      case .head(let status, let headers):
        guard
          let response = HTTPURLResponse(url: url, statusCode: status, httpVersion: "HTTP/1.1", headerFields: headers)
        else { return }
        client.urlProtocol(urlProtocol, didReceive: response, cacheStoragePolicy: .notAllowed)
      case .body(let data): client.urlProtocol(urlProtocol, didLoad: data)
      case .end: client.urlProtocolDidFinishLoading(urlProtocol)
      case .failure(let code): client.urlProtocol(urlProtocol, didFailWithError: Self.error(code, url))
      }
    }
  }

  private func forward(_ request: URLRequest, _ session: URLSession) {
    lock.withLock {
      guard urlProtocol != nil else { return }
      let task = session.dataTask(with: request) { [weak self] data, response, error in
        guard let self else { return }
        self.thread.perform(after: 0) { self.finish(data, response, error) }
      }
      forwarded = task
      task.resume()
    }
  }

  private func finish(_ data: Data?, _ response: URLResponse?, _ error: (any Error)?) {
    _ = tell { urlProtocol, client in
      if let error { return client.urlProtocol(urlProtocol, didFailWithError: error) }
      if let response { client.urlProtocol(urlProtocol, didReceive: response, cacheStoragePolicy: .notAllowed) }
      if let data { client.urlProtocol(urlProtocol, didLoad: data) }
      client.urlProtocolDidFinishLoading(urlProtocol)
    }
  }

  private func fail(with code: URLError.Code, _ reason: String) {
    _ = tell { urlProtocol, client in
      client.urlProtocol(urlProtocol, didFailWithError: Self.error(code, urlProtocol.request.url, reason))
    }
  }

  /// Whether the task was still to be told.
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
