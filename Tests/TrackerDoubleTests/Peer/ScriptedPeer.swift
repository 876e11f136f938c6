import Dispatch
import TestSupport

@testable import TrackerDouble
@testable import TrackingSockets

/// A server of a few lines that does with each connection and each request what a test tells it to.
final class ScriptedPeer: Sendable {
  /// The peer's reaction to a new connection.
  enum Welcome: Sendable {
    case serve
    case close
    case closeAfterReading(bytes: Int)
  }

  /// The peer's reaction to a request.
  enum Action: Sendable {
    /// Sends these bytes and reads the next request.
    case response(String)
    /// Sends these bytes and closes.
    case lastResponse(String)
    /// Sends these bytes, each alone.
    case slowResponse(String)
    case close
    case reset
  }

  let requests = Recorder<PeerRequest>()
  let connections = Recorder<Int>()
  let port: UInt16
  private let recordedNumbers = Recorder<(launch: String, number: Int, name: String)>()
  private let listeners: [Socket]
  private let stopping: WakePipe
  private let threads = DispatchGroup()
  private let numbers = Locked((connection: 0, request: 0))
  private let welcome: @Sendable (Int) -> Welcome
  private let respond: @Sendable (PeerRequest) -> Action

  /// - Parameter port: 0 lets the system choose.
  convenience init(
    port: UInt16 = 0,
    welcome: @escaping @Sendable (_ connection: Int) -> Welcome = { _ in .serve },
    respond: @escaping @Sendable (PeerRequest) -> Action = { _ in .response(Responses.noContent) }
  ) throws {
    let listener = try Listener(port: port)
    try self.init(listeners: listener.sockets, port: listener.address.port, welcome: welcome, respond: respond)
  }

  init(
    listeners: [Socket], port: UInt16,
    welcome: @escaping @Sendable (_ connection: Int) -> Welcome = { _ in .serve },
    respond: @escaping @Sendable (PeerRequest) -> Action = { _ in .response(Responses.noContent) }
  ) throws {
    self.listeners = listeners
    self.port = port
    self.welcome = welcome
    self.respond = respond
    stopping = try WakePipe()
    threads.enter()
    let thread = Thread { self.acceptUntilStopped() }
    thread.start()
  }

  /// Closes every socket and waits for the threads to end.
  func stop() {
    stopping.wake()
    threads.wait()
    stopping.close()
  }

  func endpoint(session: String? = nil) -> TrackingEndpoint {
    TrackingEndpoint(url: URL(string: "http://\(SocketAddress(.preferred, port: port))")!, session: session)
  }

  /// The names of the events by the order of their numbers, each once per double, as a verifier would have recorded them.
  var recorded: [String] {
    var seen: Set<String> = []
    return recordedNumbers.all.filter { seen.insert("\($0.launch) \($0.number)").inserted }.map(\.name)
  }

  private func acceptUntilStopped() {
    while let ready = wait(for: listeners) {
      while let socket = try? ready.accept() {
        let connection = numbers.withLock {
          $0.connection += 1
          return $0.connection
        }
        connections.append(connection)
        threads.enter()
        let thread = Thread {
          self.serve(socket, connection)
          self.threads.leave()
        }
        thread.start()
      }
    }
    for listener in listeners { listener.close() }
    threads.leave()
  }

  private func serve(_ socket: Socket, _ connection: Int) {
    defer { socket.close() }
    var bytes = Data()
    switch welcome(connection) {
    case .serve: break
    case .close: return
    case .closeAfterReading(let count):
      while bytes.count < count, read(from: socket, into: &bytes) {}
      return
    }
    while let request = readRequest(from: socket, buffer: &bytes, connection) {
      requests.append(request)
      let action = respond(request)
      switch action {
      case .response(let text), .lastResponse(let text), .slowResponse(let text):
        if text.hasPrefix("HTTP/1.1 2") { record(request) }
      case .close, .reset: record(request)
      }
      switch action {
      case .response(let text): send(Data(text.utf8), to: socket)
      case .slowResponse(let text):
        for byte in text.utf8 { send(Data([byte]), to: socket) }
      case .lastResponse(let text):
        send(Data(text.utf8), to: socket)
        return
      case .close: return
      case .reset:
        var linger = Foundation.linger(l_onoff: 1, l_linger: 0)
        setsockopt(socket.descriptor, SOL_SOCKET, SO_LINGER, &linger, socklen_t(MemoryLayout<linger>.size))
        return
      }
    }
  }

  private func record(_ request: PeerRequest) {
    for (number, name) in request.numbered {
      recordedNumbers.append((request.launch, number, name))
    }
  }

  private func readRequest(from socket: Socket, buffer: inout Data, _ connection: Int) -> PeerRequest? {
    let end = Data("\r\n\r\n".utf8)
    while buffer.range(of: end) == nil {
      guard read(from: socket, into: &buffer) else { return nil }
    }
    guard let range = buffer.range(of: end) else { return nil }
    var request = PeerRequest(
      head: String(decoding: buffer[..<range.upperBound], as: UTF8.self), body: Data(), connection: connection,
      number: 0)
    let length = request.field("Content-Length").flatMap(Int.init) ?? 0
    buffer = Data(buffer[range.upperBound...])
    while buffer.count < length {
      guard read(from: socket, into: &buffer) else { return nil }
    }
    request.body = Data(buffer.prefix(length))
    buffer = Data(buffer.dropFirst(length))
    request.number = numbers.withLock {
      $0.request += 1
      return $0.request
    }
    return request
  }

  /// - Returns: `false` at the end of the connection and when the peer stops.
  private func read(from socket: Socket, into buffer: inout Data) -> Bool {
    guard wait(for: [socket]) != nil else { return false }
    var space = [UInt8](repeating: 0, count: 65_536)
    switch space.withUnsafeMutableBytes(socket.receive) {
    case .bytes(let count):
      buffer += space[..<count]
      return true
    case .wouldBlock: return true
    case .closed, .failed: return false
    }
  }

  private func send(_ data: Data, to socket: Socket) {
    var rest = data[...]
    while !rest.isEmpty {
      switch rest.withUnsafeBytes(socket.send) {
      case .bytes(let count): rest = rest.dropFirst(count)
      case .wouldBlock: _ = socket.wait(for: Int32(POLLOUT), until: .now + .seconds(10))
      case .closed, .failed: return
      }
    }
  }

  /// The first of the sockets to be readable; `nil` when the peer stops.
  private func wait(for sockets: [Socket]) -> Socket? {
    var entries = ([stopping.readDescriptor] + sockets.map(\.descriptor)).map {
      pollfd(fd: $0, events: Int16(POLLIN), revents: 0)
    }
    while poll(&entries, nfds_t(entries.count), -1) < 0 {}
    guard entries[0].revents == 0 else { return nil }
    return sockets[entries.dropFirst().firstIndex { $0.revents != 0 }! - 1]
  }
}
