extension TrackingServer {
  /// A server's configuration.
  public struct Configuration: Sendable {
    /// The port on both loopback addresses; 0 lets the system choose a free one.
    public var port: UInt16
    /// The path to which events are posted; `nil` for a server that receives no events in its own format.
    ///
    /// Choose another path if `POST /` belongs to the app's backend. The endpoint passed to the app contains it.
    public var eventPath: String?
    /// Whether accepted submissions of events are also recorded as requests, with their header fields and bodies.
    public var recordsSubmissions: Bool
    /// The server's limits.
    public var limits: Limits
    /// The session's token, passed to the app at launch; `nil` creates a unique one.
    ///
    /// Valid characters are letters, digits, `-`, `.` and `_`. The token distinguishes this session's apps from others that use the same port; it
    /// isn't a secret.
    public var session: String?
    /// Whether a submission without the session's token is refused with 403; one with a wrong token always is.
    public var requiresSession: Bool
    /// The server's host names besides `localhost`, `127.0.0.1` and `::1`.
    ///
    /// Requests for other names are refused with 403, so that a web page can't reach the server by a name that resolves to loopback.
    public var allowedHosts: [String]
    /// The origins whose web pages may post events, for example `http://localhost:3000`; `null` stands for pages from files, and
    /// `http://localhost:*` for each port.
    ///
    /// A request from any other page is refused with 403.
    public var allowedOrigins: [String]
    package var vocabulary = Vocabulary.calls

    /// Creates a configuration; the defaults suit tests.
    public init(
      port: UInt16 = 0,
      eventPath: String? = "/",
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
