import Foundation
import StubModel

/// A request to the server, and its response; accepted submissions of events aren't included.
///
/// A request is recorded when its head and body have arrived. While a stub's closure runs, or a test holds the response back, it has no response yet:
/// ``hasResponse`` is `false`, and ``status`` is `nil`.
public struct RecordedRequest: Hashable, Sendable {
  /// The method, path, query, header fields and body.
  ///
  /// The body is kept up to ``TrackingServer/Limits/recordedBodyBytes``; a journal without room for bodies keeps none.
  public private(set) var request: ReceivedRequest
  /// The received size of the whole body, in bytes.
  package let bodySize: Int
  /// The request's place among everything that the server received (events, requests, rejected submissions), from 1; a reset keeps it.
  public internal(set) var number = 0
  /// The time at which the request was received, or broken off.
  public internal(set) var arrival = ContinuousClock.now
  package let connection: Int
  /// The request's number on its connection, from 1.
  package let exchange: Int
  /// The app process whose stubbed session responded to the request; `nil` for a request over the network.
  public private(set) var process: String?
  package internal(set) var response: RecordedResponse?
  /// The moment at which the response was sent; `nil` while a delay, a gate or a closure holds it back.
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

  /// A request to a stubbed session, as reported by the app.
  init(_ report: ReportedRequest, keeping limit: Int, connection: Int, exchange: Int) {
    self.init(
      report.request, bodySize: report.bodySize, keeping: limit, connection: connection, exchange: exchange,
      response: RecordedResponse(
        status: report.status, stub: report.stub, isUnmatched: report.isUnmatched, nearestStub: report.nearestStub,
        comparison: report.comparison, problem: report.problem, doubt: report.doubt))
    process = report.process
  }

  /// Whether the response is known: sent, held back by a delay, or lost to a fault.
  ///
  /// `responded(_:)` matches when the response is sent.
  public var hasResponse: Bool { response != nil }
  /// The response's status; `nil` if a fault came before the response, or while there is none yet.
  public var status: Int? { response?.status }
  /// The stub that responded to the request, without its responses and code; `nil` if none did.
  public var stub: StubEndpoint? { response?.stub }
  /// The fault that the test injected into the request.
  public var fault: HTTPFault? { response?.fault }
  /// Whether neither a stub nor the server itself serves the request.
  public var isUnmatched: Bool { response?.isUnmatched ?? false }
  /// The stub most similar to an unmatched request, and the difference: `POST /books: the method is GET, not POST`.
  package var nearestStub: String? { response?.nearestStub }
  /// The nearest stub and an unmatched request side by side, as lines of a table.
  package var comparison: [String] { response?.comparison ?? [] }
  /// The reason that a stub's closure returned no response, so that the request got a 500.
  package var problem: String? { response?.problem }
  /// The warning that an earlier stub couldn't be compared with the request.
  package var doubt: String? { response?.doubt }

  /// The reason that the server refused the request, such as a foreign origin; `nil` for a rejected submission, which has its own.
  package var refusal: String? { response?.refusal }

  /// Whether it is a rejected submission, which the journal also has as a ``RejectedSubmission``.
  package var isRejectedSubmission: Bool { response?.isRejectedSubmission ?? false }

  /// The request's method, for example `GET`.
  public var method: ReceivedRequest.Method { request.method }
  /// The path and the query as sent, for example `/books?q=swift`.
  public var target: String { request.target }

  /// The bytes of memory whose number the sender decides.
  var size: Int {
    request.headers.lines.reduce(method.rawValue.utf8.count + target.utf8.count + request.body.count) {
      $0 + $1.name.utf8.count + $1.value.utf8.count
    }
  }

  /// Returns a copy with another body; `nil` if the whole body wasn't kept.
  package func with(body: Data) -> RecordedRequest? {
    guard request.body.count == bodySize else { return nil }
    var request = request
    request.body = body
    var copy = RecordedRequest(request, connection: connection, exchange: exchange, response: response)
    (copy.number, copy.arrival, copy.sending) = (number, arrival, sending)
    return copy
  }

  package var withoutResponse: RecordedRequest {
    changed(self) { ($0.response, $0.sending) = (nil, nil) }
  }

  package func with(number: Int) -> RecordedRequest {
    changed(self) { $0.number = number }
  }

  /// A copy without the body, for a journal that has no room for it.
  var withoutBody: RecordedRequest {
    changed(self) { $0.request.body = Data() }
  }
}

/// The moment at which a response was sent, as a place among a journal's entries.
package struct ResponseMoment: Hashable, Sendable {
  /// The number of the last entry that was recorded before the response; for an immediate response, its request's.
  package let entry: Int
  /// The response's order among those sent after the same entry.
  package let order: Int
  /// The time at which the first byte was sent, or a fault took its place.
  package let instant: ContinuousClock.Instant
}

package struct RecordedResponse: Hashable, Sendable {
  /// `nil` if a fault came before the response.
  var status: Int?
  var stub: StubEndpoint?
  var fault: HTTPFault?
  var isUnmatched = false
  var nearestStub: String?
  /// The nearest stub and the request side by side, as lines.
  var comparison: [String] = []
  var problem: String?
  var doubt: String?
  /// The reason of a refusal that isn't a rejected submission.
  var refusal: String?
  /// Whether the journal also has the request as a rejected submission.
  var isRejectedSubmission = false
}

extension RecordedRequest: CustomStringConvertible {
  /// The request and its response on one line: `GET /books?q=swift -> 200 by GET /books`.
  public var description: String {
    guard hasResponse else { return "\(method) \(target), no response yet" }
    let response = status.map { "\($0)" } ?? "no response"
    let by = stub.map { " by \($0)" } ?? (isUnmatched ? ", no stub matches" : "")
    return "\(method) \(target) -> \(response)\(by)\(fault.map { ", \($0)" } ?? "")"
  }
}
