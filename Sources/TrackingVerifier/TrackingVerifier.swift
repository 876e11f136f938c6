import Foundation
import StubModel
import TrackingModel
import TrackingChecks
import TrackingRules
import TrackingServer
import XCTest

/// Receives the events that an app under test tracks, and lets the test wait for them.
///
/// ```swift
/// nonisolated final class CheckoutTests: XCTestCase {
///   private lazy var verifier: TrackingVerifier = .init(with: self)
///
///   @MainActor func testTappingTheButtonIsTracked() {
///     let app = XCUIApplication()
///     app.launchEnvironment.merge(verifier.launchEnvironment) { $1 }
///     app.launch()
///     app.buttons["button1"].tap()
///     verifier.wait(for: .init(name: "button_tapped", params: [.eventName: "button1_tapped", .screen: "main_screen"]))
///   }
/// }
/// ```
///
/// Thread-safe.
public final class TrackingVerifier: Sendable {
  /// The verifier's configuration.
  public let configuration: Configuration

  package let journal: TrackingJournal
  /// The matched entries, and the checks that continue after their waits.
  package let ledger: SharedLedger
  /// The log of checks; `nil` unless mutants are requested.
  let log: (any CheckLog)?
  let waits = WaitRegistry()
  let board: ExpectationBoard
  package let reporter: any FailureReporter
  let server: TrackingServer
  /// Whether the server lives as long as this verifier.
  let ownsServer: Bool
  let testCase: TestCaseReference?
  let host: (any TestHost)?
  let location: CodeLocation
  let stubOwner: StubStore.Owner
  /// The failure of every check, if this verifier belongs to no test.
  let misuse: Misuse?
  let state: Locked<State>
  let starting = NSLock()

  /// Whether this thread or task runs the checks of `stop()`: a pattern that stops the verifier must not lead back there.
  @TaskLocal static var checking: Set<ObjectIdentifier> = []

  struct State {
    var life: LifeState
    var plan = PlanState()
    var stubs = StubState()
    var record = TestRecord()
    var warnings: [(text: String, location: CodeLocation)] = []
  }

  /// Creates a verifier with its own server, for a test that launches its app; holds the test case weakly.
  public convenience init(
    with testCase: XCTestCase,
    configuration: Configuration = .init(),
    fileID: StaticString = #fileID, file: StaticString = #filePath, line: UInt = #line, column: UInt = #column
  ) {
    self.init(
      configuration, TrackingServer(configuration: configuration.server), ownsServer: true,
      testCase: TestCaseReference(testCase), at: CodeLocation(fileID: fileID, file: file, line: line, column: column))
  }

  /// Creates a verifier on a server that outlives the test, for several tests of one running app.
  ///
  /// It ignores earlier entries and the configuration's `server`, and holds the test case weakly. Its first use starts the server if needed; `stop()`
  /// leaves the server running.
  public convenience init(
    with testCase: XCTestCase,
    server: TrackingServer,
    configuration: Configuration = .init(),
    fileID: StaticString = #fileID, file: StaticString = #filePath, line: UInt = #line, column: UInt = #column
  ) {
    var configuration = configuration
    configuration.server = server.configuration
    self.init(
      configuration, server, ownsServer: false, testCase: TestCaseReference(testCase),
      at: CodeLocation(fileID: fileID, file: file, line: line, column: column))
  }

  /// Creates a verifier for a test of a framework other than XCTest.
  package convenience init(
    configuration: Configuration, host: (any TestHost)?, reporter: any FailureReporter, misuse: Misuse? = nil
  ) {
    var configuration = configuration
    configuration.reporter = reporter
    self.init(
      configuration, TrackingServer(configuration: configuration.server), ownsServer: true, host: host, misuse: misuse,
      at: .wholeTest)
  }

