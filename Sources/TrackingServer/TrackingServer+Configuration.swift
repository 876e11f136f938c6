extension TrackingServer {
  /// How a server is set up.
  public struct Configuration: Sendable {
    /// The port on both loopback addresses; 0 lets the system choose a free one.
    public var port: UInt16
    /// The path to which events are posted.
    ///
    /// Give another one when `POST /` belongs to the app's backend. The endpoint that is handed over to the app has it.
    public var eventPath: String
    /// Whether accepted submissions of events are kept among the requests, with their header fields and bodies.
    public var recordsSubmissions: Bool
    /// What the server takes before it refuses.
    public var limits: Limits
    /// The token that is handed over to the app at launch; `nil` makes one that no other session has.
    ///
    /// Letters, digits, `-`, `.` and `_`. It tells this session's apps from a stranger that uses the same port; it is no secret worth keeping.
    public var session: String?
    /// Whether a submission without the session's token is refused with 403.
    ///
    /// A wrong token always is.
    public var requiresSession: Bool
    /// Host names under which the server may be addressed beside `localhost`, `127.0.0.1` and `::1`.
    ///
    /// Requests for any other name are refused with 403, so that a web page cannot reach the server by a name that it lets resolve to loopback.
    public var allowedHosts: [String]
    /// The origins whose web pages may post events, for example `http://localhost:3000`; `null` stands for pages from files.
    ///
    /// A request from any other page is refused with 403.
    public var allowedOrigins: [String]

    /// A configuration; each value has a default that suits tests.
    public init(
      port: UInt16 = 0,
      eventPath: String = "/",
      recordsSubmissions: Bool = false,
      limits: Limits = Limits(),
      session: String? = nil,
      requiresSession: Bool = false,
      allowedHosts: [String] = [],
      allowedOrigins: [String] = []
    ) {
      self.port = port
      self.eventPath = eventPath
      self.recordsSubmissions = recordsSubmissions
      self.limits = limits
      self.session = session
      self.requiresSession = requiresSession
      self.allowedHosts = allowedHosts
      self.allowedOrigins = allowedOrigins
    }
  }
}
