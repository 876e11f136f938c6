import TrackingModel

/// The sender of a request: its host name, its web page, its session and its launch.
struct RequestSender {
  /// The maximum number of bytes of a launch's name.
  static let longestLaunch = 200

  private let context: ServerContext
  /// The last event's launch, so that events share one text.
  private var launch: String?

  var vocabulary: Vocabulary { context.journal.vocabulary }

  init(in context: ServerContext) {
    self.context = context
  }

  /// Refuses a sender because of the host name it uses or its web page.
  func refusal(_ head: borrowing RequestHead) -> HTTPError? {
    // RFC 9110 7.2 and DNS rebinding: a web page may let its own host name resolve to loopback, but cannot hide the name. A request without
    // any name (HTTP/1.0) does not come from a browser.
    if head.authority != nil, !isAllowedHost(head) {
      return HTTPError(
        status: 403,
        reason: """
          the host "\(HTTPError.quoted(head.hostName))" is not this server; use localhost, 127.0.0.1 or [::1]\
          \(vocabulary.addingHost)
          """)
    }
    if head.has(.origin) {
      guard !isAllowedPage(head) else { return nil }
      return HTTPError(
        status: 403,
        reason: """
          the origin "\(HTTPError.quoted(head.value(of: .origin)))" isn't allowed; \
          \(vocabulary.allowing("it"))
          """)
    }
    // Fetch Metadata: browsers send no Origin when a page of another site loads an image or a script.
    if head.field(.secFetchSite, equals: "cross-site"), !isNavigation(head), !isReferredByAllowedOrigin(head) {
      return HTTPError(
        status: 403,
        reason: """
          pages of another site may not send requests (Sec-Fetch-Site: cross-site); \
          \(vocabulary.allowing("their origin"))
          """)
    }
    return nil
  }

  /// Refuses a sender that may not send events, in any format.
  func refusalOfSession(_ head: borrowing RequestHead) -> HTTPError? {
    if head.has(.trackingSession) {
      return isOfSession(head) ? nil : HTTPError(status: 403, reason: RejectedSubmission.otherSessionReason)
    }
    return context.configuration.requiresSession
      ? HTTPError(status: 403, reason: "this server accepts events only with its Tracking-Session") : nil
  }

  func isOfSession(_ head: borrowing RequestHead) -> Bool { head.field(.trackingSession, equals: context.session) }

  /// Refuses an unusable name of a launch.
  static func refusalOfLaunch(_ head: borrowing RequestHead) -> HTTPError? {
    guard let length = head.withValue(of: .trackingLaunch, { $0.count }) else { return nil }
    // Processes without a name would be one launch, and their events repetitions of each other's.
    if length == 0 { return .badRequest("Tracking-Launch is empty") }
    return length > longestLaunch ? .badRequest("Tracking-Launch is longer than \(longestLaunch) bytes") : nil
  }

  mutating func launchName(_ head: borrowing RequestHead) -> String? {
    guard head.has(.trackingLaunch) else { return nil }
    if let launch, head.field(.trackingLaunch, equals: launch) { return launch }
    launch = head.value(of: .trackingLaunch)
    return launch
  }

  private func isAllowedHost(_ head: borrowing RequestHead) -> Bool {
    if head.hostIsLoopback { return true }
    for host in context.configuration.allowedHosts where head.host(equals: host) { return true }
    for host in context.backend.withLock({ $0 })?.hosts ?? [] where head.host(equals: host) { return true }
    return false
  }

  func isAllowedPage(_ head: borrowing RequestHead) -> Bool {
    head.has(.origin) && (isAllowedOrigin(head) || isOwnOrigin(head))
  }

  /// Whether the page was loaded from this server, under the host name of the request.
  private func isOwnOrigin(_ head: borrowing RequestHead) -> Bool {
    guard let host = head.hostName else { return false }
    let port = head.port.map { ":\($0)" } ?? ""
    return head.field(.origin, equals: "http://\(host.lowercased())\(port)")
  }

  private func isAllowedOrigin(_ head: borrowing RequestHead) -> Bool {
    head.value(of: .origin).map { context.allowedOrigins.allows($0) } ?? false
  }

