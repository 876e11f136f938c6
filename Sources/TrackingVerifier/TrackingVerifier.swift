import Foundation
import TrackingModel
import TrackingServer
import TrackingSockets
import XCTest

/// Receives the events that an app under test tracks, and lets the test wait for them.
///
/// ```swift
/// final class CheckoutTests: XCTestCase {
///   private lazy var verifier = TrackingVerifier(with: self)
///
///   func testTappingTheButtonIsTracked() {
///     verifier.start()
///     let app = XCUIApplication()
///     app.launchEnvironment.merge(verifier.launchEnvironment) { $1 }
///     app.launch()
///     app.buttons["button1"].tap()
///     verifier.wait(for: .init(name: "button_tapped", params: [.eventName: "button1_tapped", .screen: "main_screen"]))
///   }
/// }
/// ```
///
/// Its members may be used from any thread. A `@MainActor` test class sets it as a `lazy var`, or in `setUp() async throws`, because the plain
/// `setUp()` is not isolated to the main actor.
public final class TrackingVerifier: Sendable {
  /// How the verifier was set up.
  public let configuration: Configuration

  let journal: Journal
  private let server: TrackingServer
  /// Whether the server lives and ends with this verifier.
  private let ownsServer: Bool
  private let testCase: TestCaseReference?
  private let host: (any TestHost)?
  private let location: CodeLocation
  private let state: Locked<State>

  private struct State {
    /// Only what came after counts.
    var mark: JournalMark
    /// Where the server listened last; apps have it even while it is stopped.
    var endpoint: TrackingEndpoint?
    var start: CodeLocation?
    var saidThatItIsNotRunning = false
  }

  /// A verifier with a server of its own, for a test that launches its app.
  ///
  /// It holds the test case weakly.
  public init(
    with testCase: XCTestCase,
    configuration: Configuration = .init(),
    fileID: StaticString = #fileID, file: StaticString = #filePath, line: UInt = #line, column: UInt = #column
  ) {
    self.configuration = configuration
    self.testCase = TestCaseReference(testCase)
    host = nil
    server = TrackingServer(configuration: configuration.server)
    journal = server.journal
    ownsServer = true
    location = CodeLocation(fileID: fileID, file: file, line: line, column: column)
    state = Locked(State(mark: .beginning))
  }

  /// A verifier on a server that outlives the test, for several tests of one launched app.
  ///
  /// What the server received before this moment does not count. `start()` starts the server if it is not running; `stop()` leaves it running.
  /// It holds the test case weakly.
  public init(
    with testCase: XCTestCase,
    server: TrackingServer,
    fileID: StaticString = #fileID, file: StaticString = #filePath, line: UInt = #line, column: UInt = #column
  ) {
    configuration = Configuration(server: server.configuration)
    self.testCase = TestCaseReference(testCase)
    host = nil
    self.server = server
    journal = server.journal
    ownsServer = false
    location = CodeLocation(fileID: fileID, file: file, line: line, column: column)
    state = Locked(State(mark: server.journal.mark()))
  }

  /// A verifier for a test of another framework than XCTest.
  ///
  /// With a host its server starts when it is first needed; without, when `start()` says so.
  package init(configuration: Configuration, host: (any TestHost)?) {
    self.configuration = configuration
    testCase = nil
    self.host = host
    server = TrackingServer(configuration: configuration.server)
    journal = server.journal
    ownsServer = true
    location = .wholeTest
    state = Locked(State(mark: .beginning))
  }
}

// MARK: - Life cycle

extension TrackingVerifier {
  /// Starts the server and returns when it listens; at the end of the test it is stopped.
  ///
  /// Once started, it goes on.
  ///
  /// A server that cannot start fails the test with the cause.
  public func start(
    fileID: StaticString = #fileID, file: StaticString = #filePath, line: UInt = #line, column: UInt = #column
  ) {
    start(at: CodeLocation(fileID: fileID, file: file, line: line, column: column))
  }

  private func start(at location: CodeLocation) {
    if let host, !host.mayStartServer() {
      report(.notStarted, "The test of this tracking verifier is over, so its server does not start.", at: location)
      return
    }
    do throws(ServerError) {
      try server.start()
    } catch {
      report(.notStarted, "The tracking verifier could not start: \(error).", at: location)
      return
    }
    let isFirstStart = state.withLock { state in
      state.endpoint = server.endpoint
      defer { state.start = location }
      return state.start == nil
    }
    if isFirstStart {
      // Strongly: what a verifier has to say at its stop is said even if the test has let go of it.
      testCase?.value?.addTeardownBlock { self.stop() }
    }
  }

  /// Stops the server and returns when its thread and sockets are gone; what was received stays.
  ///
  /// Not running, it does nothing.
  public func stop() {
    if ownsServer { server.stop() }
    let start = state.withLock { $0.start } ?? (host == nil ? nil : location)
    let refused = journal.refusedAsFull
    if refused > 0, ownsServer, let start {
      let submissions = refused == 1 ? "1 submission was" : "\(refused) submissions were"
      report(.journalFull, "\(submissions) refused: \(journal.fullReason).", at: start)
    }
  }

  /// Forgets what was received; from here on only what comes counts.
  ///
  /// Senders keep their connections.
  public func reset() {
    let mark = ownsServer ? journal.removeAll() : journal.mark()
    state.withLock { $0.mark = mark }
  }
}

// MARK: - What the app is given

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
  public var launchEnvironment: [String: String] { endpoint.environment }

  /// The same as launch arguments, for apps that are launched without an environment.
  public var launchArguments: [String] { endpoint.launchArguments }

  /// Takes events of this process, for unit tests: needs no `start()` and opens no socket.
  public var tracker: some TrackerProtocol {
    host?.tracksInProcess()
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

// MARK: - What was received

extension TrackingVerifier {
  /// The events that were received so far, in the order of arrival.
  public var events: [TrackingEvent] {
    journal.events(from: mark.event).map(\.event)
  }

  /// The values of one param in all events that have it, in the order of arrival.
  public func values(for param: TrackingParam) -> [TrackingValue] {
    events.compactMap { $0.params[param] }
  }

  /// What came before does not count.
  var mark: JournalMark {
    state.withLock { $0.mark }
  }

  /// Where an app could have connected; `nil` when no app was ever given an endpoint.
  var lastEndpoint: TrackingEndpoint? {
    state.withLock { $0.endpoint }
  }

  func report(_ kind: VerificationFailure.Kind, _ message: String, at location: CodeLocation) {
    let failure = VerificationFailure(kind: kind, message: message, location: location)
    if let testCase, !testCase.isRun, configuration.reporter is XCTestReporter {
      LostFailure.report(failure)
    }
    configuration.reporter.report(failure)
  }
}

/// A test case, held weakly.
///
/// `@unchecked Sendable`: the reference is set once, and reading a weak reference is safe on any thread.
private final class TestCaseReference: @unchecked Sendable {
  private(set) weak var value: XCTestCase?

  init(_ value: XCTestCase) {
    self.value = value
  }

  /// Whether XCTest has run it, so that there is something that can fail.
  var isRun: Bool { value?.testRun != nil }
}
