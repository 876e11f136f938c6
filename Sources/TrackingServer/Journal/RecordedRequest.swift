import Foundation
import StubModel

/// A request that was not an accepted submission of events, and its response.
///
/// It is recorded when its head and body have arrived. While a stub's closure runs, or a test holds the response back, it has no response yet:
/// ``hasResponse`` is `false`, and ``status`` is `nil`.
public struct RecordedRequest: Hashable, Sendable {
  /// The request: method, path, query, header fields and body.
  ///
  /// The body is kept up to ``TrackingServer/Limits/recordedBodyBytes``; a journal that has no more room for bodies keeps none.
  public private(set) var request: ReceivedRequest
  /// The size of the whole body as far as it was received, in bytes.
  package let bodySize: Int
  /// Its place among everything that this server received (events, requests, rejected submissions), from 1; kept over a reset.
  public internal(set) var number = 0
  /// The time at which it was received, or broken off.
  public internal(set) var arrival = ContinuousClock.now
  /// The number of the connection that carried it, from 1.
  package let connection: Int
  /// Its number among the requests of its connection, from 1.
  package let exchange: Int
  /// The name of the app's process in which a stubbed session responded to it; `nil` for a request over the network.
  public private(set) var process: String?
  /// Its response; `nil` while there is none.
  package internal(set) var response: RecordedResponse?
  /// The moment at which its response was sent; `nil` while a delay, a gate or a closure holds the response back.
  package internal(set) var sending: ResponseMoment?

  init(
    _ request: ReceivedRequest, bodySize: Int? = nil, keeping limit: Int = .max, connection: Int, exchange: Int,
    response: RecordedResponse? = nil
  ) {
    self.request = request
    self.bodySize = bodySize ?? request.body.count
    self.connection = connection
    self.exchange = exchange
    self.response = response
    // A copy: a slice would keep the whole body in memory.
    if request.body.count > limit { self.request.body = Data(request.body.prefix(max(limit, 0))) }
  }

  /// A request to a stubbed session in an app, which the app has reported.
  init(_ report: ReportedRequest, keeping limit: Int, connection: Int, exchange: Int) {
    self.init(
      report.request, bodySize: report.bodySize, keeping: limit, connection: connection, exchange: exchange,
      response: RecordedResponse(
        status: report.status, stub: report.stub, isUnmatched: report.isUnmatched, nearestStub: report.nearestStub,
        comparison: report.comparison, problem: report.problem, doubt: report.doubt))
    process = report.process
  }

  /// Whether its response is known: sent, or lost to a fault.
  public var hasResponse: Bool { response != nil }
  /// The response's status; `nil` if a fault came before the response, or while there is none yet.
  public var status: Int? { response?.status }
  /// The stub that responded to it, without its responses and code; `nil` if none did.
  public var stub: StubEndpoint? { response?.stub }
  /// The fault that the test injected.
  public var fault: HTTPFault? { response?.fault }
  /// Whether neither a stub nor the server itself serves it.
  public var isUnmatched: Bool { response?.isUnmatched ?? false }
  /// The stub nearest to an unmatched request, and what differs: `POST /books: the method is GET, not POST`.
  package var nearestStub: String? { response?.nearestStub }
  /// The nearest stub and an unmatched request side by side, as lines of a table.
  package var comparison: [String] { response?.comparison ?? [] }
  /// The reason why a stub's closure returned no response, so that the request got 500; `nil` otherwise.
  package var problem: String? { response?.problem }
  /// The warning that a stub before the one that responded could not be compared with the request; `nil` for none.
  package var doubt: String? { response?.doubt }

  /// The reason why the server refused it, such as a foreign origin; `nil` for a rejected submission, which has it, too.
  package var refusal: String? { response?.refusal }

  /// Whether it is a rejected submission, which the journal also has as a ``RejectedSubmission``.
  package var isRejectedSubmission: Bool { response?.isRejectedSubmission ?? false }

  /// The method, for example `GET`.
  public var method: ReceivedRequest.Method { request.method }
  /// The path and the query as they were sent, for example `/books?q=swift`.
  public var target: String { request.target }

  /// The memory that its sender decides on, in bytes.
  var size: Int {
    request.headers.lines.reduce(method.rawValue.utf8.count + target.utf8.count + request.body.count) {
      $0 + $1.name.utf8.count + $1.value.utf8.count
    }
  }

  /// The same request with another body; `nil` if the whole body wasn't kept.
  package func with(body: Data) -> RecordedRequest? {
    guard request.body.count == bodySize else { return nil }
    var request = request
    request.body = body
    var copy = RecordedRequest(request, connection: connection, exchange: exchange, response: response)
    (copy.number, copy.arrival, copy.sending) = (number, arrival, sending)
    return copy
  }

  /// The request before its response.
  package var withoutResponse: RecordedRequest {
    changed(self) { ($0.response, $0.sending) = (nil, nil) }
  }

  /// The same request with another number.
  package func with(number: Int) -> RecordedRequest {
    changed(self) { $0.number = number }
  }

  /// The same without the body, for a journal that has no room for it.
  var withoutBody: RecordedRequest {
    changed(self) { $0.request.body = Data() }
  }
}

/// The moment at which a response was sent, as a place among a journal's entries.
package struct ResponseMoment: Hashable, Sendable {
  /// The number of the last entry that was recorded before it; for a response that is sent at once, its request's.
  package let entry: Int
  /// Its order among the responses that were sent after the same entry.
  package let order: Int
  /// The time at which the first byte was sent, or a fault took its place.
  package let instant: ContinuousClock.Instant
}

/// The response to a recorded request.
package struct RecordedResponse: Hashable, Sendable {
  /// `nil` when a fault came before the response.
  var status: Int?
  var stub: StubEndpoint?
  var fault: HTTPFault?
  var isUnmatched = false
  var nearestStub: String?
  /// The nearest stub and the request side by side, as lines.
  var comparison: [String] = []
  var problem: String?
  /// A warning about the choice of the stub.
  var doubt: String?
  /// The reason of a refusal that isn't recorded as a rejected submission, too.
  var refusal: String?
  /// Whether it refuses a submission, which the journal has as a rejection, too.
  var isRejectedSubmission = false
}

extension RecordedRequest: CustomStringConvertible {
  /// `GET /books?q=swift -> 200 by GET /books`.
  public var description: String {
    guard hasResponse else { return "\(method) \(target), no response yet" }
    let response = status.map { "\($0)" } ?? "no response"
    let by = stub.map { " by \($0)" } ?? (isUnmatched ? ", no stub matches" : "")
    return "\(method) \(target) -> \(response)\(by)\(fault.map { ", \($0)" } ?? "")"
  }
}
