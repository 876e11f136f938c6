import Foundation

/// A request and the answer that a backend gave to it.
///
/// Content and transfer codings are removed from the bodies, and the fields that describe them from the headers.
public struct RecordedExchange: Hashable, Sendable {
  /// The request, as the app sent it.
  public struct Request: Hashable, Sendable {
    /// The method, for example `GET`.
    public var method: String
    /// The scheme, host and port of the backend, without a slash at the end: `https://api.example`.
    public var origin: String
    /// The path as sent, with its percent-encoding.
    public var path: String
    /// The text after the `?`, as sent; `nil` without one.
    public var query: String?
    /// The header fields, without `Host` and those that concern one connection only.
    public var headers: HeaderFields
    /// The body.
    public var body: Data

    /// A request.
    public init(
      method: String, origin: String, path: String, query: String? = nil, headers: HeaderFields = HeaderFields(),
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

  /// The backend's answer.
  public struct Answer: Hashable, Sendable {
    /// The status code.
    public var status: Int
    /// The header fields, with a separate field for each `Set-Cookie`.
    public var headers: HeaderFields
    /// The body.
    public var body: Data

    /// An answer.
    public init(status: Int = 200, headers: HeaderFields = HeaderFields(), body: Data = Data()) {
      self.status = status
      self.headers = headers
      self.body = body
    }
  }

  /// The request.
  public var request: Request
  /// The answer.
  public var answer: Answer
  /// The number of answered requests that change something (`POST`, `PUT`, `PATCH`, `DELETE`) at the time of the request's arrival; `nil` to
  /// derive it from the order of the exchanges.
  public var epoch: Int?

  /// A request with its answer.
  public init(request: Request, answer: Answer, epoch: Int? = nil) {
    self.request = request
    self.answer = answer
    self.epoch = epoch
  }
}
