import TrackingModel

/// Records what an app says is wrong with the way in which it was launched, so that the test fails.
final class ProblemReports: RequestHandler {
  /// Bytes that are read of a report.
  private static let longestProblem = 4_096

  func preview(_ exchange: inout Exchange) -> Preview {
    Self.isReport(exchange) ? .wanted : .pass
  }

  func handle(_ exchange: inout Exchange) -> Outcome {
    guard Self.isReport(exchange) else { return .pass }
    guard exchange.head.field(.trackingSession, equals: exchange.context.session) else {
      return .reply(exchange.refuse(Refusal(status: 403, reason: RejectedSubmission.otherSessionReason)))
    }
    let text = exchange.withBody { String(decoding: $0.prefix(Self.longestProblem), as: UTF8.self) }
    exchange.reject(Refusal(status: RejectedSubmission.problemStatus, reason: text), keepsBody: false)
    return .reply(Reply(.done))
  }

  private static func isReport(_ exchange: borrowing Exchange) -> Bool {
    exchange.head.method == .post && exchange.head.path(equals: WirePath.problem)
  }
}
