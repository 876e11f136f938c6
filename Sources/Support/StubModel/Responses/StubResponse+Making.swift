import Foundation
import TrackingModel

extension StubResponse {
  /// A response with status 200 and no body.
  public static let ok = StubResponse()

  /// Returns a response without a body, optionally with a reason phrase.
  public static func status(_ status: Int, reason: String? = nil) -> StubResponse {
    StubResponse(status: status).with(status: status, reason: reason)
  }

  /// Returns a value as JSON; a value that can't be encoded fails where the stub is installed.
  ///
  /// Without an encoder, members are sorted by name, so that every run has the same response.
  public static func json(_ value: some Encodable, encoder: JSONEncoder? = nil, status: Int = 200) -> StubResponse {
    do {
      return StubResponse(status: status, content: .data(try (encoder ?? sorting()).encode(value), type: jsonType))
    } catch {
      return StubResponse(status: status, content: .invalid("\(type(of: value)) can't be encoded as JSON: \(error)"))
    }
  }

  /// Returns a JSON literal: `.json(["id": 42, "tags": ["new", nil]])`.
  public static func json(_ value: TrackingValue, status: Int = 200) -> StubResponse {
    var writer = JSONWriter()
    writer.write(value)
    return StubResponse(status: status, content: .data(Data(writer.bytes), type: jsonType))
  }

  /// Returns a JSON object of variables and literals: `.json(["id": id, "title": book.title, "read": nil])`.
  @_disfavoredOverload
  public static func json(_ members: [String: (any TrackingValueConvertible)?], status: Int = 200) -> StubResponse {
    .json(.object(members.mapValues { $0?.trackingValue ?? .null }), status: status)
  }

  /// Returns a JSON file: `.json(file: "book")` is `book.json` in the verifier's folder of stub files.
  ///
  /// A file that isn't JSON fails where the stub is installed, with line and column.
  public static func json(file name: String, in folder: StubFolder? = nil, status: Int = 200) -> StubResponse {
    let file = StubFile(name.lowercased().hasSuffix(".json") ? name : "\(name).json", in: folder, isJSON: true)
    return StubResponse(status: status, content: .file(file))
  }

  /// Returns text in UTF-8.
  public static func text(_ text: String, type: String = "text/plain; charset=utf-8", status: Int = 200) -> StubResponse
  {
    StubResponse(status: status, content: .data(Data(text.utf8), type: type))
  }

  /// Returns bytes with a media type.
  ///
  /// As for files, the response has an `ETag`, is partial if the request has a `Range`, and is a 304 if the client already has the bytes.
  public static func data(_ data: Data, type: String? = "application/octet-stream", status: Int = 200) -> StubResponse {
    StubResponse(status: status, content: .data(data, type: type))
  }

  /// Returns a file, with the media type of its extension.
  public static func file(_ name: String, in folder: StubFolder? = nil, status: Int = 200) -> StubResponse {
    StubResponse(status: status, content: .file(StubFile(name, in: folder)))
  }

  /// Returns the file of a folder that the `*` at the end of the stub's path names.
  ///
  /// ```swift
  /// verifier.stub(.get, "/images/*", .files(in: .bundle(.module)))
  /// ```
  ///
  /// No name can leave the folder, neither by `..` nor by an encoded slash or a symbolic link: such a request gets a 404.
  public static func files(in folder: StubFolder) -> StubResponse {
    StubResponse(content: .folder(folder))
  }

  /// Returns a body that the test sends while the app listens.
  ///
  /// ```swift
  /// let log = StubStream()
  /// verifier.stub(.get, "/log", .stream(log, type: "text/plain"))
  /// log.send("started")
  /// ```
  public static func stream(
    _ stream: StubStream, type: String = "application/octet-stream", status: Int = 200
  ) -> StubResponse {
    StubResponse(status: status, headers: ["Content-Type": type], content: .stream(ByIdentity(stream)))
  }

  /// Returns server-sent events that the test sends while the app listens; browsers read them with `EventSource`.
  public static func eventStream(_ stream: StubStream, status: Int = 200) -> StubResponse {
    .stream(stream, type: "text/event-stream", status: status).with(header: "Cache-Control", "no-cache")
  }

  /// Reports an error instead of responding.
  ///
  /// A stub in an app reports exactly this error. A server stalls for `.timedOut`, and resets the connection for all other errors.
  public static func error(_ code: URLError.Code) -> StubResponse {
    StubResponse(errorCode: code)
  }

  /// Returns an empty response with an injected fault.
  public static func fault(_ fault: HTTPFault) -> StubResponse {
    StubResponse(fault: fault)
  }

  static let jsonType = "application/json"
  static let textType = "text/plain; charset=utf-8"

  private static func sorting() -> JSONEncoder {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return encoder
  }
}
