import Foundation
import TrackingModel
import TrackingSockets

/// Reports to the verifier that launched the app: problems with the launch, large stub tables, and the requests of stubbed sessions.
///
/// Uses plain sockets, because App Transport Security would keep a session from calling a local server. A report that doesn't arrive is lost, and
/// the app continues.
package final class VerifierChannel: Sendable {
  private let addresses: [SocketAddress]
  private let session: String?
  /// Whether a report took too long; no more are sent then.
  private let isBroken = Locked(false)

  /// The most seconds for a report.
  private static let patience = 2
  /// The most seconds for a stub table; iOS terminates an app whose launch takes 20 seconds.
  private static let patienceForTables = 10

  /// `nil` if no verifier on this machine launched the process.
  package convenience init?(_ arguments: [String], _ environment: [String: String]) {
    self.init(TrackingEndpoint(environment: environment) ?? TrackingEndpoint(arguments: arguments))
  }

  convenience init?(_ launch: PassedLaunch) {
    self.init(launch.endpoint)
  }

  private init?(_ endpoint: TrackingEndpoint?) {
    guard let endpoint, let port = UInt16(exactly: endpoint.url.port ?? 80) else { return nil }
    addresses = SocketAddress.named(endpoint.url.host() ?? "", port: port)
    session = endpoint.session
    guard !addresses.isEmpty, session?.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) != false else { return nil }
  }

  /// Fails the test.
  package func report(problem: String) {
    post(Array(problem.utf8), to: WirePath.problem, type: "text/plain; charset=utf-8")
  }

  /// Returns the request's number in the journal if the verifier records the sending of its delayed response.
  @discardableResult
  package func report(request: some Encodable) -> String? {
    guard let body = try? JSONEncoder().encode(request) else { return nil }
    let response = post([UInt8](body), to: WirePath.requests, type: "application/json")
    return response.flatMap { $0.status == 200 ? String(decoding: $0.body, as: UTF8.self) : nil }
  }

  /// Reports that the app gets the delayed response to a request now.
  package func report(responseTo number: String) {
    post(Array(number.utf8), to: WirePath.responses, type: "text/plain; charset=utf-8")
  }

  /// The stub table that the verifier keeps under a name; `nil` if the verifier doesn't send it; blocks its thread for at most 10 seconds.
  package func table(named name: String) -> Data? {
    let deadline = ContinuousClock.now + .seconds(Self.patienceForTables)
    let response = response(
      to: Array(name.utf8), at: WirePath.stubs, type: "text/plain; charset=utf-8", until: deadline, bodyLimit: .max)
    return response.flatMap { $0.status == 200 ? Data($0.body) : nil }
  }

  /// Whether the verifier accepts the session's token: its test is still running.
  package func verifierResponds(until deadline: ContinuousClock.Instant) -> Bool {
    guard let session else { return false }
    return response(to: [], at: WirePath.session, type: "text/plain", until: deadline)?.session == session
  }

  /// Waits for any response.
  @discardableResult
  private func post(_ body: [UInt8], to path: StaticString, type: String) -> ReceivedResponse? {
    guard !isBroken.withLock({ $0 }) else { return nil }
    let deadline = ContinuousClock.now + .seconds(Self.patience)
    let response = response(to: body, at: path, type: type, until: deadline)
    // Without a server, the connection is refused at once.
    if response == nil, ContinuousClock.now >= deadline { isBroken.withLock { $0 = true } }
    return response
  }

  private func response(
    to body: [UInt8], at path: StaticString, type: String, until deadline: ContinuousClock.Instant,
    bodyLimit: Int = 65_536
  ) -> ReceivedResponse? {
    let fields = [
      "POST \(path) HTTP/1.1", "Host: localhost", "Content-Type: \(type)", "Content-Length: \(body.count)",
      "Connection: close",
    ]
    let head = (fields + [session.map { "\(WireField.session): \($0)" }].compactMap(\.self)).joined(separator: "\r\n")
    return try? HTTPConnection(to: addresses).exchange(
      Array("\(head)\r\n\r\n".utf8) + body, until: deadline, bodyLimit: bodyLimit)
  }
}
