import Foundation
import TrackingModel
import TrackingServer

extension TrackingVerifier {
  /// The verifier's address.
  ///
  /// The first use starts the server, and returns when it listens. A server that can't start fails the test once, where the verifier was created;
  /// nothing listens at the returned address, so that the app doesn't use the real provider. After `stop()`, the last address is returned; only
  /// `start()` starts the server again.
  public var endpoint: TrackingEndpoint {
    startAtFirstUse()
    return server.lastEndpoint ?? Self.withoutServer
  }

  /// The environment to launch the app with: `app.launchEnvironment.merge(verifier.launchEnvironment) { $1 }`.
  ///
  /// Starts the server like ``endpoint``. Includes the ``Configuration/endpointVariables`` that aren't launch arguments.
  public var launchEnvironment: [String: String] {
    noteLaunch()
    return endpoint.launchEnvironment.merging(ownVariables.filter { !$0.key.hasPrefix("-") }) { $1 }
  }

  /// Launch arguments for an app that can't have a launch environment; pass either these or ``launchEnvironment``.
  ///
  /// Starts the server like ``endpoint``. Includes the ``Configuration/endpointVariables`` that begin with `-`.
  public var launchArguments: [String] {
    noteLaunch()
    let own = ownVariables.filter { $0.key.hasPrefix("-") }.sorted { $0.key < $1.key }
    return endpoint.launchArguments + own.flatMap { [$0.key, $0.value] }
  }

  /// The URL for the app's backend: `http://localhost:50123`.
  ///
  /// Starts the server like ``endpoint``. The host is a name, unlike in ``endpoint``: App Transport Security refuses plain `http` to IP addresses by
  /// default, and some HTTP clients don't accept IPv6 addresses.
  public var baseURL: URL {
    let endpoint = endpoint.url
    var parts = URLComponents()
    parts.scheme = "http"
    parts.host = "localhost"
    parts.port = endpoint.port
    return parts.url ?? endpoint
  }

  private var ownVariables: [String: String] {
    guard !configuration.endpointVariables.isEmpty else { return [:] }
    let baseURL = baseURL
    return configuration.endpointVariables.mapValues { $0.value(of: baseURL) }
  }

  /// A tracker for events of the test process, in unit tests; opens no socket.
  public var tracker: some TrackerProtocol {
    host?.tracksInProcess()
    state.withLock { $0.life.tracks = true }
    use()
    return InProcessTracker(journal: journal)
  }

  private func noteLaunch() {
    if let testCase {
      PassedLaunches.shared.note(PassedLaunches.Launch(server: server, testCase: testCase, location: startLocation))
    }
  }

  /// The line that started another verifier of this test, if its launch environment was also passed to an app.
  var rivalLaunch: String? {
    testCase.flatMap { PassedLaunches.shared.rival(of: server, in: $0)?.location.shortText }
  }

  /// Port 1 is reserved (RFC 6335 6, `tcpmux`), and listening on it requires privileges; a double refuses and logs any other URL.
  private static let withoutServer = TrackingEndpoint(url: URL(string: "http://127.0.0.1:1") ?? URL(filePath: "/"))
}

/// The verifiers of running tests whose launch environment was passed to an app.
private final class PassedLaunches: Sendable {
  struct Launch: Sendable {
    let server: TrackingServer
    let testCase: TestCaseReference
    let location: CodeLocation
  }

  static let shared = PassedLaunches()

  private let all = Locked<[Launch]>([])

  func note(_ launch: Launch) {
    all.withLock { all in
      all.removeAll { !$0.testCase.isRunning || $0.server === launch.server }
      all.append(launch)
    }
  }

  func rival(of server: TrackingServer, in testCase: TestCaseReference) -> Launch? {
    all.withLock { $0.last { $0.server !== server && $0.testCase.value === testCase.value } }
  }
}

/// The part of a verifier's address in one of the app's own variables.
public struct EndpointVariable: Hashable, Sendable {
  private enum Part {
    case port, url
  }

  private let part: Part

  /// The port: `50123`.
  public static let port = Self(part: .port)
  /// The URL: `http://localhost:50123`.
  public static let url = Self(part: .url)

  func value(of baseURL: URL) -> String {
    switch part {
    case .port: baseURL.port.map { "\($0)" } ?? ""
    case .url: baseURL.absoluteString
    }
  }
}

/// Records events in a journal of the same process, without a socket.
struct InProcessTracker: TrackerProtocol {
  let journal: TrackingJournal

  func trackEvent(_ event: TrackingEvent) {
    // In the form in which a socket delivers it, so that a closure sees equal values of both.
    journal.record(event.canonical)
  }
}
