import Foundation
import TrackingModel
import TrackingSockets

/// One client's connection: bytes in, requests, answers, bytes out.
///
/// Used by the server thread alone.
struct Connection: ~Copyable {
  private enum Phase {
    /// Requests are read and answered.
    case serving
    /// The last answer is on its way; then the socket is closed, after a while of listening if the client may still be sending.
    case closing(lingers: Bool)
    /// RFC 9112 9.6: closing at once, with bytes unread, would reset the connection and might destroy the answer before the client has read it.
    case lingering
  }

  /// For how long a client that was refused may go on sending before its connection is closed all the same.
  private static let lingerTime = Duration.seconds(2)

  /// Bytes taken from the socket in one turn, so that a client with much to say does not keep the others waiting.
  private static let mostReceived = 256 * 1_024

  let socket: Socket
  /// When something must have happened.
  private(set) var deadline: ContinuousClock.Instant

  private let limits: TrackingServer.Limits
  private let idleTime: Duration
  private let requestTime: Duration
  private let journal: Journal
  private let number: Int
  private var exchange = 0
  private var router: Router
  private var parser: RequestParser
  private var phase = Phase.serving
  private var output: [UInt8] = []
  private var sent = 0
  private var isRequestUnderWay = false

  init(
    socket: Socket, number: Int, router: Router, limits: TrackingServer.Limits, journal: Journal,
    now: ContinuousClock.Instant
  ) {
    self.socket = socket
    self.number = number
    self.router = router
    self.limits = limits
    self.journal = journal
    parser = RequestParser(limits: limits)
    idleTime = .clamping(seconds: limits.idleTimeout)
    requestTime = .clamping(seconds: limits.requestTimeout)
    deadline = now + idleTime
  }

  /// What to poll for.
  var interest: Int16 {
    // A client that does not read its answers is not read from either.
    Int16(sent < output.count ? POLLOUT : POLLIN)
  }

  /// Receives what has arrived and answers the requests that are whole; the answers wait for `flush`.
  ///
  /// - Returns: `false` when the connection has come to its end.
  mutating func receive(date: DateField) -> Bool {
    // A client that has not read its answers is not read from.
    guard sent == output.count else { return true }
    switch phase {
    case .serving: return receiveRequests(date: date)
    case .closing: return false
    case .lingering: return discard()
    }
  }

  /// Ends the connection, or says what was missing.
  ///
  /// - Returns: `false` when the connection has come to its end.
  mutating func expire(date: DateField, now: ContinuousClock.Instant) -> Bool {
    guard case .serving = phase, sent == output.count, !parser.isIdle else { return false }
    let reason = "the request did not arrive whole within \(TrackingValue.double(limits.requestTimeout)) s"
    end(with: router.refuse(Refusal(status: 408, reason: reason)), date: date)
    return flush(now)
  }

  /// Answers that there are too many connections, and ends this one.
  mutating func refuseAsTooMany(date: DateField, now: ContinuousClock.Instant) -> Bool {
    let reason = "more than \(limits.connections) connections are open; raise limits.connections or close some"
    end(with: router.refuse(Refusal(status: 503, reason: reason)), date: date)
    return flush(now)
  }

  private mutating func receiveRequests(date: DateField) -> Bool {
    var transfer = Socket.Transfer.wouldBlock
    _ = parser.receive { space in
      transfer = socket.receive(into: UnsafeMutableRawBufferPointer(rebasing: space.prefix(Self.mostReceived)))
      return if case .bytes(let count) = transfer { count } else { 0 }
    }
    switch transfer {
    case .bytes: break
    case .wouldBlock: return true
    // RFC 9112 8: a request that breaks off was never made.
    case .closed, .failed: return false
    }
    answerRequests(date: date)
    return true
  }

  private mutating func answerRequests(date: DateField) {
    while case .serving = phase {
      switch parser.next() {
      case .needsMore: return
      case .head: lookAhead(date: date)
      case .request: answer(date: date)
      case .refused(let refusal): end(with: router.refuse(refusal), date: date)
      }
    }
  }

  /// Tells a client that waits with its body whether to send it.
  private mutating func lookAhead(date: DateField) {
    guard parser.head.expectsContinue, !parser.hasReceivedBody else { return }
    guard let refusal = router.refusal(of: parser.head) else {
      Response.goOn.withUTF8Buffer { output.append(contentsOf: $0) }
      return
    }
    var response = router.refuse(parser.head, with: refusal, body: UnsafeRawBufferPointer(start: nil, count: 0))
    // RFC 9110 10.1.1: the client may send its body nevertheless, or not; nobody can know where the next request begins.
    response.closes = true
    record(status: response.status)
    end(with: response, date: date, context: context)
  }

  private mutating func answer(date: DateField) {
    let context = context
    let response = parser.withBody { router.answer(parser.head, body: $0) }
    if response.status != 204 || parser.head.method != .post { record(status: response.status) }
    exchange += 1
    parser.finish()
    isRequestUnderWay = false
    response.write(to: &output, date: date, context: context)
    if response.closes || !context.keepsAlive { phase = .closing(lingers: !parser.isIdle) }
  }

  private mutating func end(with response: Response, date: DateField, context: ResponseContext = ResponseContext()) {
    response.write(to: &output, date: date, context: context)
    phase = .closing(lingers: true)
  }

  private func record(status: Int) {
    journal.record(
      RecordedRequest(
        method: parser.head.methodName, target: parser.head.target, status: status, arrival: ContinuousClock.now,
        connection: number, exchange: exchange + 1))
  }

  private var context: ResponseContext {
    ResponseContext(
      isHead: parser.head.method == .head, isHTTP10: parser.head.version == .http10, keepsAlive: parser.head.keepsAlive)
  }

  private mutating func updateDeadline(_ now: ContinuousClock.Instant) {
    if parser.isIdle {
      isRequestUnderWay = false
      deadline = now + idleTime
    } else if !isRequestUnderWay {
      // Set once: a request may not stay alive by a byte now and then.
      isRequestUnderWay = true
      deadline = now + requestTime
    }
  }

  /// Sends as much of the answers as the client takes, and says what is next.
  ///
  /// - Returns: `false` when the connection has come to its end.
  mutating func flush(_ now: ContinuousClock.Instant) -> Bool {
    while sent < output.count {
      let transfer = output.withUnsafeBytes { socket.send(UnsafeRawBufferPointer(rebasing: $0[sent...])) }
      switch transfer {
      case .bytes(let count): sent += count
      case .wouldBlock:
        deadline = now + requestTime
        return true
      case .closed, .failed: return false
      }
    }
    output.removeAll(keepingCapacity: output.capacity <= Self.keptOutput)
    sent = 0
    return hasSentAll(now)
  }

  /// Bytes of output room that a connection keeps between answers.
  private static let keptOutput = 16 * 1_024

  private mutating func hasSentAll(_ now: ContinuousClock.Instant) -> Bool {
    switch phase {
    case .serving:
      updateDeadline(now)
      return true
    case .lingering:
      return true
    case .closing(lingers: false):
      return false
    case .closing(lingers: true):
      socket.shutdownWriting()
      phase = .lingering
      deadline = now + Self.lingerTime
      return discard()
    }
  }

  /// Drops what a refused client goes on sending, until it has read the answer and closes.
  private func discard() -> Bool {
    var transfer = Socket.Transfer.wouldBlock
    withUnsafeTemporaryAllocation(byteCount: 16 * 1_024, alignment: 1) { transfer = socket.receive(into: $0) }
    switch transfer {
    case .bytes, .wouldBlock: return true
    case .closed, .failed: return false
    }
  }
}
