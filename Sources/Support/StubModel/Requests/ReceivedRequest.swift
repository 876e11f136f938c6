import Foundation
import TrackingJSON
import TrackingModel

/// A request that a server or a stubbed session has received.
public struct ReceivedRequest: Hashable, Sendable {
  /// The method, for example `GET`.
  public var method: Method
  /// `http` or `https` for a request of a session in an app; `nil` on a server, which supports only `http`.
  public var scheme: String?
  /// The requested host, in lower case and without its port; `nil` if the request has none.
  public var host: String?
  /// The URL's port for a request of a session in an app; `nil` on a server, which has one port.
  public var port: Int?
  /// Whether the body has a content coding, which isn't decoded.
  package var isCoded = false
  /// The path as sent, percent-encoded; `/` if it is empty.
  public var path: String
  /// The text after the `?`, as sent.
  package var queryText: String?
  /// The header fields.
  public var headers: MessageHeaders
  /// The body.
  public var body: Data
  /// The values of the path's variable parts, by name.
  ///
  /// A `:param` has its segment, decoded. The `*` at the end of a path has the text that it matches, as sent. The groups of a regular expression
  /// are named `1`, `2` and so on.
  public var pathParams: [String: String] = [:]
  package var jsonDepth = ReceivedRequest.deepestJSON

  /// Creates a request.
  public init(
    method: Method, host: String? = nil, path: String, queryText: String? = nil,
    headers: MessageHeaders = MessageHeaders(),
    body: Data = Data()
  ) {
    self.method = method
    self.host = host
    self.path = path
    self.queryText = queryText
    self.headers = headers
    self.body = body
  }

  /// The decoded items of the query.
  public var query: ReceivedFields { ReceivedFields(queryText ?? "") }

  /// The cookies of the `Cookie` field, as sent (RFC 6265 4.2).
  public var cookies: ReceivedFields {
    // RFC 9113 8.2.3: some clients split the field, and semicolons join it again.
    ReceivedFields(
      cookies: headers.lines.filter { $0.name.lowercased() == "cookie" }.map(\.value).joined(separator: ";"))
  }

  /// The fields of a form in the body.
  public var form: ReceivedFields { ReceivedFields(text) }

  /// The parts of a `multipart/form-data` body, in order; `nil` for another body.
  public var parts: [ReceivedPart]? { ReceivedPart.parts(of: body, type: headers["Content-Type"] ?? "") }

  /// The body as text, without a byte order mark, and with invalid UTF-8 replaced by U+FFFD.
  public var text: String { String(decoding: body.withoutByteOrderMark, as: UTF8.self) }

  /// Whether a header field names a content coding (RFC 9110 8.4).
  package var hasContentCoding: Bool {
    headers["Content-Encoding"].map { $0.lowercased() != "identity" } ?? false
  }

  /// The path and the query as sent.
  public var target: String { path + (queryText.map { "?\($0)" } ?? "") }

  /// Whether the method changes something at the backend.
  package var changesSomething: Bool { ["POST", "PUT", "PATCH", "DELETE"].contains(method) }

  /// The scheme, host and port that the sender used, without a trailing slash: `http://localhost:50123`.
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

  /// The port of a URL without one (RFC 9110 4.2).
  package static func defaultPort(ofScheme scheme: String?) -> Int? {
    switch scheme {
    case "http": 80
    case "https": 443
    default: nil
    }
  }
}

extension Data {
  var withoutByteOrderMark: Data { starts(with: [0xEF, 0xBB, 0xBF]) ? dropFirst(3) : self }
}
