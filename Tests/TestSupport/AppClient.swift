import Foundation
import TrackingVerifier
import XCTest

/// A client as apps have it: `URLSession` and a base URL.
package final class AppClient: Sendable {
  /// A response as a client sees it.
  package struct Response: Equatable {
    package var status: Int
    package var text: String
    package var type: String?

    package init(status: Int, text: String, type: String? = nil) {
      (self.status, self.text, self.type) = (status, text, type)
    }
  }

  private let baseURL: URL
  private let session = URLSession(configuration: .ephemeral)

  package init(_ verifier: TrackingVerifier) {
    baseURL = verifier.baseURL
  }

  deinit {
    session.invalidateAndCancel()
  }

  /// Sends a request and returns the whole response.
  package func send(_ method: String, _ target: String, _ body: String? = nil, type: String? = nil) async throws
    -> Response
  {
    var request = URLRequest(url: try XCTUnwrap(URL(string: "\(baseURL)\(target)")))
    request.httpMethod = method
    request.httpBody = body.map { Data($0.utf8) }
    if let type { request.setValue(type, forHTTPHeaderField: "Content-Type") }
    let (data, response) = try await session.data(for: request)
    let http = try XCTUnwrap(response as? HTTPURLResponse)
    return Response(
      status: http.statusCode, text: String(decoding: data, as: UTF8.self),
      type: http.value(forHTTPHeaderField: "Content-Type"))
  }

  /// The text of the response to a GET.
  package func text(_ target: String) async throws -> String {
    try await send("GET", target).text
  }

  /// The statuses of the responses to several equal GETs, one after the other.
  package func statuses(_ target: String, count: Int) async throws -> [Int] {
    var statuses: [Int] = []
    for _ in 0..<count { statuses.append(try await send("GET", target).status) }
    return statuses
  }
}
