import StubModel
import TrackingServer

// Patterns of requests, compared with the requests of a journal.

extension RequestPattern {
  func matches(_ request: RecordedRequest) -> Bool { matches(RequestReading(request)) }

  /// Whether it is the answer that makes a request match, and not its arrival.
  func isAnswered(in request: RecordedRequest) -> Bool { asksForAnswer && isMatchedByAnswer(RequestReading(request)) }

  /// The pattern and a request, part by part; without a difference when the request matches.
  func comparison(with request: RecordedRequest) -> StubComparison { comparison(with: RequestReading(request)) }

  /// Whether accepted submissions of events look as if they would match.
  var mayMeanSubmissions: Bool {
    let submission = RequestReading(HTTPRequest(method: "POST", path: "/"))
    return conditions.contains { RequestPattern($0).certainty(of: submission, knowing: .head) != .no }
  }
}

extension RequestReading {
  /// A recorded request, with its answer as far as it is known.
  fileprivate convenience init(_ request: RecordedRequest) {
    self.init(
      request.request, bodySize: request.bodySize, answer: request.isAnswered ? .sent(status: request.status) : .none)
  }
}
