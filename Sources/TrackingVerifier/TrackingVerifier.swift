import Foundation
import StubModel
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
  let server: TrackingServer
  /// Whether the server lives and ends with this verifier.
  let ownsServer: Bool
  let testCase: TestCaseReference?
  let host: (any TestHost)?
  let location: CodeLocation
  /// Under what it has set stubs.
  let stubOwner: StubStore.Owner
  let state: Locked<State>

  struct State {
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
    /// How many requests that were not kept have been told.
    var toldAsUnkept = 0
    /// The expectations that events may still fulfil.
    var expectations: [EventExpectation] = []
    var attachmentTitle: String?
    /// What an app is handed over by file.
    var temporaryFiles: [URL] = []
    /// Where stubs with a closure were installed.
    var closures: [StubEndpoint: CodeLocation] = [:]
    /// The number of the last request of which was told that a stub's closure failed.
    var toldProblems = 0
    /// What was asked about requests.
    var requests = RequestLedger()
    /// What was found about requests before a reset, and is told at the stop.
    var heldFailures: [VerificationFailure] = []
    /// Whether the inspector knows of this test.
    var isInspected = false
    /// The failures that were reported, for the attachments.
    var failures: [SessionNotes.Failure] = []
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
    stubOwner = server.stubs.makeOwner()
    claims = ClaimLedger(of: server)
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
    stubOwner = server.stubs.makeOwner()
    claims = ClaimLedger(of: server)
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
    stubOwner = server.stubs.makeOwner()
    ownsServer = true
    location = .wholeTest
    claims = ClaimLedger(of: server)
    state = Locked(State(beginning: .beginning))
  }
}

// MARK: - What was received

extension TrackingVerifier {
  /// The events that were received so far, in the order of arrival.
  public var events: [TrackingEvent] {
    journal.events(from: beginning.entry).map(\.event)
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
  var hasNoTest: Bool { testCase.map { !$0.isRunning } ?? false }

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
      guard let checked = state.checked, checked.entry >= state.beginning.entry else { return state.beginning }
      return checked
    }
  }

  /// How many submissions were refused because the journal was full, and how many requests were not kept, beside those that were told before.
  func takeWhatHadNoRoom() -> (submissions: Int, requests: Int) {
    guard ownsServer else { return (0, 0) }
    let (refused, unkept) = (journal.refusedAsFull, journal.unkeptRequests)
    return state.withLock { state in
      defer { (state.toldAsFull, state.toldAsUnkept) = (refused, unkept) }
      return (refused - state.toldAsFull, unkept - state.toldAsUnkept)
    }
  }

  func add(_ expectation: EventExpectation) {
    state.withLock { $0.expectations.append(expectation) }
  }

  func takeExpectations() -> [EventExpectation] {
    state.withLock { state in
      defer { state.expectations = [] }
      return state.expectations
    }
  }
}
