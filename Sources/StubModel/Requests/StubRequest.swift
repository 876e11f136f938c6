import Foundation
import TrackingJSON
import TrackingModel

/// A request as stubs see it.
public struct StubRequest: Hashable, Sendable {
  /// The method, for example `GET`.
  public var method: String
  /// The host that the request names, in lower case and without its port; `nil` when it names none.
  public var host: String?
  /// The path as it was sent, percent-encoding and all; `/` when it is empty.
  public var path: String
  /// What follows the `?`, as it was sent; `nil` without one.
  public var queryText: String?
  /// The header fields.
  public var headers: HeaderFields
  /// The body.
  public var body: Data
  /// What the `:param`s of the stub's path stand for in this request, decoded.
  ///
  /// What the `*` at the end of a path stands for is named `*`, and is as it was sent; the groups of a regular expression are `1`, `2` and
  /// so on.
  public var pathParams: [String: String] = [:]
  /// The deepest nesting of a JSON body.
  package var jsonDepth = StubRequest.deepestJSON

  /// A request.
  public init(
    method: String, host: String? = nil, path: String, queryText: String? = nil, headers: HeaderFields = HeaderFields(),
    body: Data = Data()
  ) {
    self.method = method
    self.host = host
    self.path = path
    self.queryText = queryText
    self.headers = headers
    self.body = body
  }

  /// The items of the query, decoded.
  public var query: FormFields { FormFields(queryText ?? "") }

  /// The fields of a body that is a form.
  public var form: FormFields { FormFields(String(decoding: body, as: UTF8.self)) }

  /// The body as text, bytes that are no UTF-8 replaced by U+FFFD.
  public var text: String { String(decoding: body, as: UTF8.self) }

  /// The path and the query as they were sent.
  public var target: String { path + (queryText.map { "?\($0)" } ?? "") }

  /// The body's JSON as a type.
  ///
  /// - Throws: `DecodingError` if the body isn't JSON of that type, or is nested deeper than the server's limit (in an app 64 levels).
  public func json<Value: Decodable>(_ type: Value.Type = Value.self, decoder: JSONDecoder = JSONDecoder()) throws
    -> Value
  {
    do throws(JSONError) {
      try checkJSON()
    } catch {
      throw DecodingError.dataCorrupted(
        DecodingError.Context(codingPath: [], debugDescription: "The body isn't valid JSON: \(error.words)."))
    }
    return try decoder.decode(type, from: body)
  }
}
