import TrackingModel

/// Refuses requests from web pages that the test has not allowed.
final class SenderCheck: RequestHandler {
  func preview(_ exchange: inout Exchange) -> Preview {
    exchange.refusalOfSender.map { .refuse($0) } ?? .pass
  }

  func handle(_ exchange: inout Exchange) -> Outcome {
    guard let refusal = exchange.refusalOfSender else { return .pass }
    return .reply(exchange.refuse(refusal))
  }
}

extension Exchange {
  /// Why the sender is refused: because of the host name that it uses, or of the web page that it is.
  fileprivate var refusalOfSender: Refusal? {
    // RFC 9110 7.2 and DNS rebinding: a web page may let its own host name resolve to loopback, but cannot hide the name. A request without
    // any name (HTTP/1.0) does not come from a browser.
    if head.authority != nil, !isAllowedHost {
      return Refusal(
        status: 403,
        reason: """
          the host "\(Self.quoted(head.hostName))" is not this server; use localhost, 127.0.0.1 or [::1], or add it to \
          allowedHosts
          """)
    }
    if head.has(.origin) {
      guard !isAllowedOrigin, !isOwnOrigin else { return nil }
      return Refusal(
        status: 403,
        reason: """
          pages of the origin "\(Self.quoted(head.value(of: .origin)))" may not send events; add it to allowedOrigins
          """)
    }
    // Fetch Metadata: a page of another site loads an image or a script, for which browsers send no Origin.
    if head.field(.secFetchSite, equals: "cross-site"), !isNavigation, !isReferredByAllowedOrigin {
      return Refusal(
        status: 403,
        reason: """
          pages of another site may not send requests (Sec-Fetch-Site: cross-site); add their origin to allowedOrigins
          """)
    }
    return nil
  }

  private var isAllowedHost: Bool {
    if head.hostIsLoopback { return true }
    for host in context.configuration.allowedHosts where head.host(equals: host) { return true }
    for host in context.backend.current?.hosts ?? [] where head.host(equals: host) { return true }
    return false
  }

  /// Whether the page was loaded from this server, under the name that the request uses.
  private var isOwnOrigin: Bool {
    guard let host = head.hostName else { return false }
    return head.field(.origin, equals: "http://\(host.lowercased())\(head.port.map { ":\($0)" } ?? "")")
  }

  /// Whether a person follows a link to this server; a page that embeds the answer navigates, too.
  private var isNavigation: Bool {
    head.value(of: "sec-fetch-mode") == "navigate" && head.value(of: "sec-fetch-dest") == "document"
  }

  /// Whether an allowed page sends a request without an Origin.
  private var isReferredByAllowedOrigin: Bool {
    guard let referer = head.value(of: "referer") else { return false }
    return context.configuration.allowedOrigins.contains { referer == $0 || referer.hasPrefix("\($0)/") }
  }

  private var isAllowedOrigin: Bool {
    for origin in context.configuration.allowedOrigins where head.field(.origin, equals: origin) { return true }
    return false
  }

  /// Adds the fields that identify the server, and that allow the sender's web page to read the answer.
  func addSenderFields(to response: inout HTTPResponse) {
    // Only for a request that had the right token, so that the token doesn't leak.
    if head.field(.trackingSession, equals: context.session) {
      response.fields += "\(WireField.session): \(context.session)\r\n"
    }
    if head.has(.origin), isAllowedOrigin, !response.namesAllowedOrigin, let origin = head.value(of: .origin) {
      response.fields += "Access-Control-Allow-Origin: \(origin)\r\nVary: Origin\r\n"
    }
  }

  /// Whether a browser asks if its page may make another request (Fetch Standard 3.3.2, CORS preflight).
  var isPreflight: Bool {
    head.method == .options && head.has(.origin) && head.value(of: "access-control-request-method") != nil
  }

  /// The answer to `OPTIONS`, also to a browser's preflight request.
  var preflightResponse: HTTPResponse {
    HTTPResponse(status: 204, fields: "Allow: OPTIONS, POST\r\n" + preflightFields)
  }

  private var preflightFields: String {
    guard head.has(.origin), let method = head.value(of: "access-control-request-method") else { return "" }
    let own = [WireField.session, WireField.launch, WireField.sequence].joined(separator: ", ")
    // Other requests of an allowed page are for stubs.
    let isForEvents = isForEventPath || head.targetForm == .asterisk
    let others = isForEvents ? nil : head.value(of: "access-control-request-headers")
    var fields = """
      Access-Control-Allow-Methods: \(isForEvents ? "POST" : method)\r
      Access-Control-Allow-Headers: \(others ?? "Content-Type, \(own)")\r
      Access-Control-Max-Age: 600\r

      """
    // Private Network Access: a page of a public site that asks for a loopback address.
    if head.value(of: "access-control-request-private-network") == "true" {
      fields += "Access-Control-Allow-Private-Network: true\r\n"
    }
    return fields
  }
}

extension HTTPResponse {
  /// Whether a stub names the origins that may read its answer; with a second field, none could.
  fileprivate var namesAllowedOrigin: Bool {
    fields.lowercased().contains("access-control-allow-origin:")
  }
}
