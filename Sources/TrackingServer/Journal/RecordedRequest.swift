import Foundation
import StubModel

/// A request that was no accepted submission of events: what was asked, and how it was answered.
public struct RecordedRequest: Hashable, Sendable {
  /// The request: method, path, query, header fields, and the beginning of the body, cut to ``TrackingServer/Limits/recordedBodyBytes``.
  ///
  /// A journal that is full keeps no more bodies.
  public private(set) var request: StubRequest
  /// The size of the whole body as far as it was received, in bytes.
  public let bodySize: Int
  /// Its place among all requests that this server recorded, from 1; kept over a reset.
  public internal(set) var number = 0
  /// When it was received whole, or when it was broken off.
  public let arrival: ContinuousClock.Instant
  /// The number of the connection that carried it, from 1.
  public let connection: Int
  /// Which request of its connection it was, from 1.
  public let exchange: Int
  /// The status it was answered with; `nil` when a fault came before the answer.
  public let status: Int?
  /// The stub that answered it; `nil` when none did.
  public let stub: StubEndpoint?
  /// What went wrong, because the test wanted it to.
  public let fault: Fault?
  /// Whether it asked for something that neither a stub nor the server itself serves.
  public let isUnmatched: Bool
  /// The stub that comes nearest to a request that none answers, and what differs: `POST /books: the method is GET, not POST`.
  public let nearestStub: String?
  /// Why a stub's closure gave no answer, so that the request was answered 500; `nil` when nothing was wrong.
  public let problem: String?

  init(
    _ request: StubRequest, bodySize: Int, connection: Int, exchange: Int, status: Int?, stub: StubEndpoint? = nil,
    fault: Fault? = nil, isUnmatched: Bool = false, nearestStub: String? = nil, problem: String? = nil,
    arrival: ContinuousClock.Instant = .now
  ) {
    self.request = request
    self.bodySize = bodySize
    self.arrival = arrival
    self.connection = connection
    self.exchange = exchange
    self.status = status
    self.stub = stub
    self.fault = fault
    self.isUnmatched = isUnmatched
    self.nearestStub = nearestStub
    self.problem = problem
  }

  /// Bytes that it takes up, as far as its sender decides.
  var size: Int {
    request.headers.fields.reduce(method.utf8.count + target.utf8.count + request.body.count) {
      $0 + $1.name.utf8.count + $1.value.utf8.count
    }
  }

  /// The same for a journal that has no room for its body.
  var withoutBody: RecordedRequest {
    var copy = self
    copy.request.body = Data()
    return copy
  }

  /// The method, for example `GET`.
  public var method: String { request.method }
  /// The path and the query as they were sent, for example `/books?q=swift`.
  public var target: String { request.target }
}

extension RecordedRequest: CustomStringConvertible {
  /// `GET /books?q=swift -> 200 by GET /books`.
  public var description: String {
    let answer = status.map { "\($0)" } ?? "no answer"
    let by = stub.map { " by \($0)" } ?? (isUnmatched ? ", as no stub answers it" : "")
    return "\(method) \(target) -> \(answer)\(by)\(fault.map { ", \($0)" } ?? "")"
  }
}