  /// Whether a person follows a link to this server; a page that embeds the response navigates, too.
  private func isNavigation(_ head: borrowing RequestHead) -> Bool {
    head.value(of: "sec-fetch-mode")?.isSameText(as: "navigate") == true
      && head.value(of: "sec-fetch-dest")?.isSameText(as: "document") == true
  }

  /// Whether an allowed page sends a request without an Origin.
  private func isReferredByAllowedOrigin(_ head: borrowing RequestHead) -> Bool {
    head.value(of: "referer").map(context.allowedOrigins.allows(pageAt:)) ?? false
  }
}

// MARK: - The fields of responses

extension RequestSender {
  /// Adds the fields that identify the server, and those that let the sender's web page read the response.
  func addFields(to response: inout HTTPResponse, _ head: borrowing RequestHead) {
    let own = head.has(.origin) && !Self.isPreflight(head) ? response.readableFields : []
    // Only for a request that had the right token, so that the token doesn't leak.
    if isOfSession(head) { response.fields += "\(WireField.session): \(context.session)\r\n" }
    // With a second field, no origin could read a stub's response that names one.
    guard head.has(.origin), isAllowedOrigin(head), !response.has("access-control-allow-origin"),
      let origin = head.value(of: .origin)
    else { return }
    // Fetch Standard 3.3.3: `*` doesn't stand for all fields where cookies are allowed.
    if !own.isEmpty, !response.has("access-control-expose-headers") {
      response.fields += "Access-Control-Expose-Headers: \(own.joined(separator: ", "))\r\n"
    }
    response.fields += "Access-Control-Allow-Origin: \(origin)\r\nVary: Origin\r\n"
    // Fetch Standard 3.3.3: for requests with cookies, which a tracker may send from any page.
    if !response.has("access-control-allow-credentials") {
      response.fields += "Access-Control-Allow-Credentials: true\r\n"
    }
  }

  /// Whether it is a CORS preflight request (Fetch Standard 3.3.2).
  static func isPreflight(_ head: borrowing RequestHead) -> Bool {
    head.method == .options && head.has(.origin) && head.value(of: "access-control-request-method") != nil
  }

  /// Responds to `OPTIONS`, including preflight requests.
  ///
  /// - Parameter isForEvents: Whether its path is the event endpoint; an allowed page's other requests are for stubs.
  static func preflightResponse(_ head: borrowing RequestHead, isForEvents: Bool) -> HTTPResponse {
    HTTPResponse(status: 204, fields: "Allow: OPTIONS, POST\r\n" + preflightFields(head, isForEvents: isForEvents))
  }

  private static func preflightFields(_ head: borrowing RequestHead, isForEvents: Bool) -> String {
    guard head.has(.origin), let method = head.value(of: "access-control-request-method") else { return "" }
    let own = [WireField.session, WireField.launch, WireField.sequence].joined(separator: ", ")
    let isForEvents = isForEvents || head.targetForm == .asterisk
    let others = isForEvents ? nil : head.value(of: "access-control-request-headers")
    var fields = """
      Access-Control-Allow-Methods: \(isForEvents ? "POST" : method)\r
      Access-Control-Allow-Headers: \(others ?? "Content-Type, \(own)")\r
      Access-Control-Max-Age: 600\r

      """
    // Private Network Access: a page of a public site that requests a loopback address.
    if head.value(of: "access-control-request-private-network") == "true" {
      fields += "Access-Control-Allow-Private-Network: true\r\n"
    }
    return fields
  }
}

extension HTTPResponse {
  /// Whether a stub sets a header field, by its lowercase name.
  fileprivate func has(_ name: String) -> Bool {
    fields.lowercased().contains("\(name):")
  }

  /// The fields that a page may read only if the response says so (Fetch Standard 2.2.2).
  fileprivate var readableFields: [String] {
    var known = [
      "cache-control", "content-language", "content-length", "content-type", "expires", "last-modified", "pragma",
      "set-cookie", "set-cookie2", "vary",
    ]
    return fields.split(separator: "\r\n").compactMap { line in
      let name = line.prefix { $0 != ":" }
      guard !known.contains(name.lowercased()), !name.lowercased().hasPrefix("access-control-") else { return nil }
      known.append(name.lowercased())
      return String(name)
    }
  }
}
