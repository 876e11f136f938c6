import Foundation
import TrackingModel
import TrackingChecks
import TrackingServer

extension TrackingVerifier {
  /// Serves the inspector's page and prints its URL to standard error; requires the product TrackingInspector in the test target.
  ///
  /// Starts the server if needed. The page shows entries as they arrive while the server runs, marks events that break the configuration's plan, and
  /// copies planned events as values of their generated types. It is read-only. The URL contains a token, without which the page stays empty.
  /// - Returns: The URL; `nil` if the server can't be started, or after a message if the product isn't linked.
  @discardableResult
  public func openInspector() -> URL? {
    LinkedInspector.open(inspection)
  }

  private var inspection: Inspection {
    Inspection(server: server, rule: try? plan.get()) { self.start(at: self.location) }
  }

  /// The occasion on which the server starts to serve the inspector's page.
  public struct InspectorOccasion: Hashable, Sendable {
    fileprivate enum Name: Hashable {
      case onRequest, fromStart
      case onFailure(holdFor: TimeInterval)
    }

    fileprivate let name: Name

    /// At the call of `openInspector()`; or, if `TRACKING_INSPECTOR=1` is set (`xcodebuild`: `TEST_RUNNER_TRACKING_INSPECTOR=1`), like ``fromStart``.
    public static let onRequest = Self(name: .onRequest)
    /// At the start of the server; one page shows all tests of the process in turn.
    public static let fromStart = Self(name: .fromStart)
    /// After a failure: the end of the test waits, with the app and the server running, until the page has been opened and closed again.
    ///
    /// It waits for `seconds` at most. The URL is printed to standard error.
    public static func onFailure(holdFor seconds: TimeInterval) -> Self { Self(name: .onFailure(holdFor: seconds)) }
  }

  private var inspectorOccasion: InspectorOccasion {
    let variable = TestVariable.inspector
    let use: InspectorOccasion =
      !variable.isOn ? configuration.inspector : variable.value() == "hold" ? .onFailure(holdFor: 300) : .fromStart
    guard use != .onRequest else { return use }
    return LinkedInspector.link.required(for: "The inspector is requested") == nil ? .onRequest : use
  }

  /// Prints, once per process, why a test has no page although the environment requests one.
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

  func openInspectorIfWanted() {
    let use = inspectorOccasion
    let isNews = state.withLock { !exchange(&$0.record.isInspected, with: true) }
    guard use != .onRequest, isNews else { return }
    server.notes?.beginTest(title: testTitle)
    if let plan = try? plan.get() { server.notes?.follow(plan) }
    server.notes?.observe(title: nil)
    if use == .fromStart { LinkedInspector.link.type?.follow(server, title: testTitle) }
  }

  /// Shows the findings of `stop()` in the inspector, and returns them for the caller to report.
  ///
  /// After a failure, keeps the app and the server running if the configuration says so.
  func finishInspection() -> [CheckFailure] {
    guard server.notes?.isObserved == true, server.endpoint != nil else { return [] }
    noteLeftovers()
    let findings = findingsAtStop()
    for failure in findings { note(failure) }
    if case .onFailure(let seconds) = inspectorOccasion.name, state.withLock(\.record.hasFailures) {
      _ = LinkedInspector.link.type?.open(inspection)
      LinkedInspector.link.type?.hold(server, for: seconds, title: testTitle)
    } else {
      LinkedInspector.link.type?.finish(server)
    }
    return findings
  }

  /// Notes the entries that no wait matched.
  private func noteLeftovers() {
    let matched = ledger.value.matched
    guard !matched.isEmpty else { return }
    server.notes?.match(
      Array(journal.events(from: beginning.entry).map(\.number).filter { !matched.contains($0) }.suffix(10_000)), false)
  }

  private var testTitle: String { testName ?? "The test" }
}

extension TrackingVerifier {
  /// Adds a step of the test, shown as a heading between the entries of the inspector, the report and `session.json`.
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
  typealias Hide = @Sendable ((message: String, location: String)?) -> Void

  /// Shows a check while it runs, and returns a function that ends it with the failure about to be reported.
  func show(_ call: CheckCall) -> Hide? {
    guard let notes = server.notes, notes.isObserved else { return nil }
    let last = Locked<(entry: Int, date: ContinuousClock.Instant, progress: (text: String, nearestMiss: String?))?>(nil)
    return notes.beginWait(call.words, at: call.location.shortText) { [weak self] in
      guard let self else { return ("", nil) }
      // Don't scan a long journal for every new event.
      let (entry, now) = (journal.mark().entry, ContinuousClock.now)
      if let last = last.withLock({ $0 }), last.entry == entry || now - last.date < .milliseconds(500) {
        return last.progress
      }
      let progress = progress(of: call)
      last.withLock { $0 = (entry, now, progress) }
      return progress
    }
  }

  /// Notes a check's failure, if any, and stops showing the check in the same revision.
  func note(_ failure: CheckFailure?, hiding hide: Hide?) {
    guard let hide else {
      if let failure { note(failure) }
      return
    }
    if let failure { state.withLock { $0.record.failures.append(failure) } }
    hide(failure.map { ($0.message, $0.location.shortText) })
  }

  /// The report of the failure if the check ended now; `stop()` may still report its entries.
  func report(on call: CheckCall, _ end: CheckEnd, asOf scale: Timescale) -> String {
    var call = call
    call.isSilent = true
    return report(ledger.glance(at: call, asOf: scale), end).failure.message
  }

  private func progress(of call: CheckCall) -> (text: String, nearestMiss: String?) {
    let now = ContinuousClock.now
    let report = report(on: call, .stillOpen, asOf: Timescale(began: now, deadline: now))
    return (report.split(separator: "\n").first.map(String.init) ?? "open", report)
  }
}
