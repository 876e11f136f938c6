import Foundation
import TrackingModel
import TrackingSockets

/// An HTTP server on this machine's loopback addresses that records the events posted to it.
///
/// ```swift
/// let server = TrackingServer()
/// try server.start()
/// app.launchEnvironment.merge(server.endpoint?.launchEnvironment ?? [:]) { $1 }
/// // ... `server.journal.events` has what the app tracked.
/// server.stop()
/// ```
///
/// The server runs on one thread and calls the test's closures on others. All members may be used from any thread. A `TrackingVerifier` has its own
/// server; create one yourself to share it among tests.
public final class TrackingServer: Sendable {
  /// The server's configuration.
  package let configuration: Configuration
  /// The received events and requests, kept when the server stops and starts again.
  public let journal: TrackingJournal
  /// The session's token, kept when the server stops and starts again.
  let session: String
  package let stubs = StubStore()
  /// The owner of the formats accepted by `TrackingServer.accept`.
  let formatOwner: StubStore.Owner

  /// The tests' notes for the inspector; `nil` if it isn't linked.
  package let notes = TrackingServer.makeNotes()
  /// The page under `/-tracking/`; empty until an inspector is opened.
  package let page = PageSlot(nil)
  /// The checks under `/-tracking/v1/`; empty unless the command sets them.
  package let checks = PageSlot(nil)
  /// A recorded or real backend; empty without a recording.
  package let backend = BackendSlot(nil)

  private let lifecycle = NSLock()
  private let state = Locked(State())

  private struct State {
    var thread: ServerThread?
    /// The last port, used again by a restart because apps know it.
    var port: UInt16?
    var endpoint: TrackingEndpoint?
  }

  /// Creates a server that doesn't listen yet.
  public init(configuration: Configuration = .init()) {
    self.configuration = configuration
    journal = TrackingJournal(
      limits: configuration.limits, keepsResponses: notes != nil, vocabulary: configuration.vocabulary)
    session = configuration.session ?? UUID.random().uuidString.lowercased()
    formatOwner = stubs.makeOwner()
  }

  deinit {
    state.withLock(\.thread)?.stop()
  }

  /// Starts listening, and returns when the sockets listen.
  ///
  /// Calling it again does nothing. A server that was stopped listens on its former port.
  ///
  /// - Throws: ``TrackingServerError`` with the address and the system's error number, if the port is in use or a system call fails.
  public func start() throws(TrackingServerError) {
    lifecycle.lock()
    defer { lifecycle.unlock() }
    if let thread = state.withLock(\.thread) {
      guard thread.isStopping else { return }
      endThread(thread)
    }
    guard Self.isPlainToken(session) else { throw TrackingServerError(.invalidSession(session)) }
    if let path = configuration.eventPath, !Self.isPath(path) { throw TrackingServerError(.invalidEventPath(path)) }
    let lastPort = state.withLock { $0.port }
    let port = lastPort ?? configuration.port
    do throws(SocketError) {
      let thread = try startThread(port: port)
      let path = configuration.eventPath.flatMap { $0 == "/" ? nil : $0 } ?? ""
      let endpoint = URL(string: "http://\(thread.address)\(path)").map { TrackingEndpoint(url: $0, session: session) }
      state.withLock { $0 = State(thread: thread, port: thread.address.port, endpoint: endpoint) }
    } catch {
      throw TrackingServerError(error, port: port, isRestart: lastPort != nil)
    }
  }

  /// Stops listening and closes every connection; returns when the thread has ended.
  ///
  /// Does nothing if the server isn't running.
  public func stop() {
    // Releasing a waiter's object may stop the server on the server's own thread, which can't wait for itself.
    if let thread = state.withLock(\.thread), thread.isCurrent {
      thread.requestStop()
      return
    }
    lifecycle.lock()
    defer { lifecycle.unlock() }
    if let thread = state.withLock(\.thread) { endThread(thread) }
  }

  /// The thread stays in the state until it has ended, so that `stop()` recognizes it.
  private func endThread(_ thread: ServerThread) {
    thread.stop()
    state.withLock { $0.thread = nil }
  }

  /// The URL and the session's token; `nil` while the server isn't running.
  ///
  /// The URL's host is `[::1]`, or `127.0.0.1` on a machine without IPv6.
  public var endpoint: TrackingEndpoint? {
    state.withLock { $0.thread?.isStopping == false ? $0.endpoint : nil }
  }

  /// The current or last endpoint, which apps may still use; `nil` if the server was never started.
  package var lastEndpoint: TrackingEndpoint? { state.withLock(\.endpoint) }

  /// Whether a text is a path without alternative spellings.
  private static func isPath(_ text: String) -> Bool {
    text.hasPrefix("/")
      && text.split(separator: "/").allSatisfy { isPlainToken(String($0)) && $0 != "." && $0 != ".." }
  }

  /// Whether a text is a token (RFC 9110 5.6.2) without characters that cause trouble in launch environments and logs.
  private static func isPlainToken(_ text: String) -> Bool {
    !text.isEmpty && text.utf8.allSatisfy { $0.isLetterOrDigit || "-._".utf8.contains($0) }
  }
}
