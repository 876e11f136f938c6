import Foundation

/// A request and a backend's response to it.
///
/// Content and transfer codings are removed from the bodies, and their fields from the headers.
package struct RecordedExchange: Hashable, Sendable {
  package struct Request: Hashable, Sendable {
    package var method: String
    /// The scheme, host and port of the backend, without a trailing slash: `https://api.example`.
    package var origin: String
    /// As sent, percent-encoded.
    package var path: String
    /// The text after the `?`, as sent.
    package var query: String?
    /// Without `Host` and fields that concern only one connection.
    package var headers: MessageHeaders
    package var body: Data

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

  package struct Response: Hashable, Sendable {
    package var status: Int
    /// Has a separate field for each `Set-Cookie`.
    package var headers: MessageHeaders
    package var body: Data

    package init(status: Int = 200, headers: MessageHeaders = MessageHeaders(), body: Data = Data()) {
      self.status = status
      self.headers = headers
      self.body = body
    }
  }

  package var request: Request
  package var response: Response
  /// The number of earlier requests that change something (`POST`, `PUT`, `PATCH`, `DELETE`) and had a response when this one arrived; `nil` to
  /// derive it from the order of the exchanges.
  package var epoch: Int?

  package init(request: Request, response: Response, epoch: Int? = nil) {
    self.request = request
    self.response = response
    self.epoch = epoch
  }
}
