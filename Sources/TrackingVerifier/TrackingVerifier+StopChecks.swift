import Foundation
import TrackingPatterns
import TrackingServer

extension TrackingVerifier {
  /// What there is to say at a stop and was not said before, the gravest first.
  func findingsAtStop() -> [VerificationFailure] {
    let unchecked = takeUnchecked()
    let isFull = fullJournal()
    let late = claims.conclude().compactMap(failure)
    let checks = configuration.checksAtStop.compactMap { failure(of: $0, since: unchecked, isFull: isFull != nil) }
    return (isFull.map { [$0] } ?? []) + requestFindings() + late + checks
  }

  /// What there is to say about requests and was not said before; the caller tells it, or keeps it.
  func requestFindings() -> [VerificationFailure] {
    let problems = takeStubProblems()
    var (ledger, held) = state.withLock { state in
      defer { (state.requests, state.heldFailures) = (RequestLedger(), []) }
      return (state.requests, state.heldFailures)
    }
    return held + problems + ledger.conclude(journal)
  }

  private func fullJournal() -> VerificationFailure? {
    let (submissions, requests) = takeWhatHadNoRoom()
    let parts = [
      Self.words(submissions, "submission", "refused"), Self.words(requests, "request", "answered and not kept"),
    ]
    guard submissions + requests > 0 else { return nil }
    return VerificationFailure(
      kind: .journalFull,
      message: Excerpt.wrapped("\(parts.compactMap(\.self).joined(separator: ", ")): \(journal.fullReason)."),
      location: startLocation)
  }

  /// `1 submission was refused`; `nil` for none.
  private static func words(_ count: Int, _ noun: String, _ verb: String) -> String? {
    count == 0 ? nil : "\(Excerpt.count(count, noun)) \(count == 1 ? "was" : "were") \(verb)"
  }

  /// What is wrong with the answer to a question that is asked at the stop, of all that came.
  ///
  /// Where the journal was full that has been said, and that something was rejected or lost therefore is no news.
  private func failure(
    of verification: Verification, since mark: JournalMark, isFull: Bool
  ) -> VerificationFailure? {
    if isFull, verification.isOfDelivery { return nil }
    if let failure = verification.invalidity(at: startLocation) { return failure }
    let now = ContinuousClock.now
    let scale = Timescale(
      began: journal.events(from: mark.entry).first?.arrival ?? now, deadline: now,
      zero: "the first event came")
    var evaluation = verification.evaluation(since: mark, isClaimed: claims.isClaimed)
    for event in journal.events(from: mark.entry) where !evaluation.standing.isFinal { _ = evaluation.take(event) }
    evaluation.look(at: journal)
    guard !evaluation.standing.isGood else { return nil }
    let question = Question(
      verification: verification, words: "\(verification)", location: startLocation, origin: mark, timeout: 0,
      settling: 0)
    return failure(of: question, on: scale, asked: .atStop, evaluation.explanation)
  }
}
