import Foundation
import StubModel
import TrackingModel
import TrackingPatterns
import TrackingChecks
import TrackingRules
import TrackingServer

/// A verifier's knowledge of its test, for failures and attachments.
struct TestRecord: Sendable {
  /// The base name of attachments' files.
  var title: String?
  var appDescriptions: [@Sendable () -> String?] = []
  var failures: [CheckFailure] = []
  /// The number of failures that the framework expects.
  var knownIssues = 0
  /// Whether a failure fails the test.
  var hasFailures: Bool { failures.count > knownIssues }
  /// The changes to the timeline that the test would notice, as JSON.
  var mutants: TrackingValue?
  var isInspected = false
  /// The number of unnamed flows that were compared.
  var flows = 0
}

extension TrackingVerifier: CheckRunner {
  package var rule: (any EventRule)? { try? plan.get() }

  package func describe(_ context: inout FailureContext) {
    context.reachability = reachability
    context.hasDiscarded = state.withLock(\.life.hasDiscarded)
    context.unrequestedStubs = server.stubs.unrequested(of: stubOwner)
    context.coveredStub = server.stubs.covered(of: stubOwner)
    context.rival = rivalLaunch
    context.endAtLaunch = XCTestReporter.appsNeedScenes ? FailureContext.lackOfScenes : nil
    context.app = appDescription
    context.eventPath = server.configuration.eventPath
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

  /// Adds a description of the app to failures about missing events or requests.
  ///
  /// ```swift
  /// verifier.describeApp { "the app's log ends with: \(log.lastLine)" }
  /// ```
  ///
  /// For a program that a `TestApp` launched with this verifier's address, these failures include its exit status anyway.
  ///
  /// The closure is called on the thread of a failing wait, and by `stop()`, without a lock held. If it returns `nil`, nothing is added. Several
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

  /// Notes and reports a failure as its last action, after attaching the journal.
  package func fail(_ failure: CheckFailure) {
    note(failure)
    report(noted: failure)
  }

  /// Reports a noted failure as its last action, after attaching the journal.
  ///
  /// With `continueAfterFailure = false`, Apple's XCTest throws an exception through the reporting frames, so nothing may follow.
  func report(noted failure: CheckFailure) {
    report(failure.adding(keepJournal()))
  }

  /// Reports a noted failure; if XCTest runs the test, it also throws XCTest's own error.
  func report<Value>(noted failure: CheckFailure, requiring: Value.Type) throws {
    let failure = failure.adding(keepJournal())
    guard let reporter = reporter as? XCTestReporter else { return report(failure) }
    try reporter.report(failure, requiring: Value.self)
  }

  func note(_ failure: CheckFailure) {
    state.withLock { $0.record.failures.append(failure) }
    guard let notes = server.notes, notes.isObserved else { return }
    notes.add(failure: failure.message, at: failure.location.shortText)
  }

  func report(_ failure: CheckFailure) {
    guard let reporter = reporter as? any KnownIssueReporter else { return reporter.report(failure) }
    guard reporter.reportKnown(failure) else { return }
    state.withLock { state in
      // Paths of attachments were appended to the message.
      let isNoted = state.record.failures.contains {
        $0.location.shortText == failure.location.shortText && failure.message.hasPrefix($0.message)
      }
      if isNoted { state.record.knownIssues += 1 }
    }
  }

  func report(_ kind: CheckFailure.Kind, _ message: String, at location: CodeLocation) {
    report(CheckFailure(kind, message, at: location))
  }

  /// Attaches the received entries to the test's result, and returns their places, if the result doesn't show them.
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
  /// Attaches the observations to the result of any test, even one that passes.
  func keepObservations() {
    let observations = state.withLock { exchange(&$0.plan.observations, with: []) }
    if !observations.isEmpty { _ = reporter.keepAttachments(observations) }
  }

  func takeWarnings() -> [(text: String, location: CodeLocation)] {
    state.withLock { exchange(&$0.warnings, with: []) }
  }

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
  func adding(_ places: [String]) -> CheckFailure {
    guard !places.isEmpty else { return self }
    return CheckFailure(
      kind: kind, message: "\(message)\n\nThe whole journal: \(places.joined(separator: "\n                   "))",
      location: location)
  }
}

extension TrackingServer {
  var launchedPrograms: [any LaunchedProgram] { launchedPrograms(since: .distantPast) }

  func launchedPrograms(since time: Date) -> [any LaunchedProgram] {
    guard !LaunchedPrograms.isEmpty, let port = lastEndpoint?.url.port else { return [] }
    return LaunchedPrograms.launched(with: port, since: time)
  }
}
