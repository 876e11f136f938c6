import TrackingModel
import Foundation

final class Transfers: NSObject, URLSessionDataDelegate, Sendable {
  typealias Completion = @Sendable (Result<UpstreamResponse, UpstreamFailure>) -> Void

  private struct Transfer: Sendable {
    var complete: Completion?
    var body = Data()
    /// The reason for cancelling the transfer here.
    var refusal: String?
    /// A redirect or a challenge, which is passed on to the app.
    var passedOn: HTTPURLResponse?
  }

  private let mostBytes: Int
  private let transfers = Locked<[Int: Transfer]>([:])

  init(mostBytes: Int) {
    self.mostBytes = mostBytes
  }

  /// Prepares for a transfer, which may be cancelled before it begins.
  func prepare(_ task: URLSessionDataTask) {
    transfers.withLock { $0[task.taskIdentifier] = Transfer() }
  }

  func begin(_ task: URLSessionDataTask, _ complete: @escaping Completion) {
    let isCancelled = transfers.withLock { transfers in
      transfers[task.taskIdentifier]?.complete = complete
      return transfers[task.taskIdentifier] == nil
    }
    if isCancelled { complete(.failure(.cancelled)) } else { task.resume() }
  }

  /// Ends a transfer at once: URL loading on Linux doesn't report each cancelled task.
  func cancel(_ task: URLSessionDataTask) {
    let transfer = transfers.withLock { $0.removeValue(forKey: task.taskIdentifier) }
    task.cancel()
    transfer?.complete?(.failure(.cancelled))
  }

  func urlSession(
    _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
    newRequest request: URLRequest, completionHandler: @escaping @Sendable (URLRequest?) -> Void
  ) {
    transfers.withLock { $0[task.taskIdentifier]?.passedOn = response }
    completionHandler(nil)
  }

  func urlSession(
    _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge,
    completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
  ) {
    // A TLS challenge, not an HTTP one.
    guard let response = challenge.failureResponse as? HTTPURLResponse else {
      return completionHandler(.performDefaultHandling, nil)
    }
    // On Linux the default handling waits forever for credentials.
    transfers.withLock { $0[task.taskIdentifier]?.passedOn = response }
    completionHandler(.rejectProtectionSpace, nil)
  }

  func urlSession(
    _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
    completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
  ) {
    var refusal: String?
    // RFC 9110 8.6: the length in a response to HEAD, and in a 304, is that of a body that isn't sent.
    let hasBody =
      dataTask.originalRequest?.httpMethod != "HEAD" && (response as? HTTPURLResponse)?.statusCode != 304
    if hasBody, response.expectedContentLength > Int64(mostBytes) { refusal = tooLarge }
    let coding = (response as? HTTPURLResponse)?.value(forHTTPHeaderField: "Content-Encoding")
    if hasBody, let unreadable = UpstreamFailure.unreadable(coding) { refusal = unreadable.reason }
    if response.mimeType == "text/event-stream" { refusal = "server-sent events can't be recorded" }
    guard let refusal else { return completionHandler(.allow) }
    transfers.withLock { $0[dataTask.taskIdentifier]?.refusal = refusal }
    completionHandler(.cancel)
    // On Linux the disposition alone doesn't end the task.
    dataTask.cancel()
  }

  func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
    let isTooLarge = transfers.withLock { transfers in
      transfers[dataTask.taskIdentifier]?.body.append(data)
      guard transfers[dataTask.taskIdentifier]?.body.count ?? 0 > mostBytes else { return false }
      transfers[dataTask.taskIdentifier]?.refusal = tooLarge
      return true
    }
    if isTooLarge { dataTask.cancel() }
  }

  private var tooLarge: String { UpstreamFailure.tooLarge(mostBytes).reason }

  func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
    guard let transfer = transfers.withLock({ $0.removeValue(forKey: task.taskIdentifier) }),
      let complete = transfer.complete
    else { return }
    if let refusal = transfer.refusal {
      return complete(.failure(UpstreamFailure(reason: refusal, isOutage: false)))
    }
    if let error, transfer.passedOn == nil {
      let isCancelled = (error as? URLError)?.code == .cancelled
      return complete(.failure(UpstreamFailure(reason: Self.words(error), isOutage: !isCancelled)))
    }
    guard let response = transfer.passedOn ?? task.response as? HTTPURLResponse else {
      return complete(.failure(UpstreamFailure(reason: "the response isn't HTTP", isOutage: true)))
    }
    let fields = response.allHeaderFields.compactMap { name, value in
      (name as? String).map { NamedText(name: $0, value: "\(value)") }
    }
    let lostItsBody =
      transfer.body.isEmpty && (300..<400).contains(response.statusCode) && response.statusCode != 304
      && response.value(forHTTPHeaderField: "Content-Length").flatMap(Int.init) != 0
      && task.originalRequest?.httpMethod != "HEAD"
    complete(
      .success(
        UpstreamResponse(
          status: response.statusCode, headers: MessageHeaders(lines: fields.sorted { $0.name < $1.name }),
          body: transfer.body, joinsCookies: true, lostItsBody: lostItsBody)))
  }

  /// Describes an error of URL loading, because most have no description on Linux.
  private static func words(_ error: any Error) -> String {
    guard let code = (error as? URLError)?.code else { return error.localizedDescription }
    let reason =
      switch code {
      case .cannotConnectToHost: "it can't be reached; is it running?"
      case .cannotFindHost: "its host name can't be resolved"
      case .timedOut: "it didn't respond in time"
      case .networkConnectionLost, .badServerResponse, .cannotParseResponse, .unsupportedURL, .unknown:
        UpstreamFailure.brokenOff.reason
      case .secureConnectionFailed, .serverCertificateUntrusted, .serverCertificateHasUnknownRoot,
        .serverCertificateHasBadDate, .serverCertificateNotYetValid:
        "its certificate isn't accepted; add its authority to those of the system, or use an upstream over http"
      default: error.localizedDescription
      }
    return "\(reason) (URL error \(code.rawValue))"
  }
}
