import Foundation
import TrackingModel
import TrackingSockets

/// Sends requests to real backends: on this machine over plain sockets, elsewhere with the system's URL loading, which has TLS.
///
/// Redirects, challenges, cookies and caching are left to the app.
final class UpstreamClient: Sendable {
  private let loopback: LoopbackClient
  /// Created for the first request that needs it, since most backends of tests are on this machine.
  private let session = Locked<URLSession?>(nil)
  private let transfers: Transfers
  private let timeout: TimeInterval

  init(mostBytes: Int, timeout: TimeInterval = 60) {
    transfers = Transfers(mostBytes: mostBytes)
    loopback = LoopbackClient(mostBytes: mostBytes, timeout: timeout)
    self.timeout = timeout
  }

  deinit {
    session.withLock { $0?.invalidateAndCancel() }
  }

  static func usesURLLoading(for origin: String) -> Bool { LoopbackClient.addresses(of: origin).isEmpty }

  func send(_ request: ReceivedRequest, to origin: String) async throws(UpstreamFailure) -> UpstreamResponse {
    if let reason = Self.unsupported(request) { throw UpstreamFailure(reason: reason, isOutage: false) }
    let query = request.queryText.map { "?\(Self.replacing(request.base, with: origin, in: $0))" } ?? ""
    // Checked again, since the path is the sender's: it must not lead to another host.
    guard request.path.hasPrefix("/"), let url = URL(string: origin + request.path + query),
      let own = URL(string: origin), url.host() == own.host(), url.port == own.port
    else {
      throw UpstreamFailure(
        reason: "\(request.target.prefix(200)) isn't a path and a query that a URL can have", isOutage: false)
    }
    let body = request.body.isEmpty ? Data() : Self.body(of: request, base: origin)
    let fields = Self.fields(of: request, to: origin)
    let addresses = LoopbackClient.addresses(of: origin)
    guard addresses.isEmpty else {
      let bytes = Self.bytes(of: request.method.rawValue, request.path + query, host: origin, fields, body)
      return try await loopback.send(bytes, method: request.method.rawValue, to: addresses)
    }
    if request.method == "GET", !body.isEmpty {
      let reason = "a GET request with a body can't be forwarded: the system's URL loading refuses it"
      throw UpstreamFailure(reason: reason, isOutage: false)
    }
    var sent = URLRequest(url: url)
    sent.httpMethod = request.method.rawValue
    sent.httpBody = body.isEmpty ? nil : body
    for (name, value) in fields { sent.setValue(value, forHTTPHeaderField: name) }
    return try await load(sent)
  }

  private func load(_ request: URLRequest) async throws(UpstreamFailure) -> UpstreamResponse {
    let task = task(for: request)
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

  private func task(for request: URLRequest) -> URLSessionDataTask {
    session.withLock { session in
      let made = session ?? URLSession(configuration: configuration, delegate: transfers, delegateQueue: nil)
      session = made
      return made.dataTask(with: request)
    }
  }

  private var configuration: URLSessionConfiguration {
    let configuration = URLSessionConfiguration.ephemeral
    configuration.urlCache = nil
    configuration.httpCookieStorage = nil
    configuration.httpShouldSetCookies = false
    configuration.httpCookieAcceptPolicy = .never
    configuration.urlCredentialStorage = nil
    configuration.requestCachePolicy = .reloadIgnoringLocalCacheData
    configuration.httpMaximumConnectionsPerHost = 64
    configuration.timeoutIntervalForRequest = timeout
    return configuration
  }

  /// The forwarded fields, joined by name.
  private static func fields(of request: ReceivedRequest, to origin: String) -> [(name: String, value: String)] {
    let dropped = ConnectionFields.of(request.headers)
    var fields: [(name: String, value: String)] = []
    for field in request.headers.lines where !dropped.contains(field.name.lowercased()) {
      let value = value(of: field, to: origin, insteadOf: request.base)
      if let index = fields.firstIndex(where: { $0.name.lowercased() == field.name.lowercased() }) {
        // RFC 9113 8.2.3: a divided Cookie field is joined by semicolons.
        fields[index].value += (field.name.lowercased() == "cookie" ? "; " : ", ") + value
      } else {
        fields.append((field.name, value))
      }
    }
    return fields + [("Accept-Encoding", "gzip, deflate")]
  }

  /// An HTTP/1.1 request (RFC 9112 3).
  private static func bytes(
    of method: String, _ target: String, host origin: String, _ fields: [(name: String, value: String)], _ body: Data
  ) -> [UInt8] {
    var head = "\(method) \(target) HTTP/1.1\r\nHost: \(origin.dropFirst("http://".count))\r\nConnection: close\r\n"
    for (name, value) in fields { head += "\(name): \(value)\r\n" }
    if !body.isEmpty || ["POST", "PUT", "PATCH"].contains(method) { head += "Content-Length: \(body.count)\r\n" }
    return Array("\(head)\r\n".utf8) + body
  }

  /// The reason why a request can't be recorded, if there is one.
  private static func unsupported(_ request: ReceivedRequest) -> String? {
    if request.headers["Upgrade"]?.lowercased() == "websocket" { return "web sockets can't be recorded" }
    if request.headers["Accept"]?.lowercased().hasPrefix("text/event-stream") == true {
      return "server-sent events can't be recorded"
    }
    return nil
  }

  /// Replaces the server's URL, which an app has from responses, in the body.
  static func body(of request: ReceivedRequest, base: String) -> Data {
    guard RecordedBase.isText(request.body, type: request.headers["Content-Type"]) else { return request.body }
    return Data(RecordedBase.replacing([request.base], with: base, in: [UInt8](request.body)))
  }

  static func replacing(_ url: String, with other: String, in text: String) -> String {
    String(decoding: RecordedBase.replacing([url], with: other, in: Array(text.utf8)), as: UTF8.self)
  }

  /// Replaces the server's origin with the backend's in a field that names the app's own origin or a resource.
  private static func value(of field: NamedText, to origin: String, insteadOf base: String) -> String {
    guard ["origin", "referer", "destination"].contains(field.name.lowercased()) else { return field.value }
    return replacing(base, with: origin, in: field.value)
  }
}
