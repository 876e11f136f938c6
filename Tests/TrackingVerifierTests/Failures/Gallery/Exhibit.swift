import TestSupport

@testable import TrackingChecks
@testable import TrackingVerifier

/// A failure as the gallery shows it: what caused it, and its message.
struct Exhibit {
  let title: String
  /// The line of the test.
  let asked: String
  /// The app's action, in words that continue "the app".
  let did: String
  let kind: CheckFailure.Kind
  let message: String

  /// Title, the two lines and the message.
  var markdown: String {
    """
    ### \(title)

    - The test: `\(asked)`
    - The app \(did)

    ```
    \(message)
    ```
    """
  }
}

extension Exhibit {
  /// The failure that a wait of 5 seconds reports about a journal.
  init(
    _ title: String, asked: String, did: String, _ check: TrackingCheck<CheckOutcome>, since origin: Int = 1,
    _ end: CheckEnd = .decided, zero: String = "the wait began",
    _ arrange: (inout HandMadeJournal) -> Void
  ) {
    var journal = HandMadeJournal()
    arrange(&journal)
    let failure = journal.failure(of: check, since: origin, end, zero: zero)
    self.init(title: title, asked: asked, did: did, kind: failure.kind, message: failure.text)
  }

  /// The failure that a stop reports about a wait of 5 seconds that had returned before.
  init(
    _ title: String, asked: String, did: String, late finding: LateReport.Finding, _ check: String,
    _ arrange: (inout HandMadeJournal) -> Void
  ) {
    var journal = HandMadeJournal()
    arrange(&journal)
    let report = LateReport(
      finding: finding, call: check, timeout: 5,
      timeline: Timeline(of: Array(journal.journal.entries(from: 1)), on: journal.scale.withoutDeadline))
    let kind: CheckFailure.Kind = if case .answered = finding { .late } else { .tooMany }
    self.init(title: title, asked: asked, did: did, kind: kind, message: report.text)
  }
}
