import TrackingServer

/// Which requests the waits of a verifier have asked for, and the numbers of requests that they found to be right.
struct RequestLedger: Sendable {
  /// A number of requests that was right when its wait returned.
  private struct Bound: Sendable {
    let question: RequestQuestion
    let began: ContinuousClock.Instant
    let most: Int
    let counted: Int
    /// The number of the first request that the wait has not looked at.
    let next: Int
  }

  private var claimed: Set<Int> = []
  private var bounds: [Bound] = []

  /// Notes the answer of a wait; an upper bound goes on counting.
  mutating func note(
    _ matched: [RecordedRequest], of question: RequestQuestion, began: ContinuousClock.Instant, next: Int
  ) {
    claimed.formUnion(matched.map(\.number))
    guard let most = question.count.most else { return }
    bounds.append(Bound(question: question, began: began, most: most, counted: matched.count, next: next))
  }

  /// The requests that came after a wait had found their number right, and for which no other wait asked; then nothing is noted any more.
  mutating func conclude(_ journal: Journal) -> [VerificationFailure] {
    defer { self = RequestLedger() }
    return bounds.compactMap { bound in
      var count = bound.counted
      var extras: [RecordedRequest] = []
      for request in journal.requests(from: bound.next) where !claimed.contains(request.number) {
        guard bound.question.matcher.match(request.request) != nil else { continue }
        count += 1
        claimed.insert(request.number)
        if count > bound.most { extras.append(request) }
      }
      return extras.isEmpty ? nil : Self.failure(of: bound, extras)
    }
  }

  private static func failure(of bound: Bound, _ extras: [RecordedRequest]) -> VerificationFailure {
    let scale = Timescale(began: bound.began, deadline: bound.began)
    let headline = """
      \(Excerpt.wrapped("Waited for the request \(bound.question.words)", indent: 4))
      After the wait had found it so came \(extras.count == 1 ? "one" : "\(extras.count)") too many, for which no other wait asked:
      """
    return VerificationFailure(
      kind: .tooMany, message: ([headline] + RequestList.lines(of: extras, on: scale)).joined(separator: "\n"),
      location: bound.question.location)
  }
}
