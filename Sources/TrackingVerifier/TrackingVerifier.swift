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
  /// Which events the test has asked for.
  let claims: ClaimLedger
  private let server: TrackingServer
  /// Whether the server lives and ends with this verifier.
  private let ownsServer: Bool
  private let testCase: TestCaseReference?
  private let host: (any TestHost)?
  private let location: CodeLocation
  private let state: Locked<State>

  private struct State {
    /// Only what came after counts.
    var beginning: JournalMark
    /// Where the server listened last; apps have it even while it is stopped.
    var endpoint: TrackingEndpoint?
    var start: CodeLocation?
    var saidThatItIsNotRunning = false
    /// Whether the end of the test will stop it.
    var stopsAtTheEnd = false
    /// Up to where the checks at the stop have looked.
    var checked: JournalMark?
    /// How many refused submissions have been told.
    var toldAsFull = 0
    /// The expectations that events may still fulfil.
    var expectations: [EventExpectation] = []
    var attachmentTitle: String?
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
    claims = ClaimLedger(of: server.journal)
    ownsServer = true
    location = CodeLocation(fileID: fileID, file: file, line: line, column: column)
    state = Locked(State(beginning: .beginning))
  }

  /// A verifier on a server that outlives the test, for several tests of one launched app.
  ///
  /// What the server received before this moment does not count. `start()` starts the server if it is not running; `stop()` leaves it running.
  /// The server is set up already; of the configuration, all else counts. It holds the test case weakly.
  public init(
    with testCase: XCTestCase,
    server: TrackingServer,
    configuration: Configuration = .init(),
    fileID: StaticString = #fileID, file: StaticString = #filePath, line: UInt = #line, column: UInt = #column
  ) {
    var configuration = configuration
    configuration.server = server.configuration
    self.configuration = configuration
    self.testCase = TestCaseReference(testCase)
    host = nil
    self.server = server
    journal = server.journal
    claims = ClaimLedger(of: server.journal)
    ownsServer = false
    location = CodeLocation(fileID: fileID, file: file, line: line, column: column)
    state = Locked(State(beginning: server.journal.mark()))
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
    claims = ClaimLedger(of: server.journal)
    state = Locked(State(beginning: .beginning))
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
    state.withLock { state in
      state.endpoint = server.endpoint
      state.start = location
    }
    stopAtTheEndOfTheTest()
  }

  /// Stops the server, returns when its thread and sockets are gone, and tells what the test has not asked about; what was received stays.
  ///
  /// Reported are the findings of ``Configuration/checksAtStop`` at the line of `start()`, and at the line of a wait what came of it after it had
  /// returned: an extra that its bound leaves no room for, or an answer that came too late. Each is told once, however often this is called.
  ///
  /// Called at the end of the test at the latest, also for a verifier that was never started.
  public func stop() {
    if ownsServer { server.stop() }
    for expectation in takeExpectations() { expectation.close() }
    let failures = findingsAtStop()
    guard !failures.isEmpty || configuration.keepsJournal == .always else { return }
    let places = keepJournal()
    // Nothing comes after the reports: the first of them may leave the test.
    for failure in failures { report(failure.adding(places)) }
  }

  /// Forgets what was received; from here on only what comes counts.
  ///
  /// Senders keep their connections.
  public func reset() {
    claims.reset()
    let mark = ownsServer ? journal.removeAll() : journal.mark()
    state.withLock { state in
      state.beginning = mark
      state.toldAsFull = 0
    }
  }

  /// Sees to it that what a verifier has to say at its stop is said.
  func stopAtTheEndOfTheTest() {
    let isNews = state.withLock { state in
      defer { state.stopsAtTheEnd = true }
      return !state.stopsAtTheEnd
    }
    // Strongly: it is said even if the test has let go of the verifier.
    if isNews { testCase?.value?.addTeardownBlock { self.stop() } }
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

// MARK: - What was received

extension TrackingVerifier {
  /// The events that were received so far, in the order of arrival.
  public var events: [TrackingEvent] {
    journal.events(from: beginning.event).map(\.event)
  }

  /// The values of one param in all events that have it, in the order of arrival.
  public func values(for param: TrackingParam) -> [TrackingValue] {
    events.compactMap { $0.params[param] }
  }

  /// What came before does not count.
  var beginning: JournalMark {
    state.withLock { $0.beginning }
  }
}

// MARK: - What failures need to know

extension TrackingVerifier {
  /// Where an app could have connected; `nil` when no app was ever given an endpoint.
  var lastEndpoint: TrackingEndpoint? {
    state.withLock { $0.endpoint }
  }

  /// The line that findings at the stop are told at.
  var startLocation: CodeLocation {
    state.withLock { $0.start } ?? location
  }

  var currentTestCase: XCTestCase? { testCase?.value }

  /// Whether its failures reach no test: XCTest does not run the test case.
  var hasNoTest: Bool { testCase.map { !$0.isRun } ?? false }

  /// What the files of attachments are called: the test, and which of its verifiers this is.
  var attachmentTitle: String {
    if let title = state.withLock({ $0.attachmentTitle }) { return title }
    let title = AttachmentTitles.next(for: testCase?.value?.name ?? host?.testName ?? "test")
    return state.withLock { state in
      state.attachmentTitle = state.attachmentTitle ?? title
      return state.attachmentTitle ?? title
    }
  }

  /// The place from which on a stop has not looked yet; it has then.
  func takeUnchecked() -> JournalMark {
    let now = journal.mark()
    return state.withLock { state in
      defer { state.checked = now }
      guard let checked = state.checked, checked.event >= state.beginning.event else { return state.beginning }
      return checked
    }
  }

  /// How many submissions were refused because the journal was full, beside those that were told before.
  func takeRefusedAsFull() -> Int {
    guard ownsServer else { return 0 }
    let refused = journal.refusedAsFull
    return state.withLock { state in
      defer { state.toldAsFull = refused }
      return refused - state.toldAsFull
    }
  }

  func add(_ expectation: EventExpectation) {
    state.withLock { $0.expectations.append(expectation) }
  }

  private func takeExpectations() -> [EventExpectation] {
    state.withLock { state in
      defer { state.expectations = [] }
      return state.expectations
    }
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
