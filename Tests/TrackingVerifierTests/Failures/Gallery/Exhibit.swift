import TestSupport

@testable import TrackingChecks
@testable import TrackingVerifier

/// A failure as the gallery shows it: what caused it, and its message.
struct Exhibit {
  let title: String
  /// The line of the test.
  let test: String
  /// The app's action, in words that continue "the app".
  let did: String
  let kind: CheckFailure.Kind
  let message: String

  /// Title, the two lines and the message.
  var markdown: String {
    """
    ### \(title)

    - The test: `\(test)`
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
    _ title: String, test: String, did: String, _ check: TrackingCheck<CheckOutcome>, since origin: Int = 1,
    _ end: CheckEnd = .decided, zero: String = "the wait began",
    _ arrange: (inout HandMadeJournal) -> Void
  ) {
    var journal = HandMadeJournal()
    arrange(&journal)
    let failure = journal.failure(of: check, since: origin, end, zero: zero)
    self.init(title: title, test: test, did: did, kind: failure.kind, message: failure.text)
  }

  /// The failure that a stop reports about a wait of 5 seconds that had returned before.
  init(
    _ title: String, test: String, did: String, late finding: LateReport.Finding, _ check: TrackingCheck<CheckOutcome>,
    _ arrange: (inout HandMadeJournal) -> Void
  ) {
    var journal = HandMadeJournal()
    arrange(&journal)
    let failure = LateReport(
      finding: finding, check: check, entries: Array(journal.journal.entries(from: 1)), scale: journal.scale
    ).failure
    self.init(title: title, test: test, did: did, kind: failure.kind, message: failure.message)
  }
}
