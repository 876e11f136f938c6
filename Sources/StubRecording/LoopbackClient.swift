import Foundation
import TrackingServer
import TrackingSockets

/// Sends requests to backends on this machine over plain sockets.
///
/// Foundation's URL loading on Linux ends the process at an answer with trailers, loses the bodies of redirects, refuses fields in Latin-1 and
/// a status without a reason, and sends loopback requests to the proxy that `http_proxy` names.
struct LoopbackClient: Sendable {
  let mostBytes: Int
  let timeout: TimeInterval

  /// The addresses of a backend at `http://localhost`, `127.0.0.1` or `[::1]`; empty for any other.
  static func addresses(of origin: String) -> [SocketAddress] {
    guard let url = URLComponents(string: origin), url.scheme == "http", let host = url.host,
      let port = UInt16(exactly: url.port ?? 80)
    else { return [] }
    return SocketAddress.named(host, port: port)
  }

  /// Sends a request and reads its answer on a separate thread, because both block.
  func send(
    _ request: [UInt8], method: String, to addresses: [SocketAddress]
  ) async throws(UpstreamFailure) -> UpstreamAnswer {
    let isCancelled = Locked(false)
    let result = await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        Thread.detachNewThread {
          let result = Result { () throws(UpstreamFailure) in
            try exchange(request, method, addresses) { isCancelled.withLock { $0 } }
          }
          continuation.resume(returning: result)
        }
      }
    } onCancel: {
      isCancelled.withLock { $0 = true }
    }
    return try result.get()
  }

  private func exchange(
    _ request: [UInt8], _ method: String, _ addresses: [SocketAddress], _ isCancelled: () -> Bool
  ) throws(UpstreamFailure) -> UpstreamAnswer {
    guard !isCancelled() else { throw .cancelled }
    // Of inactivity, as a timeout of URL loading is.
    var deadline = ContinuousClock.now + .clamping(seconds: timeout)
    let socket = try Self.connected(to: addresses, deadline)
    defer { socket.close() }
    var sent = 0
    var reader = BackendAnswerReader(isHead: method == "HEAD", mostBytes: mostBytes)
    var space = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let events = Int32(POLLIN) | (sent < request.count ? Int32(POLLOUT) : 0)
      // Short waits, because nothing wakes the thread when the task is cancelled.
      while !socket.wait(for: events, until: min(deadline, .now + .milliseconds(50))) {
        guard !isCancelled() else { throw .cancelled }
        guard ContinuousClock.now < deadline else {
          throw .init(reason: "it didn't answer in time", isOutage: true)
        }
      }
      if sent < request.count {
        // A failure shows in receiving: the backend may have answered before it has read everything.
        if case .bytes(let count) = request[sent...].withUnsafeBytes({ socket.send($0) }) { sent += count }
      }
      switch space.withUnsafeMutableBytes({ socket.receive(into: $0) }) {
      case .bytes(let count):
        deadline = .now + .clamping(seconds: timeout)
        if try reader.read(space[..<count]) { return try reader.answer() }
      case .closed:
        try reader.end()
        return try reader.answer()
      case .failed: throw .brokenOff
      case .wouldBlock: continue
      }
    }
  }

  private static func connected(
    to addresses: [SocketAddress], _ deadline: ContinuousClock.Instant
  ) throws(UpstreamFailure) -> Socket {
    for address in addresses {
      if let socket = try? Socket.connected(to: address, until: deadline) { return socket }
    }
    throw .init(reason: "it can't be reached; is it running?", isOutage: true)
  }
}

/// Reads one answer of HTTP/1.1 from bytes as they arrive (RFC 9112).
struct BackendAnswerReader {
  private enum State {
    case status, fields
    case body(left: Int)
    case chunkSize
    case chunk(left: Int)
    case trailers
    case untilEnd
    case done
  }

  let isHead: Bool
  let mostBytes: Int
  private var state = State.status
  private var bytes: [UInt8] = []
  private var start = 0
  private var status = 0
  private var headers = HeaderFields()
  private var body: [UInt8] = []

  init(isHead: Bool, mostBytes: Int) {
    (self.isHead, self.mostBytes) = (isHead, mostBytes)
  }

  /// Takes bytes.
  ///
  /// - Returns: Whether the answer is complete.
  mutating func read(_ new: ArraySlice<UInt8>) throws(UpstreamFailure) -> Bool {
    bytes += new
    while try step() {}
    bytes.removeFirst(start)
    start = 0
    if case .done = state { return true }
    return false
  }

  /// Takes the end of the connection.
  mutating func end() throws(UpstreamFailure) {
    guard case .untilEnd = state else { throw .brokenOff }
    state = .done
  }

