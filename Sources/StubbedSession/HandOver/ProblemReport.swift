import Foundation

/// Tells the verifier that launched the app what is wrong with its stubs, so that the test fails with the reason.
///
/// As well as can be: nobody is told when it fails. The log has the same text.
struct ProblemReport: Sendable {
  private let endpoint: TrackingEndpoint

  /// `nil` when no verifier on this machine has launched the process.
  init?(_ arguments: [String], _ environment: [String: String]) {
    guard
      let endpoint = TrackingEndpoint(environment: environment) ?? TrackingEndpoint(arguments: arguments),
      let host = endpoint.url.host(percentEncoded: false), Self.loopbackHosts.contains(host)
    else { return nil }
    self.endpoint = endpoint
  }

  /// Begins to tell, and returns; the group is left when it is done, be it in vain.
  func send(_ text: String, _ group: DispatchGroup) {
    guard let request = request(text) else { return }
    group.enter()
    let configuration = URLSessionConfiguration.ephemeral
    configuration.timeoutIntervalForRequest = 5
    let session = URLSession(configuration: configuration)
    session.dataTask(with: request) { _, _, _ in group.leave() }.resume()
    session.finishTasksAndInvalidate()
  }

  func request(_ text: String) -> URLRequest? {
    guard var components = URLComponents(url: endpoint.url, resolvingAgainstBaseURL: true) else { return nil }
    // swift-corelibs-foundation#5496: on Linux no IPv6 literal is taken. The server listens on both addresses.
    components.host = "127.0.0.1"
    components.path = WirePath.problem.description
    guard let url = components.url else { return nil }
    var request = URLRequest(url: url)
    request.httpMethod = "POST"
    request.httpBody = Data(text.utf8)
    request.setValue("text/plain; charset=utf-8", forHTTPHeaderField: "Content-Type")
    request.setValue(endpoint.session, forHTTPHeaderField: WireField.session)
    return request
  }

  private static let loopbackHosts: Set<String> = ["::1", "[::1]", "127.0.0.1", "localhost"]
}
