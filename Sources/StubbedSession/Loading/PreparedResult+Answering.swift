import Foundation

extension PreparedResult {
  /// What a task is told of this answer.
  ///
  /// - Parameter delay: Seconds that redirects have taken before.
  func plan(for request: StubRequest, after delay: TimeInterval, timeout: TimeInterval) -> AnswerPlan {
    var result = result
    let body: Data
    switch content {
    case .bytes(let bytes):
      body = Data(bytes)
    case .folder(let folder):
      let file = folder.content(ofFileNamed: request.pathParams["*"] ?? "")
      if let file {
        if result.headers["Content-Type"] == nil { result.headers.set("Content-Type", file.type) }
      } else {
        result.status = 404
      }
      body = file?.data ?? Data()
    case .stream(let stream):
      body = Data(stream.content)
    }
    result.delay += delay
    return AnswerPlan(result, body: body, method: request.method, timeout: timeout)
  }

  /// The request that this answer leads to; `nil` when it is no redirect.
  func redirect(of request: URLRequest) -> URLRequest? {
    guard [301, 302, 303, 307, 308].contains(result.status), result.fault == nil, result.errorCode == nil,
      let location = result.headers["Location"], let url = URL(string: location, relativeTo: request.url)
    else { return nil }
    var next = request
    next.url = url.absoluteURL
    // RFC 9110 15.4: 303 asks for the other resource with GET, and so do 301 and 302 after a POST, by long habit.
    if result.status == 303 ? request.httpMethod != "HEAD" : result.status < 303 && request.httpMethod == "POST" {
      next.httpMethod = "GET"
      next.httpBody = nil
    }
    return next
  }
}
