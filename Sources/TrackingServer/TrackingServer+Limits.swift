import Foundation

extension TrackingServer {
  /// The limits of what a server accepts.
  ///
  /// The defaults are far above what an app under test sends; they keep a runaway client from exhausting the test process.
  public struct Limits: Hashable, Sendable {
    /// Bytes of a request line and its header section together, line ends included.
    ///
    /// The chunk extensions and the trailer section of one chunked body together may take as many more.
    public var requestHead: Int
    /// Header fields of a request, and, counted separately, trailer fields of a chunked body.
    public var fieldCount: Int
    /// Bytes of a request body, without its chunk framing.
    public var body: Int
    /// Bytes of a decoded body (`gzip`, `deflate`).
    public var decodedBody: Int
    /// The size of a decoded body, as a multiple of its size as sent.
    public var decodedRatio: Int
    /// Connections that are open at one time.
    ///
    /// A client that has left while its response is pending doesn't count.
    public var connections: Int
    /// Closures of stubs and formats, and reads of files, that run at one time; each has a thread while it runs.
    ///
    /// Requests beyond it get a 503. Responses that are delayed or held by a gate take no thread.
    public var workers: Int
    /// Seconds that a request may take from its first byte to its last.
    public var requestTimeout: TimeInterval
    /// Seconds that a connection may stay open without a request.
    public var idleTimeout: TimeInterval
    /// Arrays and objects that a JSON body may nest.
    public var jsonDepth: Int
    /// Events that the journal keeps.
    public var journalEvents: Int
    /// Bytes of request bodies, and of the heads of recorded requests, that the journal accounts for; recorded requests take at most half of them.
    public var journalBodyBytes: Int
    /// Bytes of each rejected submission's body that are kept.
    public var rejectedBodyBytes: Int
    /// Bytes of each other request's body that are kept.
    ///
    /// Waits look at the kept bytes: a condition on a longer body doesn't match, and the failure says so.
    public var recordedBodyBytes: Int
    /// Seconds for which a refused client may keep sending before its connection is closed.
    package var lingerTime: TimeInterval = 2
    /// Seconds for which an idle thread of the workers is kept.
    package var workerIdleTime: TimeInterval = 2

    /// Limits; those that aren't given have their defaults.
    public init(
      requestHead: Int = 64 * 1_024,
      fieldCount: Int = 100,
      body: Int = 64 * 1_024 * 1_024,
      decodedBody: Int = 16 * 1_024 * 1_024,
      decodedRatio: Int = 1_000,
      connections: Int = 1_024,
      workers: Int = 512,
      requestTimeout: TimeInterval = 30,
      idleTimeout: TimeInterval = 60,
      jsonDepth: Int = 512,
      journalEvents: Int = 1_000_000,
      journalBodyBytes: Int = 256 * 1_024 * 1_024,
      rejectedBodyBytes: Int = 64 * 1_024,
      recordedBodyBytes: Int = 64 * 1_024 * 1_024
    ) {
      self.requestHead = requestHead
      self.fieldCount = fieldCount
      self.body = body
      self.decodedBody = decodedBody
      self.decodedRatio = decodedRatio
      self.connections = connections
      self.workers = workers
      self.requestTimeout = requestTimeout
      self.idleTimeout = idleTimeout
      self.jsonDepth = jsonDepth
      self.journalEvents = journalEvents
      self.journalBodyBytes = journalBodyBytes
      self.rejectedBodyBytes = rejectedBodyBytes
      self.recordedBodyBytes = recordedBodyBytes
    }
  }
}

extension RequestLimits {
  /// The part of a server's limits that concerns one request.
  init(_ limits: TrackingServer.Limits = .init(), advice: Advice = .calls) {
    self.init(head: limits.requestHead, fieldCount: limits.fieldCount, body: limits.body, advice: advice)
  }
}

extension TrackingJournal {
  /// A journal within a server's limits.
  convenience init(
    limits: TrackingServer.Limits, keepsResponses: Bool = false, advice: Advice = .calls,
    now: @escaping @Sendable () -> ContinuousClock.Instant = { .now }
  ) {
    self.init(
      mostEntries: limits.journalEvents, mostBodyBytes: limits.journalBodyBytes, keepsResponses: keepsResponses,
      advice: advice, now: now)
  }
}
