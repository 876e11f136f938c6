import Foundation
import TrackingServer

extension TrackingVerifier {
  /// What there is to say at a stop and was not said before, the gravest first.
  func findingsAtStop() -> [VerificationFailure] {
    let unchecked = takeUnchecked()
    let isFull = fullJournal()
    let late = claims.conclude().compactMap(failure)
    let checks = configuration.checksAtStop.compactMap { failure(of: $0, since: unchecked, isFull: isFull != nil) }
    return (isFull.map { [$0] } ?? []) + stubProblems() + late + checks
  }

  /// The closures of stubs that gave no answer, which the app can only have taken for a fault of the backend.
  private func stubProblems() -> [VerificationFailure] {
    let requests = requests
    let told = state.withLock { state in
      defer { state.toldProblems = max(requests.last?.number ?? 0, state.toldProblems) }
      return state.toldProblems
    }
    return requests.filter { $0.number > told }.compactMap(\.problem).map { problem in
      VerificationFailure(
        kind: .stubFailed, message: Excerpt.wrapped("\(problem.prefix(1).uppercased())\(problem.dropFirst())."),
        location: startLocation)
    }
  }

  private func fullJournal() -> VerificationFailure? {
    let refused = takeRefusedAsFull()
    guard refused > 0 else { return nil }
    let submissions = refused == 1 ? "1 submission was" : "\(refused) submissions were"
    return VerificationFailure(
      kind: .journalFull, message: Excerpt.wrapped("\(submissions) refused: \(journal.fullReason)."),
      location: startLocation)
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
      began: journal.events(from: mark.event).first?.arrival ?? now, deadline: now,
      zero: "the first event came")
    var evaluation = verification.evaluation(since: mark, isClaimed: claims.isClaimed)
    for event in journal.events(from: mark.event) where !evaluation.standing.isFinal { _ = evaluation.take(event) }
    evaluation.look(at: journal)
    guard !evaluation.standing.isGood else { return nil }
    let question = Question(
      verification: verification, words: "\(verification)", location: startLocation, origin: mark, timeout: 0,
      settling: 0)
    return failure(of: question, on: scale, asked: .atStop, evaluation.explanation)
  }
}
