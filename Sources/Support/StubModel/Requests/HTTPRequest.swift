import Foundation
import TrackingJSON
import TrackingModel

/// A request, as stubs compare it and closures receive it.
public struct HTTPRequest: Hashable, Sendable {
  /// The method, for example `GET`.
  public var method: Method
  /// `http` or `https`, for a request of a session in an app; `nil` on a server, which is reached by `http` alone.
  public var scheme: String?
  /// The host that the request names, in lower case and without its port; `nil` when it names none.
  public var host: String?
  /// The port of the URL, for a request of a session in an app; `nil` on a server, which has one port.
  public var port: Int?
  /// Whether the body is still in its content coding, which isn't decoded.
  package var isCoded = false
  /// The path as sent, with its percent-encoding; `/` when it is empty.
  public var path: String
  /// The text after the `?`, as sent; `nil` without one.
  package var queryText: String?
  /// The header fields.
  public var headers: HeaderFields
  /// The body.
  public var body: Data
  /// The segments of the path that match the `:param`s of the stub's path, decoded.
  ///
  /// The text that matches a `*` at the end of a path is named `*`, and is as sent; the groups of a regular expression are `1`, `2` and so
  /// on.
  public var pathParams: [String: String] = [:]
  /// The deepest nesting of a JSON body.
  package var jsonDepth = HTTPRequest.deepestJSON

  /// A request.
  public init(
    method: Method, host: String? = nil, path: String, queryText: String? = nil, headers: HeaderFields = HeaderFields(),
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

  /// The cookies of the `Cookie` field, as sent (RFC 6265 4.2).
  public var cookies: FormFields {
    // RFC 9113 8.2.3: some clients split the field, and semicolons join it again.
    FormFields(cookies: headers.lines.filter { $0.name.lowercased() == "cookie" }.map(\.value).joined(separator: ";"))
  }

  /// The fields of a body that is a form.
  public var form: FormFields { FormFields(text) }

  /// The parts of a `multipart/form-data` body, in order; `nil` if the body isn't one.
  public var parts: [FormPart]? { FormPart.parts(of: body, type: headers["Content-Type"] ?? "") }

  /// The body as text, without a byte order mark, and with invalid UTF-8 replaced by U+FFFD.
  public var text: String { String(decoding: body.withoutByteOrderMark, as: UTF8.self) }

  /// Whether a header field says that the body has a content coding (RFC 9110 8.4).
  package var hasContentCoding: Bool {
    headers["Content-Encoding"].map { $0.lowercased() != "identity" } ?? false
  }

  /// The path and the query as sent.
  public var target: String { path + (queryText.map { "?\($0)" } ?? "") }

  /// Whether its method says that it changes something at the backend.
  package var changesSomething: Bool { ["POST", "PUT", "PATCH", "DELETE"].contains(method) }

  /// The scheme, host and port that the sender used, without a slash at the end: `http://localhost:50123`.
  package var base: String {
    guard let scheme else { return "http://\(headers["Host"] ?? host ?? "localhost")" }
    let host = host ?? ""
    let port = port == Self.defaultPort(ofScheme: scheme) ? "" : port.map { ":\($0)" } ?? ""
    return "\(scheme)://\(host.contains(":") ? "[\(host)]" : host)\(port)"
  }

  /// Decodes the body from JSON.
  ///
  /// - Throws: `DecodingError` if the body isn't JSON of that type, or is nested deeper than the server's limit (in an app 64 levels).
  public func json<Value: Decodable>(_ type: Value.Type = Value.self, decoder: JSONDecoder = JSONDecoder()) throws
    -> Value
  {
    do throws(JSONError) {
      try checkJSON()
    } catch {
      throw DecodingError.dataCorrupted(
        DecodingError.Context(codingPath: [], debugDescription: "The body can't be read as JSON: \(error.words)."))
    }
    return try decoder.decode(type, from: body.withoutByteOrderMark)
  }

  /// The port of a URL that doesn't name one (RFC 9110 4.2).
  package static func defaultPort(ofScheme scheme: String?) -> Int? {
    switch scheme {
    case "http": 80
    case "https": 443
    default: nil
    }
  }
}

extension Data {
  /// The same bytes without a byte order mark of UTF-8 at their beginning.
  var withoutByteOrderMark: Data { starts(with: [0xEF, 0xBB, 0xBF]) ? dropFirst(3) : self }
}
