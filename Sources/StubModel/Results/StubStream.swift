import Foundation

/// A body that a test writes while the app listens.
///
/// ```swift
/// let prices = verifier.stub(.get, "/prices", .eventStream)
/// prices.send(event: "price", data: "42")
/// prices.finish()
/// ```
///
/// Every request for the stub gets everything that was sent, from the beginning, so it doesn't matter whether the app is connected already.
/// All members may be used from any thread.
public final class StubStream: Codable, @unchecked Sendable {
  /// The head of a stream's answer.
  public struct Opening: Hashable, Sendable {
    /// The status.
    public var status = 200
    /// The header fields; `Content-Type` is one of them.
    public var headers: HeaderFields

    /// A stream of bytes.
    public static let stream = Opening(headers: ["Content-Type": "application/octet-stream"])
    /// Server-sent events, which browsers read with `EventSource`.
    public static let eventStream = Opening(headers: ["Content-Type": "text/event-stream", "Cache-Control": "no-cache"])

    /// A stream of a media type.
    public static func stream(type: String, status: Int = 200) -> Opening {
      Opening(status: status, headers: ["Content-Type": type])
    }

    /// The same with a header field, which replaces those of that name.
    public func with(header name: String, _ value: String) -> Opening {
      var opening = self
      opening.headers.set(name, value)
      return opening
    }
  }

  /// How a stream has ended.
  package enum End: Hashable, Sendable {
    case finished
    case failed(HTTPFault.Effect)
  }

  /// Identifies a listener that has read everything and waits for more.
  package struct Ticket: Hashable, Sendable {
    fileprivate let number: Int
  }

  /// What a listener hasn't read yet.
  package enum News {
    case pieces([[UInt8]])
    case end(End)
    /// Nothing; the listener is called when there is more.
    case none(Ticket)
  }

  // `@unchecked Sendable`: the lock guards everything below.
  private let lock = NSLock()
  private var pieces: [[UInt8]] = []
  private var end: End?
  private var waiters: [Int: @Sendable () -> Void] = [:]
  private var next = 0
  private var open = 0

  /// A stream to which nothing has been sent.
  public init() {}

  /// Fails: a stream exists in one process only.
  public init(from decoder: any Decoder) throws {
    throw DecodingError.dataCorrupted(
      DecodingError.Context(codingPath: decoder.codingPath, debugDescription: "a stream can't be decoded"))
  }

  /// Fails: a stream exists in one process only.
  public func encode(to encoder: any Encoder) throws {
    throw EncodingError.invalidValue(
      self,
      EncodingError.Context(
        codingPath: encoder.codingPath, debugDescription: "a stream exists in this process only"))
  }

  /// The number of requests that are being answered with the stream.
  public var listeners: Int { lock.withLock { open } }

  /// Sends bytes to all listeners, present and future; a stream that has ended ignores them.
  public func send(_ data: some Sequence<UInt8>) {
    let piece = Array(data)
    guard !piece.isEmpty else { return }
    change { if end == nil { pieces.append(piece) } }
  }

  /// Sends text in UTF-8.
  public func send(_ text: String) {
    send(text.utf8)
  }

  /// Sends a server-sent event (HTML Standard 9.2): data of any number of lines, and optionally its name and id.
  public func send(event name: String? = nil, data: String, id: String? = nil) {
    var lines: [String] = []
    if let name { lines.append("event: \(Self.line(name))") }
    if let id { lines.append("id: \(Self.line(id))") }
    // A line feed within the data would end the event.
    let text = data.replacing("\r\n", with: "\n").replacing("\r", with: "\n")
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) { lines.append("data: \(line)") }
    send(lines.joined(separator: "\n") + "\n\n")
  }

  /// Ends the answer regularly; further calls do nothing.
  public func finish() {
    change { end = end ?? .finished }
  }

  /// Ends the answer with a fault; further calls do nothing.
  public func fail(_ effect: HTTPFault.Effect = .reset) {
    change { end = end ?? .failed(effect) }
  }

  private static func line(_ text: String) -> String {
    String(text.unicodeScalars.filter { $0 != "\n" && $0 != "\r" })
  }

  private func change(_ body: () -> Void) {
    let woken = lock.withLock {
      body()
      defer { waiters = [:] }
      return waiters.sorted { $0.key < $1.key }.map(\.value)
    }
    for wake in woken { wake() }
  }

  // MARK: - Listeners

  /// Counts a listener.
  package func addListener() { lock.withLock { open += 1 } }

  /// Stops counting a listener.
  package func removeListener() { lock.withLock { open -= 1 } }

  /// The pieces after the first `count`.
  ///
  /// - Parameter wake: Called once when there is more, from the thread that sends it.
  package func news(after count: Int, orWake wake: @escaping @Sendable () -> Void) -> News {
    lock.withLock {
      if count < pieces.count { return .pieces(Array(pieces[count...])) }
      if let end { return .end(end) }
      defer { next += 1 }
      waiters[next] = wake
      return .none(Ticket(number: next))
    }
  }

  /// Removes a listener that no longer waits.
  package func cancel(_ ticket: Ticket) {
    lock.withLock { waiters[ticket.number] = nil }
  }

  /// Everything that has been sent so far.
  package var content: [UInt8] { lock.withLock { pieces.flatMap { $0 } } }
}

extension StubStream: Hashable {
  /// Whether both are the same stream.
  public static func == (left: StubStream, right: StubStream) -> Bool { left === right }

  /// Hashes the stream's identity.
  public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
