/// Reads the requests of one connection from its receive buffer, one after the other.
///
/// ```swift
/// let count = parser.receive { space in recv(descriptor, space.baseAddress, space.count, 0) }
/// loop: while true {
///   switch parser.next() {
///   case .needsMore: break loop
///   case .head: // parser.head is complete: respond with 100 or refuse early
///   case .request: parser.withReceivedBody { body in ... }; parser.finish()
///   case .refused(let refusal): // respond and close
///   }
/// }
/// ```
///
/// Requests are parsed in place, and each byte is read once, however the bytes are split into packets. The parser is strict: it refuses whatever two
/// parsers could read differently, since no proxy is between an app under test and this server.
struct RequestParser: ~Copyable {
  enum Event: Equatable {
    case needsMore
    /// `head` is complete and valid; nothing after it has been read. Returned once per request.
    case head
    /// The body is complete; returned until `finish()`.
    case request
    /// Nothing more will be read; returned from then on.
    case refused(HTTPError)
  }

  private enum Stage {
    case beforeRequest, requestLine, fields, body, complete
  }

  /// The current request; valid from `.head` until `finish()`.
  private(set) var head = RequestHead()

  private let limits: RequestLimits
  private var buffer = ReceiveBuffer()
  private var stage = Stage.beforeRequest
  private var lines = LineScanner()
  private var chunks: ChunkedBody?
  private var headLength = 0
  private var mayBeginWithEmptyLine = true
  private var refusal: HTTPError?

  init(limits: RequestLimits) {
    self.limits = limits
  }

  /// Whether no byte of the next request has arrived, so the connection is idle rather than slow.
  var isIdle: Bool { stage == .beforeRequest && buffer.count == 0 && refusal == nil }

  /// Whether `head` is complete and valid.
  var hasHead: Bool { stage == .body || stage == .complete }

  /// Whether bytes have arrived after the head, so that a client that expects a 100 hasn't waited for it.
  var hasReceivedBody: Bool { buffer.count > headLength }

  /// The number of received bytes of the body, without its framing.
  var receivedBodyCount: Int {
    switch head.framing {
    case .none: 0
    case .length(let length): min(max(buffer.count - headLength, 0), length)
    case .chunked: (chunks?.end ?? headLength) - headLength
    }
  }

  /// Whether the head announces a body larger than the limit.
  var announcesTooMuch: Bool {
    if case .length(let length) = head.framing { length > limits.body } else { false }
  }

  /// The receive buffer's size in bytes.
  var bufferCapacity: Int { buffer.capacity }

  /// Lets `fill` write received bytes into the buffer, and returns its result; a number that isn't positive adds none.
  ///
  /// Call `next()` until it needs more before receiving again. After a refusal, received bytes are dropped.
  mutating func receive<Failure: Error>(
    _ fill: (UnsafeMutableRawBufferPointer) throws(Failure) -> Int
  ) throws(Failure) -> Int {
    // Reading on for a while lets a refused client see the response; that must not cost memory.
    if refusal != nil { buffer.closeGap(from: headLength, to: buffer.count) }
    defer { head.bytes = RequestBytes(buffer.bytes) }
    return try buffer.receive(fill)
  }

  mutating func next() -> Event {
    if let refusal { return .refused(refusal) }
    do throws(HTTPError) {
      return try advance()
    } catch {
      refusal = error
      return .refused(error)
    }
  }

  /// Calls a closure with the received part of the body, without its framing.
  func withReceivedBody<Result, Failure: Error>(
    _ use: (UnsafeRawBufferPointer) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    let end = headLength + receivedBodyCount
    return try use(UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(buffer.bytes)[headLength..<end]))
  }

  /// Removes the current request and prepares for the next, part of which may have arrived; does nothing without a `.request`.
  mutating func finish() {
    guard stage == .complete, refusal == nil else { return }
    buffer.removeFirst(chunks?.next ?? bodyEnd)
    buffer.shrink()
    head.reset()
    head.bytes = RequestBytes(buffer.bytes)
    stage = .beforeRequest
    lines = LineScanner()
    chunks = nil
    headLength = 0
    mayBeginWithEmptyLine = true
  }
}

extension RequestParser {
  private var bodyEnd: Int {
    switch head.framing {
    case .none: headLength
    case .length(let length): headLength + length
    case .chunked: chunks?.end ?? headLength
    }
  }

  private mutating func advance() throws(HTTPError) -> Event {
    while true {
      switch stage {
      case .beforeRequest: guard try beginRequest() else { return .needsMore }
      case .requestLine: guard try readRequestLine() else { return .needsMore }
      case .fields:
        guard try readField() else { return .needsMore }
        if stage == .body { return .head }
      case .body: guard try readBody() else { return .needsMore }
      case .complete: return .request
      }
    }
  }

  private mutating func beginRequest() throws(HTTPError) -> Bool {
    let bytes = head.bytes
    guard let first = bytes.first else { return false }
    if first == ASCII.carriageReturn, mayBeginWithEmptyLine {
      // RFC 9112 2.2: one empty line before a request line is ignored; old clients send it after a body.
      guard bytes.count > 1 else { return false }
      guard bytes[1] == ASCII.lineFeed else { throw .badRequest("the request begins with a bare CR") }
      mayBeginWithEmptyLine = false
      buffer.removeFirst(2)
      head.bytes = RequestBytes(buffer.bytes)
      return true
    }
    // A method is a token. Checked by its first byte, since other protocols may never send a line end.
    guard ByteSet.token.contains(first) else {
      // RFC 8446 5.1: a TLS record with a handshake begins with 22.
      throw .badRequest(
        first == 22
          ? "the client speaks TLS; use http:// and not https://" : "the request does not begin with a method")
    }
    stage = .requestLine
    return true
  }

  private mutating func readRequestLine() throws(HTTPError) -> Bool {
    switch try lines.next(in: head.bytes, limit: limits.head) {
    case .partial: return false
    case .tooLong: throw limits.lineTooLong
    case .line(let line):
      headLength = lines.start
      try head.readRequestLine(line)
      stage = .fields
      return true
    }
  }

  private mutating func readField() throws(HTTPError) -> Bool {
    switch try lines.next(in: head.bytes, limit: limits.head) {
    case .partial: return false
    case .tooLong: throw limits.headTooLarge
    case .line(let line):
      headLength = lines.start
      if line.isEmpty {
        try head.complete()
        stage = .body
      } else {
        try head.readField(line, limits: limits)
      }
      return true
    }
  }

  private mutating func readBody() throws(HTTPError) -> Bool {
    switch head.framing {
    case .none: break
    case .length(let length):
      guard length <= limits.body else { throw limits.bodyTooLarge }
      guard buffer.count - headLength >= length else { return false }
    case .chunked: guard try decodeChunks() else { return false }
    }
    stage = .complete
    return true
  }

  private mutating func decodeChunks() throws(HTTPError) -> Bool {
    var body = chunks ?? ChunkedBody(start: headLength, limits: limits)
    let isWhole = try body.decode(buffer.bytes, limits: limits)
    if !isWhole {
      // Removing the framing makes room for the following bytes.
      buffer.closeGap(from: body.end, to: body.next)
      body.closedGap()
    }
    chunks = body
    return isWhole
  }
}
