import Foundation

/// The response to a task, after all redirects.
enum ResponseSearch: Sendable {
  /// `sends`, if any, is called before the first step of a delayed response, and may block for a moment.
  case plan(ResponsePlan, URL, sends: (@Sendable () -> Void)?)
  case passThrough(URLRequest, URLSession)
  case failure(URLError.Code, reason: String)

  private static let mostRedirects = 16

  /// Finds the response to a request; each redirect on the way counts as a response.
  ///
  /// Redirects are followed here, among stubs only: on Linux a protocol can't pass them to its session.
  init(to request: URLRequest, from stubs: SessionStubs) {
    let origin = request.url?.origin
    var request = request
    var delay: TimeInterval = 0
    for _ in 0...Self.mostRedirects {
      let complete = stubs.completed(request, isForeign: request.url?.origin != origin)
      guard let stubRequest = ReceivedRequest(complete), let url = request.url else {
        self = .failure(
          .unsupportedURL,
          reason:
            "\(request.url?.absoluteString ?? "a request without a URL") isn't http or https, and stubs respond to nothing else"
        )
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
      case .respond(let prepared, let stubRequest, let report):
        stubs.keepCookies(of: prepared.result, for: request)
        guard let next = prepared.redirect(of: request) else {
          let plan = prepared.plan(for: stubRequest, after: delay, timeout: stubs.timeout(of: request))
          let sends = stubs.tell(report, isDelayed: plan.steps.first.map { $0.delay > 0 } ?? false)
          self = .plan(plan, url, sends: sends)
          return
        }
        // Followed at once: the last response has the delays of all.
        _ = stubs.tell(report)
        delay += prepared.result.delay
        request = next
      }
    }
    self = .failure(.httpTooManyRedirects, reason: "redirected more than \(Self.mostRedirects) times")
  }
}

extension PreparedResponse {
  /// `delay` is the delay of earlier redirects in seconds.
  fileprivate func plan(for request: ReceivedRequest, after delay: TimeInterval, timeout: TimeInterval) -> ResponsePlan
  {
    var result = result
    var body = Data()
    var tag = tag
    var file: FolderFile?
    switch content {
    case .bytes(let bytes):
      body = Data(bytes)
    case .folder(let folder):
      file = folder.file(named: request.pathParams["*"] ?? "")
      if let file {
        if result.headers["Content-Type"] == nil { result.headers["Content-Type"] = file.type }
      } else {
        result.status = 404
      }
      tag = file?.tag
    case .stream(let stream):
      body = Data(stream.object.content)
    }
    var bytes: Range<Int>? = 0..<(file?.count ?? body.count)
    // A recorded response already contains its conditional and partial forms.
    if result.status == 200, !result.isRecorded {
      let selection = PartSelection(of: bytes?.count ?? 0, for: request, tag: result.headers["ETag"], made: tag)
      result.status = selection.status
      for field in selection.fields { result.headers[field.name] = field.value }
      bytes = selection.bytes
    }
    let range = bytes ?? 0..<0
    if let file {
      if request.method != .head { body = file.data(in: range) }
    } else {
      body = body.subdata(in: range)
    }
    result.delay += delay
    return ResponsePlan(result, body: body, length: range.count, method: request.method, timeout: timeout)
  }

  fileprivate func redirect(of request: URLRequest) -> URLRequest? {
    guard [301, 302, 303, 307, 308].contains(result.status), result.fault == nil, result.errorCode == nil,
      let location = result.headers["Location"], let url = URL(string: location, relativeTo: request.url)
    else { return nil }
    var next = request
    next.url = url.absoluteURL
    // RFC 9110 15.4: 303 continues with GET, and by convention so do 301 and 302 after a POST.
    if result.status == 303 ? request.httpMethod != "HEAD" : result.status < 303 && request.httpMethod == "POST" {
      next.httpMethod = "GET"
      next.httpBody = nil
      for name in ["Content-Type", "Content-Length"] { next.setValue(nil, forHTTPHeaderField: name) }
    }
    // RFC 9110 15.4: credentials are only for the host that received them.
    if next.url?.origin != request.url?.origin {
      for name in ["Authorization", "Cookie"] { next.setValue(nil, forHTTPHeaderField: name) }
    }
    return next
  }
}

extension URL {
  /// Scheme, host and port (RFC 6454 4).
  fileprivate var origin: String {
    let scheme = scheme?.lowercased()
    let port = port ?? ReceivedRequest.defaultPort(ofScheme: scheme)
    return "\(scheme ?? "")://\(host(percentEncoded: false)?.lowercased() ?? ""):\(port ?? 0)"
  }
}

// MARK: - Requests

extension URLRequest {
  /// Replaces the body's stream, which can be read only once, and the body that `uploading(_:)` has attached.
  fileprivate mutating func keep(body: Data) {
    self = withoutUploadedBody
    httpBodyStream = nil
    httpBody = body.isEmpty ? nil : body
  }
}

extension ReceivedRequest {
  /// A request as stubs see it, without its body; `nil` if it isn't HTTP.
  init?(head request: URLRequest) {
    guard let url = request.url, let scheme = url.scheme?.lowercased(), scheme == "http" || scheme == "https",
      let components = URLComponents(url: url, resolvingAgainstBaseURL: true)
    else { return nil }
    let fields = (request.allHTTPHeaderFields ?? [:]).sorted { $0.key < $1.key }
    self.init(
      method: request.httpMethod.map(Method.init(rawValue:)) ?? .get,
      host: url.host(percentEncoded: false)?.lowercased(),
      path: components.percentEncodedPath.isEmpty ? "/" : components.percentEncodedPath,
      queryText: components.percentEncodedQuery,
      headers: MessageHeaders(lines: fields.map { NamedText(name: $0.key, value: $0.value) }))
    self.scheme = scheme
    port = url.port ?? Self.defaultPort(ofScheme: scheme)
    isCoded = hasContentCoding
  }

  /// Includes the body; blocks while it reads a stream.
  init?(_ request: URLRequest) {
    self.init(head: request)
    body = request.uploadedBody ?? request.httpBody ?? request.httpBodyStream.map(Self.contents) ?? Data()
  }

  /// Apple's sessions pass every body to protocols as a stream.
  private static func contents(of stream: InputStream) -> Data {
    stream.open()
    defer { stream.close() }
    var contents = Data()
    var buffer = [UInt8](repeating: 0, count: 65_536)
    while true {
      let count = buffer.withUnsafeMutableBufferPointer { buffer in
        buffer.baseAddress.map { stream.read($0, maxLength: buffer.count) } ?? 0
      }
      guard count > 0 else { return contents }
      contents.append(contentsOf: buffer[..<count])
    }
  }
}
