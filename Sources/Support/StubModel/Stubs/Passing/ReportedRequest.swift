import Foundation
import TrackingPatterns

/// A request to a stubbed session in an app, as reported to the verifier that launched the app.
package struct ReportedRequest: Hashable, Codable, Sendable {
  /// In bytes.
  private static let longestBody = 64 * 1_024

  private let method: String
  private let scheme: String?
  private let host: String?
  private let port: Int?
  private let path: String
  private let queryText: String?
  private let headers: CodedForm<[NamedText]>
  private let body: Data
  /// The size of the whole body in bytes.
  package let bodySize: Int
  /// `nil` for an error.
  package let status: Int?
  private let usedStub: PortableStub?
  /// For an unmatched request: the most similar stub and its differences.
  package let nearestStub: String?
  package let comparison: [String]
  /// The reason why a stub's closure made no response.
  package let problem: String?
  /// The warning about the choice of the stub, if any; `nil` in a report of an earlier version.
  package let doubt: String?
  /// Whether the app gets the response later; `nil` in a report of an earlier version.
  package var isDelayed: Bool?
  /// The name of the reporting process; `nil` in a report of an earlier version.
  package let process: String?

  package init(
    _ request: ReceivedRequest, status: Int? = nil, stub: StubEndpoint? = nil, nearest: StubTable.NearMiss? = nil,
    problem: String? = nil, doubt: String? = nil
  ) {
    method = request.method.rawValue
    scheme = request.scheme
    host = request.host
    port = request.port
    path = request.path
    queryText = request.queryText
    headers = CodedForm(request.headers.lines)
    body = Data(request.body.prefix(Self.longestBody))
    bodySize = request.body.count
    self.status = status
    usedStub = stub.map(PortableStub.init(describing:))
    nearestStub = nearest.map { "\($0.endpoint): \($0.differences.joined(separator: "; "))" }
    comparison = nearest?.comparison.lines() ?? []
    (self.problem, self.doubt) = (problem, doubt)
    process = ProcessInfo.processInfo.processName
  }

  package var stub: StubEndpoint? { usedStub?.stub }

  package var request: ReceivedRequest {
    var request = ReceivedRequest(
      method: .init(rawValue: method), host: host, path: path, queryText: queryText,
      headers: MessageHeaders(lines: headers.value),
      body: body)
    // A session doesn't decode bodies.
    (request.scheme, request.port, request.isCoded) = (scheme, port, request.hasContentCoding)
    return request
  }

  package var isUnmatched: Bool { usedStub == nil && problem == nil }

  package init?(_ body: Data) {
    // Through a request's JSON, which is safe to read from anyone.
    guard let report: ReportedRequest = try? ReceivedRequest(method: "POST", path: "/", body: body).json() else {
      return nil
    }
    self = report
  }
}
