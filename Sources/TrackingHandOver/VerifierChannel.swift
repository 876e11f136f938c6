import Foundation
import TrackingModel
import TrackingSockets

/// The way back to the verifier that launched the app: for problems with the launch, and for what stubbed sessions are asked.
///
/// It uses plain sockets, because App Transport Security would keep a session from calling a local server. A report that doesn't arrive is lost,
/// and the app continues.
package final class VerifierChannel: Sendable {
  private let addresses: [SocketAddress]
  private let session: String?
  /// Whether a report took too long, so that no more are sent.
  private let isBroken = Locked(false)

  /// The most seconds that a report may take.
  private static let patience = 2
  /// The most bytes of an answer that are read.
  private static let longestAnswer = 4_096

  /// `nil` if no verifier on this machine launched the process.
  package convenience init?(_ arguments: [String], _ environment: [String: String]) {
    self.init(TrackingEndpoint(environment: environment) ?? TrackingEndpoint(arguments: arguments))
  }

  /// `nil` if the launch is not that of a verifier on this machine.
  convenience init?(_ launch: HandedOverLaunch) {
    self.init(launch.endpoint)
  }

  private init?(_ endpoint: TrackingEndpoint?) {
    guard let endpoint, let port = UInt16(exactly: endpoint.url.port ?? 80) else { return nil }
    addresses = SocketAddress.named(endpoint.url.host() ?? "", port: port)
    session = endpoint.session
    guard !addresses.isEmpty, session?.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) != false else { return nil }
  }

  /// Reports a problem, which fails the test.
  package func report(problem: String) {
    post(Array(problem.utf8), to: WirePath.problem.description, type: "text/plain; charset=utf-8")
  }

  /// Reports a request of a stubbed session and its answer.
  package func report(request: some Encodable) {
    guard let body = try? JSONEncoder().encode(request) else { return }
    post([UInt8](body), to: WirePath.requests.description, type: "application/json")
  }

  /// Whether the verifier answers to the session's token, so that its test is still running.
  package func isAnswered(until deadline: ContinuousClock.Instant) -> Bool {
    guard let session else { return false }
    let request = request([], to: WirePath.session.description, type: "text/plain")
    let answer = exchange(request, until: deadline) { $0.contains("\r\n\r\n") }
    return answer?.lowercased().contains("\r\n\(WireField.session): \(session)\r\n".lowercased()) ?? false
  }

  /// Sends a request and waits for any answer.
  private func post(_ body: [UInt8], to path: String, type: String) {
    guard !isBroken.withLock({ $0 }) else { return }
    let deadline = ContinuousClock.now + .seconds(Self.patience)
    let answer = exchange(request(body, to: path, type: type), until: deadline) { _ in true }
    if answer == nil { isBroken.withLock { $0 = true } }
  }

  private func request(_ body: [UInt8], to path: String, type: String) -> [UInt8] {
    let fields = [
      "POST \(path) HTTP/1.1", "Host: localhost", "Content-Type: \(type)", "Content-Length: \(body.count)",
      "Connection: close",
    ]
    let head = (fields + [session.map { "\(WireField.session): \($0)" }].compactMap(\.self)).joined(separator: "\r\n")
    return Array("\(head)\r\n\r\n".utf8) + body
  }

  /// Sends a request and receives until the answer suffices, or has ended.
  ///
  /// - Returns: The received text; `nil` if the time was up.
  private func exchange(
    _ request: [UInt8], until deadline: ContinuousClock.Instant, suffices: (String) -> Bool
  ) -> String? {
    for address in addresses {
      // Without a server, the connection is refused at once.
      guard let socket = try? Socket.connected(to: address, until: deadline) else { continue }
      defer { socket.close() }
      var unsent = request[...]
      var received: [UInt8] = []
      var space = [UInt8](repeating: 0, count: 1_024)
      while true {
        if !unsent.isEmpty, case .bytes(let count) = unsent.withUnsafeBytes(socket.send) { unsent.removeFirst(count) }
        switch space.withUnsafeMutableBytes(socket.receive) {
        case .bytes(let count):
          received += space[..<count]
          let text = String(decoding: received, as: UTF8.self)
          if suffices(text) || received.count > Self.longestAnswer { return text }
          continue
        case .closed, .failed: return String(decoding: received, as: UTF8.self)
        case .wouldBlock: break
        }
        let events = unsent.isEmpty ? POLLIN : POLLIN | POLLOUT
        guard socket.wait(for: Int32(events), until: deadline) else { return nil }
      }
    }
    return ContinuousClock.now < deadline ? "" : nil
  }
}
