import Foundation

/// The answer of a stub.
///
/// ```swift
/// .json(["id": 42, "title": "Walden"])
/// .json(file: "book").with(header: "ETag", "\"1\"").delayed(by: 0.5)
/// .status(503)
/// .error(.notConnectedToInternet)
/// ```
public struct StubResult: Hashable, Sendable {
  /// The content of an answer.
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
  package var headers: HeaderFields
  package var content: Content
  /// The time before the first byte is sent, in seconds.
  package var delay: TimeInterval
  /// The gate that holds the answer back; `nil` for none.
  package var gate: StubGate? {
    get { heldBy?.object }
    set { heldBy = newValue.map { ByIdentity($0) } }
  }
  private var heldBy: ByIdentity<StubGate>?
  /// The event that the body waits for after the head; `nil` for none.
  package var bodyStart: BodyStart?
  /// The pieces in which the body is sent, and over which time; `nil` for at once.
  package var dribble: Dribble?
  /// The injected fault.
  package var fault: HTTPFault?
  /// The error that the app's URL loading reports instead of an answer; `nil` for none.
  ///
  /// A stub in an app reports exactly this error. A server can't: it stalls for `.timedOut`, and resets the connection for all others.
  package var errorCode: URLError.Code?
  /// The epoch that follows a backend's recorded answer, 0 if it changes nothing; `nil` for any other result.
  package var nextEpoch: Int?
  /// Whether it is a backend's recorded answer, which has only the header fields that were recorded, and `{base}` for the backend's origin.
  package var isRecorded: Bool { nextEpoch != nil }

  /// A result with all its parts; the static members are shorter.
  package init(
    status: Int = 200, headers: HeaderFields = HeaderFields(), content: Content = .empty, delay: TimeInterval = 0,
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

extension StubResult {
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

// MARK: - Variations

extension StubResult {
  /// The same with another status, and optionally with its own reason phrase.
  public func with(status: Int, reason: String? = nil) -> StubResult {
    changed(self) { result in
      result.status = status
      result.reason = reason
    }
  }

  /// The same with a header field, which replaces those of that name.
  ///
  /// `Set-Cookie` is added instead: an answer may set several cookies, each on its own line (RFC 6265 3).
  public func with(header name: String, _ value: String) -> StubResult {
    guard name.lowercased() != "set-cookie" else { return adding(header: name, value) }
    return changed(self) { $0.headers[name] = value }
  }

  /// The same with an additional header field, also if it has one of that name.
  public func adding(header name: String, _ value: String) -> StubResult {
    changed(self) { $0.headers.lines.append(NamedText(name: name, value: value)) }
  }

  /// The same, some seconds later.
  public func delayed(by seconds: TimeInterval) -> StubResult {
    changed(self) { $0.delay = seconds }
  }

  /// The same, held back until the test opens a gate, for any number of requests.
  ///
  /// ```swift
  /// let gate = StubGate()
  /// verifier.stub(.get, "/books", .json(file: "books").held(by: gate))
  /// // ... look at what the app shows while it waits ...
  /// gate.open()
  /// ```
  public func held(by gate: StubGate) -> StubResult {
    changed(self) { $0.gate = gate }
  }

  /// The same, with its head sent at once and its body when the test opens a gate.
  public func body(after gate: StubGate) -> StubResult {
    changed(self) { $0.bodyStart = .gate(ByIdentity(gate)) }
  }

  /// The same, with its head sent at once and its body some seconds later.
  public func body(after seconds: TimeInterval) -> StubResult {
    changed(self) { $0.bodyStart = .delay(seconds) }
  }

  /// The same, with its body sent in pieces over a number of seconds.
  public func dribbled(over seconds: TimeInterval, pieces: Int = 10) -> StubResult {
    changed(self) { $0.dribble = Dribble(over: seconds, pieces: pieces) }
  }

  /// The same with an injected fault.
  public func failing(_ fault: HTTPFault) -> StubResult {
    changed(self) { $0.fault = fault }
  }
}

extension StubResult {
  /// A body that is sent in pieces over a time.
  package struct Dribble: Hashable, Codable, Sendable {
    /// Seconds from the first piece to the last.
    package var duration: TimeInterval
    /// The number of pieces: at most the number of bytes, and at most 10,000.
    package var pieces: Int

    /// A body in pieces.
    package init(over duration: TimeInterval, pieces: Int) {
      self.duration = duration
      self.pieces = pieces
    }

    /// Each piece is a separate step for the sender.
    private static let mostPieces = 10_000

    /// The pieces of a body with a number of bytes; none is empty.
    package func pieces(ofBytes count: Int) -> [Range<Int>] {
      let pieces = max(min(pieces, count, Self.mostPieces), 0)
      return (0..<pieces).map { count * $0 / pieces..<count * ($0 + 1) / pieces }
    }
  }
}

/// A copy of a value with a change.
package func changed<Value>(_ value: Value, _ change: (inout Value) -> Void) -> Value {
  var copy = value
  change(&copy)
  return copy
}
