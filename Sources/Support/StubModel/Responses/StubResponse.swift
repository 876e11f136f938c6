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
  package enum Content: Hashable, Sendable {
    case empty
    case data(Data, type: String?)
    /// The extension decides the media type.
    case file(StubFile)
    /// The file that the path's `*` names; 404 if the folder doesn't have it.
    case folder(StubFolder)
    /// Written by the test while the app listens.
    case stream(ByIdentity<StubStream>)
    /// The reason why a value can't be encoded; the stub is refused when it is installed.
    case invalid(String)
  }

  /// The event that the body waits for after the head.
  package enum BodyStart: Hashable, Sendable {
    /// In seconds.
    case delay(TimeInterval)
    case gate(ByIdentity<StubGate>)
  }

  package var status: Int
  /// `nil` for the status's usual phrase.
  package var reason: String?
  /// Header fields in addition to those of the content.
  package var headers: MessageHeaders
  package var content: Content
  /// The time before the first byte is sent, in seconds.
  package var delay: TimeInterval
  package var gate: StubGate? {
    get { heldBy?.object }
    set { heldBy = newValue.map { ByIdentity($0) } }
  }
  private var heldBy: ByIdentity<StubGate>?
  package var bodyStart: BodyStart?
  /// The pieces in which the body is sent; `nil` to send it at once.
  package var dribble: Dribble?
  package var fault: HTTPFault?
  /// The error that the app's URL loading reports instead of a response.
  ///
  /// A stub in an app reports exactly this error. A server stalls for `.timedOut`, and resets the connection for all other errors.
  package var errorCode: URLError.Code?
  /// The epoch that follows a recorded response, 0 if it changes nothing; `nil` for any other response.
  package var nextEpoch: Int?
  /// Whether a backend's response was recorded: it has only the recorded header fields, and `{base}` for the backend's origin.
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
  /// Whether the content is a file or data, which gets an `ETag` and can be requested in parts; `false` for `.json` and `.text`.
  var isResource: Bool {
    guard !isRecorded else { return false }
    return switch content {
    case .file, .folder: true
    case .data(_, let type): type != Self.jsonType && type != Self.textType
    case .empty, .stream, .invalid: false
    }
  }
}
