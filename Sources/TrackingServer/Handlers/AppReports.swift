import Foundation
import StubModel
import TrackingModel

/// Records reports of the app: problems with its launch, which fail the test, and requests of its stubbed sessions.
///
/// Also tells processes that share a launch whether its session is this server's, sends tables of stubs that are too large for a variable, and
/// records the hellos of doubles.
final class AppReports: RequestHandler {
  /// In bytes.
  private static let longestProblem = 4_096

  func preview(_ exchange: inout Exchange) -> Preview {
    Self.isReport(exchange) ? .wanted(.own) : .pass
  }

  func handle(_ exchange: inout Exchange) -> RequestOutcome {
    guard Self.isReport(exchange) else { return .pass }
    if exchange.head.path(equals: WirePath.session) { return .respond(Self.session(&exchange)) }
    guard exchange.sender.isOfSession(exchange.parser.head) else {
      return .respond(exchange.refuse(HTTPError(status: 403, reason: RejectedSubmission.otherSessionReason)))
    }
    if exchange.head.path(equals: WirePath.stubs) { return .respond(Self.table(&exchange)) }
    if exchange.head.path(equals: WirePath.requests) { return record(&exchange) }
    if exchange.head.path(equals: WirePath.responses) { return .respond(Self.noteSending(&exchange)) }
    let text = exchange.withBody { String(decoding: $0.prefix(Self.longestProblem), as: UTF8.self) }
    exchange.reject(HTTPError(status: RejectedSubmission.problemStatus, reason: text), keepsBody: false)
    return .respond(PlannedResponse(.done))
  }

  /// Tells a process whether its session is this one, by the token's field.
  ///
  /// Not recorded, because a process that still has an earlier test's launch says nothing about this one.
  private static func session(_ exchange: inout Exchange) -> PlannedResponse {
    guard exchange.sender.isOfSession(exchange.parser.head) else {
      return PlannedResponse(HTTPResponse(HTTPError(status: 403, reason: RejectedSubmission.otherSessionReason)))
    }
    if let refusal = RequestSender.refusalOfLaunch(exchange.parser.head) {
      return PlannedResponse(HTTPResponse(refusal))
    }
    if let launch = exchange.sender.launchName(exchange.parser.head) {
      exchange.context.journal.noteHello(of: launch, connection: exchange.connection)
    }
    return PlannedResponse(.done)
  }

  /// The stub table that a test has left for its app.
  private static func table(_ exchange: inout Exchange) -> PlannedResponse {
    let name = exchange.withBody { String(decoding: $0.prefix(longestProblem), as: UTF8.self) }
    guard let table = exchange.context.stubs.table(named: name) else {
      return PlannedResponse(
        HTTPResponse(HTTPError(status: 404, reason: "this table of stubs does not exist, or its test has ended")))
    }
    return PlannedResponse(HTTPResponse(status: 200, type: "application/json", content: table))
  }

  private func record(_ exchange: inout Exchange) -> RequestOutcome {
    guard let report = exchange.withBody({ ReportedRequest(Data($0)) }) else {
      return .respond(exchange.refuse(.badRequest("this isn't a report of a request")))
    }
    let isDelayed = report.isDelayed ?? false
    let number = exchange.context.journal.record(
      RecordedRequest(
        report, keeping: exchange.context.configuration.limits.recordedBodyBytes, connection: exchange.connection,
        exchange: exchange.number), isSent: !isDelayed)
    guard isDelayed, let number else { return .respond(PlannedResponse(.done)) }
    return .respond(
      PlannedResponse(HTTPResponse(status: 200, type: "text/plain; charset=utf-8", content: Array("\(number)".utf8))))
  }

  private static func noteSending(_ exchange: inout Exchange) -> PlannedResponse {
    guard let number = exchange.withBody({ Int(String(decoding: $0, as: UTF8.self)) }) else {
      return exchange.refuse(.badRequest("this isn't the number of a reported request"))
    }
    exchange.context.journal.noteSending(of: number)
    return PlannedResponse(.done)
  }

  private static func isReport(_ exchange: borrowing Exchange) -> Bool {
    guard exchange.head.method == .post else { return false }
    for path in WirePath.all where exchange.head.path(equals: path) { return true }
    return false
  }
}
