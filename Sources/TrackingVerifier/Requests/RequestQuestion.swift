import Foundation
import StubModel
import TrackingServer

/// How many requests of a kind a test wants to see, where, since when and for how long.
struct RequestQuestion: Sendable {
  let matcher: StubMatcher
  let count: EventCount
  let origin: JournalMark
  let timeout: TimeInterval
  let settling: TimeInterval
  let location: CodeLocation

  /// What is asked, in words that go on from "waited for".
  var words: String {
    count == .atLeast(1) ? "\(matcher.endpoint)" : "\(matcher.endpoint), \(count)"
  }
}

/// A question for requests that is being asked: those that match so far, and how long to listen on.
struct RequestRun {
  private(set) var matched: [RecordedRequest] = []
  private let question: RequestQuestion
  private let scale: Timescale
  private var quietSince: ContinuousClock.Instant

  init(_ question: RequestQuestion, on scale: Timescale) {
    self.question = question
    self.scale = scale
    quietSince = scale.began
  }

  /// How the question stands after what was looked at.
  var standing: Standing { question.count.standing(at: matched.count) }

  /// Looks at the next request, and says whether that decides.
  mutating func take(_ request: RecordedRequest) -> Bool {
    if question.matcher.match(request.request) != nil {
      matched.append(request)
      quietSince = max(quietSince, request.arrival)
    }
    return standing.isFinal
  }

  /// Until when to wait for the next request.
  func end() -> ContinuousClock.Instant {
    switch standing {
    case .open: scale.deadline
    case .holding: quietSince + .clamping(seconds: question.settling)
    case .met, .broken: quietSince
    }
  }
}
