import Foundation
import TrackingModel

extension TrackingVerifier {
  /// Where the verifier listens.
  ///
  /// Before a successful `start()` the test fails and nothing answers there, so that an app that is launched all the same does not fall back to
  /// the real provider. In a test of Swift Testing the first use starts the server.
  public var endpoint: TrackingEndpoint {
    startForHost()
    if let endpoint = server.endpoint ?? state.withLock({ $0.endpoint }) { return endpoint }
    let isNews = state.withLock { state in
      defer { state.saidThatItIsNotRunning = true }
      return !state.saidThatItIsNotRunning
    }
    if isNews {
      report(
        .notStarted,
        """
        The endpoint of a tracking verifier was asked for before it was started: call start() first. \
        The app gets an endpoint that nothing answers.
        """, at: location)
    }
    return Self.unanswered
  }

  /// What to put into the environment of the app before it is launched: `app.launchEnvironment.merge(verifier.launchEnvironment) { $1 }`.
  ///
  /// With the ``Configuration/endpointVariables`` that are no launch arguments.
  public var launchEnvironment: [String: String] {
    endpoint.environment.merging(ownVariables.filter { !$0.key.hasPrefix("-") }) { $1 }
  }

  /// The same as launch arguments, for apps that are launched without an environment, with the ``Configuration/endpointVariables`` that begin with a `-`.
  public var launchArguments: [String] {
    let own = ownVariables.filter { $0.key.hasPrefix("-") }.sorted { $0.key < $1.key }
    return endpoint.launchArguments + own.flatMap { [$0.key, $0.value] }
  }

  private var ownVariables: [String: String] {
    guard !configuration.endpointVariables.isEmpty else { return [:] }
    let baseURL = baseURL
    return configuration.endpointVariables.mapValues { $0.value(of: baseURL) }
  }

  /// Takes events of this process, for unit tests: needs no `start()` and opens no socket.
  public var tracker: some TrackerProtocol {
    host?.tracksInProcess()
    stopAtTheEndOfTheTest()
    return InProcessTracker(journal: journal)
  }

  private func startForHost() {
    guard host != nil, state.withLock({ $0.endpoint == nil && !$0.saidThatItIsNotRunning }) else { return }
    start(at: location)
    // A start that failed has said why, and is not tried again.
    state.withLock { $0.saidThatItIsNotRunning = true }
  }

  /// Port 1 is reserved (RFC 6335 6, `tcpmux`), and listening on it takes privileges; a double refuses the other URL aloud.
  private static let unanswered = TrackingEndpoint(url: URL(string: "http://127.0.0.1:1") ?? URL(filePath: "/"))
}