  private init(
    _ configuration: Configuration, _ server: TrackingServer, ownsServer: Bool, testCase: TestCaseReference? = nil,
    host: (any TestHost)? = nil, misuse: Misuse? = nil, at location: CodeLocation
  ) {
    TestVariable.warn()
    self.configuration = configuration
    self.server = server
    self.ownsServer = ownsServer
    self.testCase = testCase
    self.host = host
    self.misuse = misuse
    self.location = location
    reporter = configuration.reporter ?? testCase.map { XCTestReporter(for: $0) } ?? XCTestReporter()
    journal = server.journal
    stubOwner = server.stubs.makeOwner()
    state = Locked(
      State(life: LifeState(beginning: ownsServer ? .beginning : server.journal.mark().withoutEarlierRequests)))
    ledger = SharedLedger(of: server.journal) { [stubs = server.stubs, stubOwner, state] in
      stubs.unusedStubs(of: stubOwner, installed: state.withLock(\.stubs.installed))
    } onMatch: { [notes = server.notes] numbers in
      if let notes, notes.isObserved { notes.match(numbers, true) }
    }
    board = ExpectationBoard(of: server.journal)
    log =
      if let decision = configuration.mutationDecision {
        decision.makeLog(of: server.journal)
      } else {
        LinkedChecks.makeLog(of: server.journal)
      }
  }

  deinit {
    // A shared server continues.
    server.stubs.forget(stubOwner)
  }
}

// MARK: - Received events

extension TrackingVerifier {
  /// The events received so far, in the order of arrival.
  ///
  /// Doesn't wait. An event that the app has just tracked may not have arrived yet, so wait for the last one first:
  ///
  /// ```swift
  /// verifier.wait(for: .named("order_placed"))
  /// XCTAssertEqual(verifier.events.map(\.name), ["cart_shown", "order_placed"])
  /// ```
  public var events: [TrackingEvent] {
    useSharedServer()
    return journal.events(from: beginning.entry).map(\.event)
  }

  /// Returns the events with a name received so far, in the order of arrival.
  ///
  /// Doesn't wait: wait for the last event first, as with ``events``.
  public func events(named name: String) -> [TrackingEvent] {
    events.filter { $0.name.isSameText(as: name) }
  }

  /// Returns the typed events received so far, in the order of arrival; events with the type's name but other params are left out.
  ///
  /// Doesn't wait: wait for the last event first, as with ``events``.
  public func events<S: TrackingSchema>(of type: S.Type) -> [S] {
    events(named: S.eventName).compactMap { try? $0.decode(as: type) }
  }

  /// Earlier entries are ignored.
  package var beginning: JournalMark {
    state.withLock { $0.life.beginning }
  }
}

// MARK: - Facts for failures

extension TrackingVerifier {
  /// The line for failures of `stop()`.
  var startLocation: CodeLocation {
    state.withLock { $0.life.start } ?? location
  }

  var currentTestCase: XCTestCase? { testCase?.value }

  var hasFailed: Bool { testCase?.hasFailed ?? host?.hasFailed ?? false }

  /// The running test's names, for its files.
  package var testParts: TestParts? { testCase?.parts ?? host?.testParts }

  /// The number of the next unnamed flow.
  package func nextFlowNumber() -> Int {
    state.withLock { state in
      state.record.flows += 1
      return state.record.flows
    }
  }

  /// The running test's name, in the same form on all platforms: `CartTests.testBuying`; `nil` if no test is running.
  package var testName: String? { testParts.map { [$0.suite, $0.function].compactMap(\.self).joined(separator: ".") } }

  /// Returns where the previous `stop()` ended and where this one ends.
  func takeUnchecked() -> (beginning: JournalMark, end: JournalMark) {
    var now = journal.mark()
    return state.withLock { state in
      // Responses to requests from before a reset don't count for later stops either.
      now.firstRequest = state.life.beginning.firstRequest
      defer { state.life.checked = now }
      guard let checked = state.life.checked, checked.entry >= state.life.beginning.entry else {
        return (state.life.beginning, now)
      }
      return (checked, now)
    }
  }

  /// Returns how many submissions were refused and how many requests weren't kept, because the journal was full, since the last call.
  func takeOverflow() -> (submissions: Int, requests: Int) {
    guard ownsServer else { return (0, 0) }
    let (refused, unkept) = (journal.refusedAsFull, journal.unkeptRequests)
    return state.withLock { state in
      defer { (state.life.reportedAsFull, state.life.reportedAsUnkept) = (refused, unkept) }
      return (refused - state.life.reportedAsFull, unkept - state.life.reportedAsUnkept)
    }
  }
}
