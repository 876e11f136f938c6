import Foundation

/// What a task is to be told, redirects followed.
enum StubAnswer: Sendable {
  case plan(AnswerPlan, URL)
  case passThrough(URLRequest, URLSession)
  case failure(URLError.Code, reason: String)

  /// Looks for the answer to a request; each answer on the way counts as given.
  ///
  /// Redirects are followed here, by stubs alone, since on Linux a protocol has no way to hand them to its session.
  init(to request: URLRequest, from stubs: SessionStubs) {
    var request = request
    var delay: TimeInterval = 0
    for _ in 0...Self.mostRedirects {
      guard let stubRequest = StubRequest(request), let url = request.url else {
        self = .failure(.badURL, reason: "the request has no URL of a web server")
        return
      }
      request.keep(body: stubRequest.body)
      switch stubs.decide(stubRequest) {
      case .passThrough(let session):
        self = .passThrough(request, session)
        return
      case .fail(let reason):
        self = .failure(.unsupportedURL, reason: reason)
        return
      case .answer(let prepared, let stubRequest):
        guard let next = prepared.redirect(of: request) else {
          self = .plan(prepared.plan(for: stubRequest, after: delay, timeout: stubs.timeout(of: request)), url)
          return
        }
        delay += prepared.result.delay
        request = next
      }
    }
    self = .failure(.httpTooManyRedirects, reason: "redirected more than \(Self.mostRedirects) times")
  }

  private static let mostRedirects = 16
}

extension URLRequest {
  /// A stream is read once.
  fileprivate mutating func keep(body: Data) {
    httpBodyStream = nil
    httpBody = body.isEmpty ? nil : body
  }
}
