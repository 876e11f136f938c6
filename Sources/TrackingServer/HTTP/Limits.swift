import Foundation

extension TrackingServer {
  /// What a server takes before it refuses.
  ///
  /// The defaults are far above what an app under test sends; they keep a runaway client from taking the test process down with it.
  public struct Limits: Hashable, Sendable {
    /// Bytes of a request line and its header section together, line ends included.
    ///
    /// The chunk extensions and the trailer section of one chunked body together may take as many again.
    public var requestHead: Int
    /// Header fields of a request, and, counted anew, trailer fields of a chunked body.
    public var fieldCount: Int
    /// Bytes of a request body, without its chunk framing.
    public var body: Int
    /// Bytes of a body whose content coding (`gzip`, `deflate`) has been undone.
    public var decodedBody: Int
    /// How many times as large as it was sent a body may become when its content coding is undone.
    public var decodedRatio: Int
    /// Connections that are open at one time.
    ///
    /// A client that has left while its answer was pending doesn't count.
    public var connections: Int
    /// Closures of stubs, decodings and reads of files that run at one time; each has a thread while it runs.
    ///
    /// Beyond it requests are answered 503. Answers that are delayed, or that a gate holds, take no thread.
    public var workers: Int
    /// Seconds that a request may take from its first byte to its last.
    public var requestTimeout: TimeInterval
    /// Seconds that a connection may stay open without a request on its way.
    public var idleTimeout: TimeInterval
    /// Arrays and objects that a JSON body may nest.
    public var jsonDepth: Int
    /// Events that the journal keeps.
    public var journalEvents: Int
    /// Bytes of request bodies, and of the heads of recorded requests, that the journal accounts for; recorded requests take at most half of them.
    public var journalBodyBytes: Int
    /// Bytes that are kept of the body of each rejected submission.
    public var rejectedBodyBytes: Int
    /// Bytes that are kept of the body of each other request.
    ///
    /// A wait looks at what is kept: a condition on a longer body does not match, and the failure says so.
    public var recordedBodyBytes: Int

    /// Limits that are the defaults where nothing else is said.
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
