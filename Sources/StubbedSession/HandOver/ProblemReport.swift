import Foundation
import TrackingSockets

/// Tells the verifier that launched the app what is wrong with its stubs, so that the test fails with that reason.
///
/// It uses a socket because App Transport Security may refuse a `URLSession` plain `http` to an IP address. If the verifier
/// cannot be reached, the same text is still in the app's log.
struct ProblemReport: Sendable {
  private let endpoint: TrackingEndpoint
  private let addresses: [LoopbackAddress]
  /// Seconds until an unanswered report is given up.
  private static let patience = 5.0

  /// `nil` unless a verifier on this machine launched the process.
  init?(_ arguments: [String], _ environment: [String: String]) {
    guard let endpoint = TrackingEndpoint(environment: environment) ?? TrackingEndpoint(arguments: arguments),
      let host = endpoint.url.host(percentEncoded: false), let port = UInt16(exactly: endpoint.url.port ?? 80)
    else { return nil }
    self.endpoint = endpoint
    addresses = LoopbackAddress.named(host, port: port)
    if addresses.isEmpty { return nil }
  }

  /// Starts sending and returns at once; leaves the group when the report has arrived or failed.
  func send(_ text: String, _ group: DispatchGroup) {
    group.enter()
    DispatchQueue.global().async {
      post(text)
      group.leave()
    }
  }

  private func post(_ text: String) {
    let deadline = ContinuousClock.now + .seconds(Self.patience)
    for address in addresses {
      guard let socket = try? Socket.connected(to: address, until: deadline) else { continue }
      defer { socket.close() }
      var unsent = Array(request(text).utf8)[...]
      while !unsent.isEmpty {
        guard socket.wait(for: Int32(POLLOUT), until: deadline) else { return }
        switch unsent.withUnsafeBytes(socket.send) {
        case .bytes(let count): unsent.removeFirst(count)
        case .wouldBlock: continue
        case .closed, .failed: return
        }
      }
      // The server answers after it has recorded the problem.
      _ = socket.wait(for: Int32(POLLIN), until: deadline)
      return
    }
  }

  /// The whole request, as it is sent.
  func request(_ text: String) -> String {
    var lines = [
      "POST \(WirePath.problem) HTTP/1.1", "Host: localhost", "Connection: close",
      "Content-Type: text/plain; charset=utf-8", "Content-Length: \(text.utf8.count)",
    ]
    // A token that could end its field is not one that a verifier handed over.
    if let session = endpoint.session, session.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) {
      lines.append("\(WireField.session): \(session)")
    }
    return lines.map { $0 + "\r\n" }.joined() + "\r\n" + text
  }
}
