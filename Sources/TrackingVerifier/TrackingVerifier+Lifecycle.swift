import Foundation
import TrackingServer

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

  func start(at location: CodeLocation) {
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
    openInspectorIfWanted()
    stopAtTheEndOfTheTest()
  }

  /// Stops the server, returns when its thread and sockets are gone, and tells what the test has not asked about; what was received stays.
  ///
  /// Reported are the findings of ``Configuration/checksAtStop`` at the line of `start()`, and at the line of a wait what came of it after it had
  /// returned: an extra that its bound leaves no room for, or an answer that came too late. Each is told once, however often this is called.
  ///
  /// Called at the end of the test at the latest, also for a verifier that was never started.
  public func stop() {
    let early = holdForInspector()
    if ownsServer { server.stop() }
    for expectation in takeExpectations() { expectation.close() }
    removeTemporaryFiles()
    // A server that goes on without this verifier goes on without its stubs.
    if !ownsServer { server.stubs.removeAll(of: stubOwner) }
    let late = findingsAtStop()
    for failure in late { note(failure) }
    let failures = early + late
    guard !failures.isEmpty || configuration.keepsJournal == .always else { return }
    let places = keepJournal()
    // Nothing comes after the reports: the first of them may leave the test.
    for failure in failures { report(failure.adding(places)) }
  }

  /// Forgets what was received; from here on only what comes counts.
  ///
  /// Stubs stay: ``resetStubs()`` takes them back. Senders keep their connections.
  public func reset() {
    claims.reset()
    let held = requestFindings()
    let mark = ownsServer ? journal.removeAll() : journal.mark()
    state.withLock { state in
      state.beginning = mark
      state.toldAsFull = 0
      state.toldAsUnkept = 0
      state.heldFailures = held
    }
  }

  /// Sees to it that what a verifier has to say at its stop is said.
  func stopAtTheEndOfTheTest() {
    let isNews = state.withLock { state in
      defer { state.stopsAtTheEnd = true }
      return !state.stopsAtTheEnd
    }
    // A test case that has ended takes no more blocks: Linux's XCTest would trap.
    guard isNews, let testCase, !testCase.hasEnded else { return }
    // Strongly: it is said even if the test has let go of the verifier.
    testCase.value?.addTeardownBlock { self.stop() }
  }
}
