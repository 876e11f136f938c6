import TrackingModel
import Foundation
import TrackingSockets

/// Reports to the verifier that launched the app: what is wrong with its stubs, and what its sessions are asked.
///
/// It uses plain sockets, because App Transport Security would keep a session from calling a local server. A report that doesn't arrive is lost,
/// and the app continues.
final class VerifierChannel: Sendable {
  private let addresses: [SocketAddress]
  private let session: String?
  /// Whether a report took too long, so that no more are sent.
  private let isBroken = Locked(false)

  /// The most seconds that a report may take.
  private static let patience = 2

  /// `nil` if no verifier on this machine launched the process.
  init?(_ arguments: [String], _ environment: [String: String]) {
    guard
      let endpoint = TrackingEndpoint(environment: environment) ?? TrackingEndpoint(arguments: arguments),
      let port = UInt16(exactly: endpoint.url.port ?? 80)
    else { return nil }
    addresses = SocketAddress.named(endpoint.url.host() ?? "", port: port)
    session = endpoint.session
    guard !addresses.isEmpty, session?.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) != false else { return nil }
  }

  /// Reports a problem, which fails the test.
  func report(problem: String) {
    post(Array(problem.utf8), to: WirePath.problem.description, type: "text/plain; charset=utf-8")
  }

  /// Reports a request and how it was answered.
  func report(_ request: ReportedRequest) {
    guard let body = try? JSONEncoder().encode(request) else { return }
    post([UInt8](body), to: WirePath.requests.description, type: "application/json")
  }

  /// Sends a request and waits for any answer.
  private func post(_ body: [UInt8], to path: String, type: String) {
    guard !isBroken.withLock({ $0 }) else { return }
    let deadline = ContinuousClock.now + .seconds(Self.patience)
    let fields = [
      "POST \(path) HTTP/1.1", "Host: localhost", "Content-Type: \(type)", "Content-Length: \(body.count)",
      "Connection: close",
    ]
    let head = (fields + [session.map { "\(WireField.session): \($0)" }].compactMap(\.self)).joined(separator: "\r\n")
    let isInTime = exchange(Array("\(head)\r\n\r\n".utf8) + body, until: deadline)
    if !isInTime { isBroken.withLock { $0 = true } }
  }

  /// - Returns: `false` if the time was up.
  private func exchange(_ request: [UInt8], until deadline: ContinuousClock.Instant) -> Bool {
    for address in addresses {
      // Without a server, the connection is refused at once.
      guard let socket = try? Socket.connected(to: address, until: deadline) else { continue }
      defer { socket.close() }
      var unsent = request[...]
      var space = [UInt8](repeating: 0, count: 1_024)
      while true {
        if !unsent.isEmpty, case .bytes(let count) = unsent.withUnsafeBytes(socket.send) { unsent.removeFirst(count) }
        switch space.withUnsafeMutableBytes(socket.receive) {
        case .bytes, .closed, .failed: return true
        case .wouldBlock: break
        }
        let events = unsent.isEmpty ? POLLIN : POLLIN | POLLOUT
        guard socket.wait(for: Int32(events), until: deadline) else { return false }
      }
    }
    return ContinuousClock.now < deadline
  }
}
