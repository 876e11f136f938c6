import Foundation
import TrackingSockets

/// Sends requests to real backends, with the system's URL loading, which has TLS.
///
/// Redirects, challenges, cookies and caching are left to the app.
final class UpstreamClient: Sendable {
  /// A backend's answer, without its content coding.
  struct Answer: Sendable {
    var status: Int
    var headers: HeaderFields
    var body: Data
    /// Whether the answer had a body that the system's URL loading didn't hand over.
    var lostItsBody = false
  }

  /// Why there is no answer.
  struct Failure: Error, Sendable {
    let reason: String
    /// Whether the backend was unreachable or broke off, so that the recording would have a gap.
    let isOutage: Bool
  }

  private let session: URLSession
  private let transfers: Transfers

  /// - Parameter mostBytes: The largest body of an answer.
  init(mostBytes: Int, timeout: TimeInterval = 60) {
    let configuration = URLSessionConfiguration.ephemeral
    configuration.urlCache = nil
    configuration.httpCookieStorage = nil
    configuration.httpShouldSetCookies = false
    configuration.httpCookieAcceptPolicy = .never
    configuration.urlCredentialStorage = nil
    configuration.requestCachePolicy = .reloadIgnoringLocalCacheData
    configuration.httpMaximumConnectionsPerHost = 64
    configuration.timeoutIntervalForRequest = timeout
    transfers = Transfers(mostBytes: mostBytes)
    session = URLSession(configuration: configuration, delegate: transfers, delegateQueue: nil)
  }

  deinit {
    session.invalidateAndCancel()
  }

  /// Sends a request to an origin.
  func send(_ request: StubRequest, to origin: String) async throws(Failure) -> Answer {
    if let reason = Self.unsupported(request) { throw Failure(reason: reason, isOutage: false) }
    let query = request.queryText.map { "?\(Self.replacing(request.base, with: origin, in: $0))" } ?? ""
    // Checked again, since the path is the sender's: it must not lead to another host.
    guard request.path.hasPrefix("/"), let url = URL(string: origin + request.path + query),
      let own = URL(string: origin), url.host() == own.host(), url.port == own.port
    else {
      throw Failure(
        reason: "\(request.target.prefix(200)) isn't a path and a query that a URL can have", isOutage: false)
    }
    var sent = URLRequest(url: url)
    sent.httpMethod = request.method
    sent.httpBody = request.body.isEmpty ? nil : Self.body(of: request, base: origin)
    let dropped = ConnectionFields.of(request.headers)
    for field in request.headers.fields where !dropped.contains(field.name.lowercased()) {
      let value = Self.value(of: field, asking: origin, insteadOf: request.base)
      if let earlier = sent.value(forHTTPHeaderField: field.name) {
        // RFC 9113 8.2.3: a divided Cookie field is joined by semicolons.
        sent.setValue(
          earlier + (field.name.lowercased() == "cookie" ? "; " : ", ") + value, forHTTPHeaderField: field.name)
      } else {
        sent.setValue(value, forHTTPHeaderField: field.name)
      }
    }
    let task = session.dataTask(with: sent)
    transfers.prepare(task)
    let result = await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        transfers.begin(task) { continuation.resume(returning: $0) }
      }
    } onCancel: {
      transfers.cancel(task)
    }
    return try result.get()
  }

  /// Why URL loading or a recording can't handle a request; `nil` if they can.
  private static func unsupported(_ request: StubRequest) -> String? {
    if request.method == "GET", !request.body.isEmpty {
      return "a GET request with a body can't be sent on: the system's URL loading refuses it"
    }
    if request.headers["Upgrade"]?.lowercased() == "websocket" { return "web sockets can't be recorded" }
    if request.headers["Accept"]?.lowercased().hasPrefix("text/event-stream") == true {
      return "server-sent events can't be recorded"
    }
    return nil
  }

  /// A body in which a URL takes the place of the server's own, which an app has from answers.
  static func body(of request: StubRequest, base: String) -> Data {
    let type = request.headers["Content-Type"]
    guard RecordedBase.isText(type) || type?.lowercased().hasPrefix("application/x-www-form-urlencoded") == true,
      let text = String(data: request.body, encoding: .utf8)
    else { return request.body }
    return Data(replacing(request.base, with: base, in: text).utf8)
  }

  /// A text with one URL in place of another, as it is, percent-encoded or with the escapes of JSON.
  static func replacing(_ url: String, with other: String, in text: String) -> String {
    let forms: [(String) -> String] = [
      { $0 }, { $0.replacing("/", with: "\\/") },
      { String(decoding: PercentText.encoded(Array($0.utf8)), as: UTF8.self) },
    ]
    return forms.reduce(text) { $0.contains($1(url)) ? $0.replacing($1(url), with: $1(other)) : $0 }
  }

  /// A page's or app's own origin in `Origin` and `Referer` is the server's; a backend expects its own.
  private static func value(of field: HeaderFields.Field, asking origin: String, insteadOf base: String) -> String {
    guard ["origin", "referer"].contains(field.name.lowercased()), field.value.hasPrefix(base) else {
      return field.value
    }
    return origin + field.value.dropFirst(base.count)
  }
}

