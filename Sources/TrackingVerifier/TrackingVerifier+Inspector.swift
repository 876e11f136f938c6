import Foundation
import TrackingModel
import TrackingChecks
import TrackingServer

extension TrackingVerifier {
  /// Serves the inspector's page beside the events, and prints its URL on standard error; needs the product TrackingInspector in the test target.
  ///
  /// The page shows what arrives while it arrives, as long as the server runs. A server that is not running is started. The page reads and changes
  /// nothing. Its URL contains a token: without it, the page stays empty. It marks the events that break the configuration's plan, and copies planned
  /// events as values of their generated types.
  ///
  /// - Returns: The URL; `nil` if the server can't be started, or after a message if the product isn't linked.
  @discardableResult
  public func openInspector() -> URL? {
    LinkedInspector.open(inspection)
  }

  private var inspection: Inspection {
    Inspection(server: server, rule: try? plan.get()) { self.start(at: self.location) }
  }

  /// The time at which the server starts to serve the inspector's page.
  public enum InspectorOccasion: Hashable, Sendable {
    /// From the call of `openInspector()` on; with `TRACKING_INSPECTOR=1` in the environment (`xcodebuild`:
    /// `TEST_RUNNER_TRACKING_INSPECTOR=1`), as ``fromStart``.
    case onRequest
    /// From `start()` on, on one page that follows from test to test of the process.
    case fromStart
    /// After the test has failed: its end waits, with the app and the server still up, until the page has been opened and closed again, or for
    /// so many seconds. The URL is printed on standard error.
    case onFailure(holdFor: TimeInterval)
  }

  /// The use that the configuration or the environment requests, and that the process can serve.
  private var inspectorOccasion: InspectorOccasion {
    let variable = TestVariable.inspector
    let use: InspectorOccasion =
      !variable.isOn ? configuration.inspector : variable.value() == "hold" ? .onFailure(holdFor: 300) : .fromStart
    guard use != .onRequest else { return use }
    return LinkedInspector.link.required(for: "The inspector is requested") == nil ? .onRequest : use
  }

  /// Says once in a process why a test has no page although the environment requests one.
  func explainMissingPage() {
    guard TestVariable.inspector.isOn, server.lastEndpoint == nil, !state.withLock(\.life.hasFailedToStart),
      LinkedInspector.link.required(for: "The inspector is requested") != nil,
      !Self.hasExplainedMissingPage.withLock({ exchange(&$0, with: true) })
    else { return }
    StandardError.write(
      """
      warning: \(TestVariable.inspector.name) is set, but \(testTitle) has no page: it has not started the server that would serve \
      it, with start() or openInspector()

      """)
  }

  private static let hasExplainedMissingPage = Locked(false)

  /// Called when the server has started.
  func openInspectorIfWanted() {
    let use = inspectorOccasion
    let isNews = state.withLock { !exchange(&$0.record.isInspected, with: true) }
    guard use != .onRequest, isNews else { return }
    server.notes?.beginTest(title: testTitle)
    if let plan = try? plan.get() { server.notes?.follow(plan) }
    server.notes?.observe(title: nil)
    if use == .fromStart { LinkedInspector.link.type?.follow(server, title: testTitle) }
  }

  /// Shows the inspector what `stop()` finds, while there is a server; after a failure, keeps the app and the server up if the configuration asks for
  /// it.
  ///
  /// - Returns: The findings of `stop()`; the caller reports them.
  func finishInspection() -> [CheckFailure] {
    guard server.notes?.isObserved == true, server.endpoint != nil else { return [] }
    noteLeftovers()
    let findings = findingsAtStop()
    for failure in findings { note(failure) }
    if case .onFailure(let seconds) = inspectorOccasion, state.withLock(\.record.hasFailures) {
      _ = LinkedInspector.link.type?.open(inspection)
      LinkedInspector.link.type?.hold(server, for: seconds, title: testTitle)
    } else {
      LinkedInspector.link.type?.finish(server)
    }
    return findings
  }

  /// The test has ended: what no wait has matched is left over.
  private func noteLeftovers() {
    let matched = ledger.value.matched
    guard !matched.isEmpty else { return }
    server.notes?.match(
      Array(journal.events(from: beginning.entry).map(\.number).filter { !matched.contains($0) }.suffix(10_000)), false)
  }

  private var testTitle: String { testName ?? "The test" }
}

extension TrackingVerifier {
  /// Notes a step of the test, which the inspector, the report and `session.json` show as a heading between the entries.
  ///
  /// ```swift
  /// verifier.note("Adds a lamp to the cart")
  /// app.buttons["Add to cart"].tap()
  /// ```
  public func note(_ step: String) {
    useSharedServer()
    server.notes?.add(step: step, before: journal.nextNumber)
  }
}

// MARK: - Waits in the inspector

extension TrackingVerifier {
  /// Ends the showing of a check, with the failure that is about to be reported.
  typealias Hide = @Sendable ((message: String, location: String)?) -> Void

  /// Shows a check while it runs.
  ///
  /// - Returns: A function that ends that, with the failure that is about to be reported.
  func show(_ call: CheckCall) -> Hide? {
    guard let notes = server.notes, notes.isObserved else { return nil }
    let last = Locked<(entry: Int, date: ContinuousClock.Instant, progress: (text: String, nearestMiss: String?))?>(nil)
    return notes.beginWait(call.words, at: call.location.shortText) { [weak self] in
      guard let self else { return ("", nil) }
      // A long journal is not looked through for every event that is added to it.
      let (entry, now) = (journal.mark().entry, ContinuousClock.now)
      if let last = last.withLock({ $0 }), last.entry == entry || now - last.date < .milliseconds(500) {
        return last.progress
      }
      let progress = progress(of: call)
      last.withLock { $0 = (entry, now, progress) }
      return progress
    }
  }

  /// Notes the failure of a check, if there is one to report, and ends the showing of the check in the same revision.
  func note(_ failure: CheckFailure?, hiding hide: Hide?) {
    guard let hide else {
      if let failure { note(failure) }
      return
    }
    if let failure { state.withLock { $0.record.failures.append(failure) } }
    hide(failure.map { ($0.message, $0.location.shortText) })
  }

  /// The report that the failure of a check would have now; `stop()` may still report what it lists.
  func report(on call: CheckCall, _ end: CheckEnd, asOf scale: Timescale) -> String {
    var call = call
    call.isSilent = true
    return report(ledger.glance(at: call, asOf: scale), end).failure.message
  }

  /// The progress of an open check: the report that its failure would have now.
  private func progress(of call: CheckCall) -> (text: String, nearestMiss: String?) {
    let now = ContinuousClock.now
    let report = report(on: call, .stillOpen, asOf: Timescale(began: now, deadline: now))
    return (report.split(separator: "\n").first.map(String.init) ?? "open", report)
  }
}
