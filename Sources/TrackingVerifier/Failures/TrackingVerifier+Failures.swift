import Foundation
import StubModel
import TrackingModel
import TrackingPatterns
import TrackingChecks
import TrackingRules
import TrackingServer

// From a check to its failure, and to the reporter.

/// The facts about a test for its failures and attachments.
struct TestRecord: Sendable {
  /// The name of attachments' files.
  var title: String?
  /// The descriptions of the app that failures show.
  var appDescriptions: [@Sendable () -> String?] = []
  /// The failures that were reported.
  var failures: [CheckFailure] = []
  /// The number of those that the framework expects.
  var knownIssues = 0
  /// Whether one of them fails the test.
  var hasFailures: Bool { failures.count > knownIssues }
  /// The changes that the test would notice as JSON.
  var mutants: TrackingValue?
  /// Whether the inspector knows of this test.
  var isInspected = false
  /// The number of flows without a name that were compared.
  var flows = 0
}

extension TrackingVerifier: CheckRunner {
  package var rule: (any EventRule)? { try? plan.get() }

  package func describe(_ context: inout FailureContext) {
    context.reachability = reachability
    context.unrequestedStubs = server.stubs.unrequested(of: stubOwner)
    context.coveredStub = server.stubs.covered(of: stubOwner)
    context.rival = rivalLaunch
    context.endAtLaunch = XCTestReporter.endAtLaunch
    context.app = appDescription
    context.programEnd = server.launchedPrograms.compactMap(\.endState).last.map { "The program \($0)" }
    context.programs = server.launchedPrograms.map(\.phase)
    context.isAppRunning = journal.hasConnectedApp || context.programs.contains(.running)
  }

  private var reachability: FailureContext.Reachability {
    if state.withLock({ $0.life.hasFailedToStart }) { return .failedToStart }
    if state.withLock({ $0.life.isStopped }) { return .stopped }
    guard let url = server.lastEndpoint?.url else { return .unused }
    return .listening(url, connections: journal.connections)
  }

  /// Adds what the test knows about its app to failures in which something is missing.
  ///
  /// ```swift
  /// verifier.describeApp { "the app's log ends with: \(log.lastLine)" }
  /// ```
  ///
  /// The end of a program that a `TestApp` launched with this verifier's address is in these failures without it.
  ///
  /// The closure is called on the thread of a wait that fails, and by `stop()`, with no lock held. It adds nothing if it returns `nil`. Several
  /// closures are called in the order in which they were added.
  public func describeApp(_ description: @escaping @Sendable () -> String?) {
    state.withLock { $0.record.appDescriptions.append(description) }
  }

  private var appDescription: String? {
    var texts = state.withLock(\.record.appDescriptions).compactMap { $0() }.filter { !$0.isEmpty }
    // A test may describe the end of its program itself.
    texts += server.launchedPrograms.compactMap(\.endingText).filter { !texts.contains($0) }
    return texts.isEmpty ? nil : texts.joined(separator: "\n")
  }

  // MARK: Reporting

  /// Notes and reports a failure as its last action, after the journal has been kept.
  package func fail(_ failure: CheckFailure) {
    note(failure)
    report(noted: failure)
  }

  /// Reports a noted failure as its last action, after the journal has been kept.
  ///
  /// With `continueAfterFailure = false`, Apple's XCTest throws an exception through the reporting frames, so nothing may follow.
  func report(noted failure: CheckFailure) {
    report(failure.adding(keepJournal()))
  }

  /// Reports a noted failure, and throws XCTest's own error if XCTest runs the test; returns for another reporter.
  func report<Value>(noted failure: CheckFailure, requiring: Value.Type) throws {
    let failure = failure.adding(keepJournal())
    guard let reporter = reporter as? XCTestReporter else { return report(failure) }
    try reporter.report(failure, requiring: Value.self)
  }

  /// Notes a failure for the inspector and the attachments.
  func note(_ failure: CheckFailure) {
    state.withLock { $0.record.failures.append(failure) }
    guard let notes = server.notes, notes.isObserved else { return }
    notes.add(failure: failure.message, at: failure.location.shortText)
  }

  func report(_ failure: CheckFailure) {
    guard let reporter = reporter as? any KnownIssueReporter else { return reporter.report(failure) }
    guard reporter.reportKnown(failure) else { return }
    state.withLock { state in
      // Its places were added to it.
      let isNoted = state.record.failures.contains {
        $0.location.shortText == failure.location.shortText && failure.message.hasPrefix($0.message)
      }
      if isNoted { state.record.knownIssues += 1 }
    }
  }

  func report(_ kind: CheckFailure.Kind, _ message: String, at location: CodeLocation) {
    report(CheckFailure(kind, message, at: location))
  }

  /// Keeps what was received beside the test's result.
  ///
  /// - Returns: The places where it is kept, if the test's result doesn't show it.
  func keepJournal() -> [String] {
    guard configuration.keepsJournal != .never else { return [] }
    let snapshot = JournalSnapshot(
      title: attachmentTitle, entries: Array(journal.entries(since: beginning)),
      lost: journal.lostEvents(since: beginning), plan: checkedPlan)
    guard !snapshot.isEmpty else { return [] }
    return reporter.keepAttachments(snapshot.attachments(with: LinkedInspector.link.type?.documents(of: inspectedTest)))
  }
}

extension TrackingVerifier {
  /// Keeps the observations with the test's result, also if it passes.
  func keepObservations() {
    let observations = state.withLock { exchange(&$0.plan.observations, with: []) }
    if !observations.isEmpty { _ = reporter.keepAttachments(observations) }
  }

  /// The warnings that have not been reported.
  func takeWarnings() -> [(text: String, location: CodeLocation)] {
    state.withLock { exchange(&$0.warnings, with: []) }
  }

  /// The test, for the inspector's attachments.
  private var inspectedTest: InspectedTest {
    let failures = state.withLock(\.record.failures)
    return InspectedTest(
      server: server, beginning: beginning, title: testName ?? "",
      failures: failures.map { ($0.message, $0.location.shortText) }, rule: try? plan.get(),
      matched: ledger.value.matched,
      mutants: mutants)
  }
}

extension CheckFailure {
  /// The same failure with the places of the whole journal.
  func adding(_ places: [String]) -> CheckFailure {
    guard !places.isEmpty else { return self }
    return CheckFailure(
      kind: kind, message: "\(message)\n\nThe whole journal: \(places.joined(separator: "\n                   "))",
      location: location)
  }
}

extension TrackingServer {
  /// The programs that were launched with its address.
  var launchedPrograms: [any LaunchedProgram] { launchedPrograms(since: .distantPast) }

  func launchedPrograms(since time: Date) -> [any LaunchedProgram] {
    guard !LaunchedPrograms.isEmpty, let port = lastEndpoint?.url.port else { return [] }
    return LaunchedPrograms.launched(with: port, since: time)
  }
}
