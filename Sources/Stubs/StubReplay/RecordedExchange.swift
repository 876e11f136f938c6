import Foundation

/// A request and the response that a backend gave to it.
///
/// Content and transfer codings are removed from the bodies, and the fields that describe them from the headers.
package struct RecordedExchange: Hashable, Sendable {
  /// The request, as the app sent it.
  package struct Request: Hashable, Sendable {
    /// The method, for example `GET`.
    package var method: String
    /// The scheme, host and port of the backend, without a slash at the end: `https://api.example`.
    package var origin: String
    /// The path as sent, with its percent-encoding.
    package var path: String
    /// The text after the `?`, as sent; `nil` without one.
    package var query: String?
    /// The header fields, without `Host` and those that concern one connection only.
    package var headers: MessageHeaders
    package var body: Data

    /// A request.
    package init(
      method: String, origin: String, path: String, query: String? = nil, headers: MessageHeaders = MessageHeaders(),
      body: Data = Data()
    ) {
      self.method = method
      self.origin = origin
      self.path = path
      self.query = query
      self.headers = headers
      self.body = body
    }
  }

  /// The backend's response.
  package struct Response: Hashable, Sendable {
    /// The status code.
    package var status: Int
    /// The header fields, with a separate field for each `Set-Cookie`.
    package var headers: MessageHeaders
    package var body: Data

    /// A response.
    package init(status: Int = 200, headers: MessageHeaders = MessageHeaders(), body: Data = Data()) {
      self.status = status
      self.headers = headers
      self.body = body
    }
  }

  package var request: Request
  package var response: Response
  /// The number of requests with a response that change something (`POST`, `PUT`, `PATCH`, `DELETE`) at the time of the request's arrival; `nil` to
  /// derive it from the order of the exchanges.
  package var epoch: Int?

  package init(request: Request, response: Response, epoch: Int? = nil) {
    self.request = request
    self.response = response
    self.epoch = epoch
  }
}
