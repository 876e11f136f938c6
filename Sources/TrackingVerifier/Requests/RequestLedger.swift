import TrackingPatterns
import TrackingServer

/// Which requests the waits of a verifier have asked for, and what became of the waits' questions after they had returned.
struct RequestLedger: Sendable {
  /// A question whose wait has returned, as further requests come.
  private struct Watch: Sendable {
    let question: RequestQuestion
    let scale: Timescale
    /// How many requests the wait had counted.
    let counted: Int
    /// The number of the first request that the wait has not looked at.
    let next: Int

    func requests(in journal: Journal) -> [RecordedRequest] {
      journal.entries(from: next).compactMap(\.request).filter { question.matcher.match($0.request) != nil }
    }
  }

  private var claimed: Set<Int> = []
  private var bounds: [Watch] = []
  private var misses: [Watch] = []

  /// Notes the answer of a wait; an upper bound goes on counting.
  mutating func note(_ matched: [RecordedRequest], of question: RequestQuestion, on scale: Timescale, next: Int) {
    claimed.formUnion(matched.map(\.number))
    guard question.count.most != nil else { return }
    bounds.append(Watch(question: question, scale: scale, counted: matched.count, next: next))
  }

  /// Notes that a wait has given up.
  mutating func noteMiss(_ matched: [RecordedRequest], of question: RequestQuestion, on scale: Timescale, next: Int) {
    misses.append(Watch(question: question, scale: scale, counted: matched.count, next: next))
  }

  /// What came of the questions; then nothing is noted any more.
  mutating func conclude(_ journal: Journal) -> [VerificationFailure] {
    defer { self = RequestLedger() }
    var failures: [VerificationFailure] = []
    for miss in misses {
      let requests = miss.requests(in: journal).prefix(miss.question.count.least - miss.counted)
      claimed.formUnion(requests.map(\.number))
      guard let last = requests.last, miss.counted + requests.count == miss.question.count.least else { continue }
      failures.append(Self.late(miss, last))
    }
    for bound in bounds {
      let requests = bound.requests(in: journal).filter { !claimed.contains($0.number) }
      claimed.formUnion(requests.map(\.number))
      let extras = requests.dropFirst(max((bound.question.count.most ?? .max) - bound.counted, 0))
      if !extras.isEmpty { failures.append(Self.exceeded(bound, Array(extras))) }
    }
    return failures
  }

  private static func late(_ miss: Watch, _ request: RecordedRequest) -> VerificationFailure {
    let time = TimeText.duration(request.arrival - miss.scale.deadline)
    return failure(
      .late, miss, "Waited \(TimeText.seconds(miss.question.timeout))", "It came \(time) after the deadline:", [request]
    )
  }

  private static func exceeded(_ bound: Watch, _ extras: [RecordedRequest]) -> VerificationFailure {
    let count = extras.count == 1 ? "one" : "\(extras.count)"
    return failure(
      .tooMany, bound, "Waited",
      "After the wait had found it so came \(count) too many, for which no other wait asked:", extras)
  }

  private static func failure(
    _ kind: VerificationFailure.Kind, _ watch: Watch, _ beginning: String, _ result: String,
    _ requests: [RecordedRequest]
  ) -> VerificationFailure {
    let headline = Excerpt.wrapped("\(beginning) for the request \(watch.question.words)", indent: 4)
    let lines = [headline, result] + RequestList.lines(of: requests, on: watch.scale)
    return VerificationFailure(kind: kind, message: lines.joined(separator: "\n"), location: watch.question.location)
  }
}
