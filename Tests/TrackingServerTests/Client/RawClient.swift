import TestSupport
import TrackingServer
import TrackingSockets

/// A client on a bare socket, which can send what no well-behaved library sends, at the pace it likes.
///
/// `@unchecked Sendable`: one thread may send while another reads, and no more than one does each.
final class RawClient: @unchecked Sendable {
  enum Failure: Error, Hashable {
    /// The deadline came first.
    case timedOut(received: String)
    /// The server closed, or reset, before a response was complete.
    case ended(received: String)
    case notAResponse(String)
    case cannotConnect(errno: Int32)
  }

  /// Seconds until a client gives up; far more than anything takes, for slow machines and sanitizers.
  static let patience: TimeInterval = 30

  let socket: Socket
  private var received: [UInt8] = []
  private var isOpen = true
  /// The system's error with which the connection has ended, for example `ECONNRESET`.
  private(set) var failure: Int32?

  /// Connects to a running server.
  convenience init(_ server: TrackingServer, _ family: SocketAddress.Host = .preferred) throws {
    try self.init(port: UInt16(server.endpoint!.url.port!), family)
  }

  convenience init(port: UInt16, _ family: SocketAddress.Host = .preferred) throws {
    try self.init(Socket.connecting(to: SocketAddress(family, port: port)))
  }

  /// A client on a socket that is being connected.
  init(_ socket: Socket) throws {
    self.socket = socket
    guard socket.wait(for: Int32(POLLOUT), until: Self.deadline) else { throw Failure.timedOut(received: "") }
    let errno = socket.connectionError
    guard errno == 0 else {
      throw Failure.cannotConnect(errno: errno)
    }
  }

  deinit {
    close()
  }

  static var deadline: ContinuousClock.Instant { .now + .seconds(patience) }

  func send(_ text: String) throws {
    try send(Array(text.utf8))
  }

  /// Sends all of the bytes, waiting for room as long as it takes.
  func send(_ bytes: [UInt8]) throws {
    let deadline = Self.deadline
    var sent = 0
    while sent < bytes.count {
      switch bytes.withUnsafeBytes({ socket.send(UnsafeRawBufferPointer(rebasing: $0[sent...])) }) {
      case .bytes(let count): sent += count
      case .wouldBlock:
        guard socket.wait(for: Int32(POLLOUT), until: deadline) else { throw Failure.timedOut(received: "") }
      case .closed, .failed: throw Failure.ended(received: "")
      }
    }
  }

  /// Sends until the server takes no more for now.
  ///
  /// - Returns: `false` when the connection has ended.
  func sendWhatFits(_ bytes: [UInt8], rounds: Int) -> Bool {
    for _ in 0..<rounds {
      switch bytes.withUnsafeBytes({ socket.send($0) }) {
      case .bytes: continue
      case .wouldBlock: return true
      case .closed, .failed: return false
      }
    }
    return true
  }

  /// Reads one response; what follows it is kept for the next.
  func response(toHead: Bool = false) throws -> RawResponse {
    let deadline = Self.deadline
    while true {
      if let (response, length) = try RawResponse.parse(received, toHead: toHead) {
        received.removeFirst(length)
        return response
      }
      guard try receiveMore(until: deadline) else { throw Failure.ended(received: text) }
    }
  }

  /// Reads one response behind any number of interim responses.
  func finalResponse() throws -> RawResponse {
    var response = try response()
    while response.status == 100 { response = try self.response() }
    return response
  }

  /// Reads to the end of the connection.
  ///
  /// - Returns: The text received before the end. A reset is an end, too.
  func readToEnd() throws -> String {
    let deadline = Self.deadline
    while try receiveMore(until: deadline) {}
    return text
  }

  /// The state in which a server leaves a connection.
  enum End: Hashable {
    /// In order.
    case closed
    /// By a reset.
    case reset
    /// Not at all; it is open.
    case none
  }

  /// Reads to the end of the connection, however it ends, or as far as a number of bytes.
  func readToEnd(atMost count: Int = .max) throws -> (bytes: [UInt8], end: End) {
    let deadline = Self.deadline
    while received.count < count {
      guard try receiveMore(until: deadline) else { return (received, failure == nil ? .closed : .reset) }
    }
    return (received, .none)
  }

  /// Whether nothing has arrived, not even an end.
  var hearsNothing: Bool { !socket.wait(for: Int32(POLLIN), until: .now) }

  /// Says that nothing more will be sent; reading is still possible.
  func endSending() { socket.shutdownWriting() }

  /// Sends a request and reads its response.
  func exchange(_ request: String) throws -> RawResponse {
    try send(request)
    return try response()
  }

  /// Posts a body as an ordinary client does.
  @discardableResult
  func post(_ body: String, _ fields: String...) throws -> RawResponse {
    try exchange(RawClient.post(body, fields))
  }

  static func post(_ body: String, _ fields: [String] = []) -> String {
    request("POST / HTTP/1.1", ["Host: localhost", "Content-Type: application/json"] + fields, body)
  }

  static func request(_ line: String, _ fields: [String], _ body: String? = nil) -> String {
    let framing = body.map { ["Content-Length: \($0.utf8.count)"] } ?? []
    return ([line] + fields + framing).map { $0 + "\r\n" }.joined() + "\r\n" + (body ?? "")
  }

  /// Ends the connection in order.
  func close() {
    guard isOpen else { return }
    isOpen = false
    socket.close()
  }

  /// Ends the connection by a reset.
  func reset() {
    var option = linger(l_onoff: 1, l_linger: 0)
    setsockopt(socket.descriptor, SOL_SOCKET, SO_LINGER, &option, socklen_t(MemoryLayout<linger>.size))
    close()
  }

  /// Makes the room for unread responses small, so that a server that sends much must wait soon.
  func takeLittle() {
    var size: Int32 = 32_768
    setsockopt(socket.descriptor, SOL_SOCKET, SO_RCVBUF, &size, socklen_t(MemoryLayout<Int32>.size))
  }

  private var text: String { String(decoding: received, as: UTF8.self) }

  private func receiveMore(until deadline: ContinuousClock.Instant) throws -> Bool {
    var space = [UInt8](repeating: 0, count: 64 * 1_024)
    while true {
      switch space.withUnsafeMutableBytes({ socket.receive(into: $0) }) {
      case .bytes(let count):
        received += space.prefix(count)
        return true
      case .wouldBlock:
        guard socket.wait(for: Int32(POLLIN), until: deadline) else { throw Failure.timedOut(received: text) }
      case .closed:
        return false
      case .failed(let errno):
        failure = errno
        return false
      }
    }
  }
}
