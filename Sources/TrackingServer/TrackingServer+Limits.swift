import Foundation

extension TrackingServer {
  /// The limits of what a server accepts.
  ///
  /// The defaults are far above what an app under test sends; they keep a runaway client from exhausting the test process.
  public struct Limits: Hashable, Sendable {
    /// The maximum number of bytes of a request line and its header section together, line ends included.
    ///
    /// The chunk extensions and the trailer section of a chunked body together may take as many more.
    public var requestHead: Int
    /// The maximum number of a request's header fields and, counted separately, of a chunked body's trailer fields.
    public var fieldCount: Int
    /// The maximum number of bytes of a request body, without its chunk framing.
    public var body: Int
    /// The maximum number of bytes of a decoded body (`gzip`, `deflate`).
    public var decodedBody: Int
    /// The maximum size of a decoded body, as a multiple of its encoded size.
    public var decodedRatio: Int
    /// The maximum number of open connections.
    ///
    /// A client that disconnected while its response was pending doesn't count.
    public var connections: Int
    /// The maximum number of stub closures, format closures and file reads that run at one time; each uses a thread.
    ///
    /// Further requests get a 503. Responses that are delayed or held by a gate use no thread.
    public var workers: Int
    /// The maximum time from a request's first byte to its last, in seconds.
    public var requestTimeout: TimeInterval
    /// The time in seconds after which a connection without a request is closed.
    public var idleTimeout: TimeInterval
    /// The maximum nesting depth of a JSON body.
    public var jsonDepth: Int
    /// The maximum number of events that the journal keeps.
    public var journalEvents: Int
    /// The maximum number of bytes of request heads and bodies that the journal keeps; recorded requests take at most half of them.
    public var journalBodyBytes: Int
    /// The number of bytes that are kept of a rejected submission's body.
    public var rejectedBodyBytes: Int
    /// The number of bytes that are kept of a recorded request's body, unless it is a rejected submission.
    ///
    /// Checks see only the kept bytes: a condition on a longer body doesn't match, and the failure says so.
    public var recordedBodyBytes: Int
    /// The seconds for which a refused client may continue to send before its connection is closed.
    package var lingerTime: TimeInterval = 2
    /// The seconds for which an idle worker thread is kept.
    package var workerIdleTime: TimeInterval = 2

    /// Creates limits; the defaults are far above what an app sends in a test.
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
  init(_ limits: TrackingServer.Limits = .init(), vocabulary: Vocabulary = .calls) {
    self.init(head: limits.requestHead, fieldCount: limits.fieldCount, body: limits.body, vocabulary: vocabulary)
  }
}

extension TrackingJournal {
  convenience init(
    limits: TrackingServer.Limits, keepsResponses: Bool = false, vocabulary: Vocabulary = .calls,
    now: @escaping @Sendable () -> ContinuousClock.Instant = { .now }
  ) {
    self.init(
      mostEntries: limits.journalEvents, mostBodyBytes: limits.journalBodyBytes, keepsResponses: keepsResponses,
      vocabulary: vocabulary, now: now)
  }
}
