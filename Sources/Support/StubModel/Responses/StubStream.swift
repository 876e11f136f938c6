import TrackingModel

/// A body that a test writes while the app listens.
///
/// ```swift
/// let prices = StubStream()
/// verifier.stub(.get, "/prices", .eventStream(prices))
/// prices.send(event: "price", data: "42")
/// prices.finish()
/// ```
///
/// Every request receives the whole stream from its beginning, so it doesn't matter whether the app is already connected. A stream that the test
/// doesn't finish ends when the verifier stops. All members may be used from any thread.
public final class StubStream: Sendable {
  package enum End: Hashable, Sendable {
    case finished
    case failed(HTTPFault.Effect)
  }

  /// The part that a listener hasn't read yet.
  package enum News: Sendable {
    case pieces([[UInt8]])
    case end(End)
    /// Nothing yet; the listener will be called.
    case none(Waiters.Ticket)
  }

  private struct State: Sendable {
    var pieces: [[UInt8]] = []
    var end: End?
    var waiters = Waiters()
    var listeners = 0
  }

  private let state = Locked(State())

  /// Creates an empty stream.
  public init() {}

  /// The number of requests whose response is being sent from the stream.
  package var listeners: Int { state.withLock { $0.listeners } }

  /// Sends bytes to all listeners, present and future; after the stream has ended, does nothing.
  public func send(_ data: some Sequence<UInt8>) {
    let piece = Array(data)
    guard !piece.isEmpty else { return }
    change { if $0.end == nil { $0.pieces.append(piece) } }
  }

  /// Sends text in UTF-8.
  public func send(_ text: String) {
    send(text.utf8)
  }

  /// Sends a server-sent event (HTML Standard 9.2): data with any number of lines, and optionally a name and an id.
  public func send(event name: String? = nil, data: String, id: String? = nil) {
    var lines: [String] = []
    if let name { lines.append("event: \(Self.line(name))") }
    if let id { lines.append("id: \(Self.line(id))") }
    // A line feed within the data would end the event.
    let text = data.replacing("\r\n", with: "\n").replacing("\r", with: "\n")
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) { lines.append("data: \(line)") }
    send(lines.joined(separator: "\n") + "\n\n")
  }

  /// Ends the response normally; further calls do nothing.
  public func finish() {
    change { $0.end = $0.end ?? .finished }
  }

  /// Ends the response with a fault; further calls do nothing.
  public func fail(_ effect: HTTPFault.Effect = .reset) {
    change { $0.end = $0.end ?? .failed(effect) }
  }

  private static func line(_ text: String) -> String {
    String(text.unicodeScalars.filter { $0 != "\n" && $0 != "\r" })
  }

  private func change(_ body: (inout State) -> Void) {
    let woken = state.withLock { state in
      body(&state)
      return state.waiters.take()
    }
    for wake in woken { wake() }
  }

  // MARK: - Listeners

  package func addListener() { state.withLock { $0.listeners += 1 } }

  package func removeListener() { state.withLock { $0.listeners -= 1 } }

  /// The pieces after the first `count`; if there are none, `wake` is called once when there are more, on the thread that sends them.
  package func news(after count: Int, orWake wake: @escaping @Sendable () -> Void) -> News {
    state.withLock { state in
      if count < state.pieces.count { return .pieces(Array(state.pieces[count...])) }
      if let end = state.end { return .end(end) }
      return .none(state.waiters.add(wake))
    }
  }

  /// Removes a listener that no longer waits.
  package func cancel(_ ticket: Waiters.Ticket) {
    state.withLock { $0.waiters.remove(ticket) }
  }

  package var content: [UInt8] { state.withLock { $0.pieces.flatMap(\.self) } }
}