  /// The answer, without its content coding.
  func answer() throws(UpstreamFailure) -> UpstreamAnswer {
    var body = body
    if let coding = headers["Content-Encoding"].flatMap({ ContentCoding(named: $0) }), !body.isEmpty {
      guard let decoded = try? body.withUnsafeBufferPointer({ try coding.decoded($0, limit: mostBytes) }) else {
        throw .init(reason: "its compressed body can't be decoded", isOutage: false)
      }
      body = decoded
    }
    return UpstreamAnswer(status: status, headers: headers, body: Data(body))
  }

  /// Reads the next part; `false` if it isn't complete.
  private mutating func step() throws(UpstreamFailure) -> Bool {
    switch state {
    case .status:
      guard let line = try line() else { return false }
      try readStatus(line)
    case .fields:
      guard let line = try line() else { return false }
      if line.isEmpty { try begin() } else { try readField(line) }
    case .body(let left):
      guard let taken = take(left) else { return false }
      state = taken == left ? .done : .body(left: left - taken)
    case .chunkSize:
      guard let line = try line() else { return false }
      // The line end behind the chunk before.
      if line.isEmpty { return true }
      guard let size = Int(String(decoding: line.prefix { $0 != 0x3B && $0 != 0x20 }, as: UTF8.self), radix: 16),
        size >= 0
      else { throw .brokenOff }
      try check(body.count + min(size, mostBytes + 1))
      state = size == 0 ? .trailers : .chunk(left: size)
    case .chunk(let left):
      guard let taken = take(left) else { return false }
      state = taken == left ? .chunkSize : .chunk(left: left - taken)
    case .trailers:
      guard let line = try line() else { return false }
      if line.isEmpty { state = .done }
    case .untilEnd:
      guard take(.max) != nil else { return false }
      try check(body.count)
    case .done: return false
    }
    return true
  }

  private mutating func readStatus(_ line: ArraySlice<UInt8>) throws(UpstreamFailure) {
    let words = line.split(separator: 0x20, maxSplits: 2)
    guard words.count > 1, words[0].starts(with: "HTTP/1.".utf8),
      let status = Int(String(decoding: words[1], as: UTF8.self)), 100...599 ~= status
    else { throw .brokenOff }
    self.status = status
    state = .fields
  }

  private mutating func readField(_ line: ArraySlice<UInt8>) throws(UpstreamFailure) {
    guard let colon = line.firstIndex(of: 0x3A), colon > line.startIndex else { throw .brokenOff }
    func text(_ bytes: ArraySlice<UInt8>) -> String {
      // RFC 9110 5.5: historically, field values were in Latin-1.
      let text =
        String(bytes: bytes, encoding: .utf8)
        ?? String(String.UnicodeScalarView(bytes.map { Unicode.Scalar($0) }))
      return text.trimmingCharacters(in: .whitespaces)
    }
    headers.fields.append(.init(name: text(line[..<colon]), value: text(line[(colon + 1)...])))
  }

  /// Begins the body, or the next head after an interim answer.
  private mutating func begin() throws(UpstreamFailure) {
    if status < 200, status != 101 {
      (state, headers) = (.status, HeaderFields())
      return
    }
    if headers["Content-Type"]?.lowercased().hasPrefix("text/event-stream") == true {
      throw .init(reason: "server-sent events can't be recorded", isOutage: false)
    }
    // RFC 9112 6.3.
    if isHead || status == 101 || status == 204 || status == 304 {
      state = .done
    } else if headers["Transfer-Encoding"]?.lowercased().hasSuffix("chunked") == true {
      state = .chunkSize
    } else if let text = headers["Content-Length"] {
      guard let length = Int(text), length >= 0 else { throw .brokenOff }
      try check(length)
      state = length == 0 ? .done : .body(left: length)
    } else {
      state = .untilEnd
    }
  }

  private func check(_ size: Int) throws(UpstreamFailure) {
    if size > mostBytes { throw .tooLarge(mostBytes) }
  }

  /// Moves up to a number of received bytes into the body; returns `nil` if none are left.
  private mutating func take(_ count: Int) -> Int? {
    let taken = min(count, bytes.count - start)
    guard taken > 0 else { return nil }
    body += bytes[start..<start + taken]
    start += taken
    return taken
  }

  private static let longestLine = 1 << 18

  /// The next line without its end; `nil` if it hasn't arrived.
  private mutating func line() throws(UpstreamFailure) -> ArraySlice<UInt8>? {
    guard let end = bytes[start...].firstIndex(of: 0x0A) else {
      guard bytes.count - start <= Self.longestLine else {
        throw .init(reason: "a line of its head is longer than \(Self.longestLine) bytes", isOutage: false)
      }
      return nil
    }
    let line = bytes[start..<end]
    start = end + 1
    return line.last == 0x0D ? line.dropLast() : line
  }
}
