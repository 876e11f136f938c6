import Foundation

/// The response of a stub.
///
/// ```swift
/// .json(["id": 42, "title": "Walden"])
/// .json(file: "book").with(header: "ETag", "\"1\"").delayed(by: 0.5)
/// .status(503)
/// .error(.notConnectedToInternet)
/// ```
public struct StubResponse: Hashable, Sendable {
  /// The content of a response.
  package enum Content: Hashable, Sendable {
    case empty
    /// Bytes of a media type; `nil` for none.
    case data(Data, type: String?)
    /// A file; its media type follows from its extension.
    case file(StubFile)
    /// The file of a folder that the path's `*` names; 404 if the folder has none.
    case folder(StubFolder)
    /// A body that the test writes while the app listens.
    case stream(ByIdentity<StubStream>)
    /// A value that can't be encoded, with the reason; the stub is refused when it is installed.
    case invalid(String)
  }

  /// The event that the body waits for after the head.
  package enum BodyStart: Hashable, Sendable {
    /// A number of seconds.
    case delay(TimeInterval)
    /// A gate of the test.
    case gate(ByIdentity<StubGate>)
  }

  /// The status code.
  package var status: Int
  /// The reason phrase; `nil` for the status's usual one.
  package var reason: String?
  /// Header fields, besides those that follow from the content.
  package var headers: MessageHeaders
  package var content: Content
  /// The time before the first byte is sent, in seconds.
  package var delay: TimeInterval
  /// The gate that holds the response back; `nil` for none.
  package var gate: StubGate? {
    get { heldBy?.object }
    set { heldBy = newValue.map { ByIdentity($0) } }
  }
  private var heldBy: ByIdentity<StubGate>?
  /// The event that the body waits for after the head; `nil` for none.
  package var bodyStart: BodyStart?
  /// The pieces in which the body is sent, and the time that they take; `nil` for at once.
  package var dribble: Dribble?
  /// The injected fault.
  package var fault: HTTPFault?
  /// The error that the app's URL loading reports instead of a response; `nil` for none.
  ///
  /// A stub in an app reports exactly this error. A server can't: it stalls for `.timedOut`, and resets the connection for all others.
  package var errorCode: URLError.Code?
  /// The epoch that follows a backend's recorded response, 0 if it changes nothing; `nil` for any other response.
  package var nextEpoch: Int?
  /// Whether it is a backend's recorded response, which has only the header fields that were recorded, and `{base}` for the backend's origin.
  package var isRecorded: Bool { nextEpoch != nil }

  /// Creates a response from all its parts; the static members are shorter.
  package init(
    status: Int = 200, headers: MessageHeaders = MessageHeaders(), content: Content = .empty, delay: TimeInterval = 0,
    dribble: Dribble? = nil, fault: HTTPFault? = nil, errorCode: URLError.Code? = nil
  ) {
    self.status = status
    self.headers = headers
    self.content = content
    self.delay = delay
    self.dribble = dribble
    self.fault = fault
    self.errorCode = errorCode
  }
}

extension StubResponse {
  /// Whether the content is a resource, which gets an `ETag` and can be requested in parts: a file or data, but not `.json` or `.text`.
  var isResource: Bool {
    guard !isRecorded else { return false }
    return switch content {
    case .file, .folder: true
    case .data(_, let type): type != Self.jsonType && type != Self.textType
    case .empty, .stream, .invalid: false
    }
  }
}