/// Fields that concern one connection or its framing, and are not sent on.
enum ConnectionFields {
  private static let always: Set<String> = [
    "connection", "content-encoding", "content-length", "expect", "host", "keep-alive", "proxy-authenticate",
    "proxy-authorization", "proxy-connection", "te", "trailer", "transfer-encoding", "upgrade", "accept-encoding",
  ]

  /// Their names in lower case: the usual ones, and those that `Connection` names (RFC 9110 7.6.1).
  static func of(_ headers: HeaderFields) -> Set<String> {
    let named = (headers["Connection"] ?? "").split(separator: ",").map {
      $0.trimmingCharacters(in: .whitespaces).lowercased()
    }
    return always.union(named)
  }
}

/// The answers that are arriving.
private final class Transfers: NSObject, URLSessionDataDelegate, Sendable {
  typealias Completion = @Sendable (Result<UpstreamClient.Answer, UpstreamClient.Failure>) -> Void

  private struct Transfer: Sendable {
    /// `nil` until it begins.
    var complete: Completion?
    var body = Data()
    /// Why it was cancelled here.
    var refusal: String?
    /// A redirect or a challenge, which is passed on to the app.
    var passedOn: HTTPURLResponse?
  }

  private let mostBytes: Int
  private let transfers = Locked<[Int: Transfer]>([:])

  init(mostBytes: Int) {
    self.mostBytes = mostBytes
  }

  /// Makes room for a transfer, which may be cancelled before it begins.
  func prepare(_ task: URLSessionDataTask) {
    transfers.withLock { $0[task.taskIdentifier] = Transfer() }
  }

  func begin(_ task: URLSessionDataTask, _ complete: @escaping Completion) {
    let isCancelled = transfers.withLock { transfers in
      transfers[task.taskIdentifier]?.complete = complete
      return transfers[task.taskIdentifier] == nil
    }
    if isCancelled { complete(.failure(Self.cancelled)) } else { task.resume() }
  }

  /// Ends a transfer at once: URL loading on Linux doesn't report each task that is cancelled.
  func cancel(_ task: URLSessionDataTask) {
    let transfer = transfers.withLock { $0.removeValue(forKey: task.taskIdentifier) }
    task.cancel()
    transfer?.complete?(.failure(Self.cancelled))
  }

  private static let cancelled = UpstreamClient.Failure(reason: "the request was cancelled", isOutage: false)

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
    // RFC 9110 8.6: the length in an answer to HEAD, and in a 304, is that of a body that isn't sent.
    let hasBody =
      dataTask.originalRequest?.httpMethod != "HEAD" && (response as? HTTPURLResponse)?.statusCode != 304
    if hasBody, response.expectedContentLength > Int64(mostBytes) { refusal = tooLarge }
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

  private var tooLarge: String {
    "its body has more than \(mostBytes / 1_048_576) MiB, which is the most that is recorded"
  }

  func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
    guard let transfer = transfers.withLock({ $0.removeValue(forKey: task.taskIdentifier) }),
      let complete = transfer.complete
    else { return }
    if let refusal = transfer.refusal {
      return complete(.failure(UpstreamClient.Failure(reason: refusal, isOutage: false)))
    }
    if let error, transfer.passedOn == nil {
      let isCancelled = (error as? URLError)?.code == .cancelled
      return complete(.failure(UpstreamClient.Failure(reason: Self.words(error), isOutage: !isCancelled)))
    }
    guard let response = transfer.passedOn ?? task.response as? HTTPURLResponse else {
      return complete(.failure(UpstreamClient.Failure(reason: "the answer isn't HTTP", isOutage: true)))
    }
    let fields = response.allHeaderFields.compactMap { name, value in
      (name as? String).map { HeaderFields.Field(name: $0, value: "\(value)") }
    }
    let lostItsBody =
      transfer.body.isEmpty && (300..<400).contains(response.statusCode) && response.statusCode != 304
      && response.value(forHTTPHeaderField: "Content-Length").flatMap(Int.init) != 0
      && task.originalRequest?.httpMethod != "HEAD"
    complete(
      .success(
        UpstreamClient.Answer(
          status: response.statusCode, headers: HeaderFields(fields: fields.sorted { $0.name < $1.name }),
          body: transfer.body, lostItsBody: lostItsBody)))
  }

  /// Describes an error of URL loading, because most have no description on Linux.
  private static func words(_ error: any Error) -> String {
    guard let code = (error as? URLError)?.code else { return error.localizedDescription }
    let reason =
      switch code {
      case .cannotConnectToHost: "it can't be reached; is it running?"
      case .cannotFindHost: "its host name can't be resolved"
      case .timedOut: "it didn't answer in time"
      case .networkConnectionLost, .badServerResponse, .cannotParseResponse, .unsupportedURL, .unknown:
        "the connection was closed before the answer was complete, or the answer isn't HTTP"
      case .secureConnectionFailed, .serverCertificateUntrusted, .serverCertificateHasUnknownRoot,
        .serverCertificateHasBadDate, .serverCertificateNotYetValid:
        "its certificate isn't accepted; add its authority to those of the system, or use an upstream over http"
      default: error.localizedDescription
      }
    return "\(reason) (URL error \(code.rawValue))"
  }
}
