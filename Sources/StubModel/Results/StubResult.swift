import Foundation

/// What a stub answers.
///
/// ```swift
/// .json(["id": 42, "title": "Walden"])
/// .json(file: "book").with(header: "ETag", "\"1\"").delayed(by: 0.5)
/// .status(503)
/// .error(.notConnectedToInternet)
/// ```
public struct StubResult: Hashable, Codable, Sendable {
  /// The content of an answer.
  public enum Content: Hashable, Codable, Sendable {
    /// None.
    case empty
    /// Bytes of a media type; `nil` for none.
    case data(Data, type: String?)
    /// A file; its media type follows from its extension.
    case file(StubFile)
    /// The file of a folder that the path's `*` names; 404 where there is none.
    case folder(StubFolder)
    /// What a test sends while the app listens.
    case stream(StubStream)
    /// A value that could not be encoded, and why; the stub is refused when it is installed.
    case invalid(String)
  }

  /// What an answer waits for between its head and its body.
  public enum BodyStart: Hashable, Codable, Sendable {
    /// A number of seconds.
    case delay(TimeInterval)
    /// A gate of the test.
    case gate(Gate)
  }

  /// The status code.
  public var status: Int
  /// The reason phrase; `nil` for the usual one of the status.
  public var reason: String?
  /// Header fields beside those that follow from the content.
  public var headers: HeaderFields
  /// The content.
  public var content: Content
  /// Seconds before the first byte of the answer is sent.
  public var delay: TimeInterval
  /// The gate that the answer waits at; `nil` for none.
  public var gate: Gate?
  /// What the body waits for when the head has been sent; `nil` for nothing.
  public var bodyStart: BodyStart?
  /// How the body is spread over time; `nil` for at once.
  public var dribble: Dribble?
  /// The injected fault.
  public var fault: Fault?
  /// The error that the app's URL loading reports in place of an answer; `nil` for none.
  ///
  /// A stub inside the app reports exactly this. A server cannot: it stalls for `.timedOut` and resets the connection for all else.
  public var errorCode: URLError.Code? {
    get { errorNumber.flatMap { URLError.Code(rawValue: $0) } }
    set { errorNumber = newValue?.rawValue }
  }
  private var errorNumber: Int?

  /// A result of all its parts; the static members are shorter.
  public init(
    status: Int = 200, headers: HeaderFields = HeaderFields(), content: Content = .empty, delay: TimeInterval = 0,
    dribble: Dribble? = nil, fault: Fault? = nil, errorCode: URLError.Code? = nil
  ) {
    self.status = status
    self.headers = headers
    self.content = content
    self.delay = delay
    self.dribble = dribble
    self.fault = fault
    errorNumber = errorCode?.rawValue
  }
}

extension StubResult {
  /// Whether the content is a resource, which gets an `ETag` and can be asked for in parts: a file, or data other than `.json` and `.text` make.
  var isResource: Bool {
    switch content {
    case .file, .folder: true
    case .data(_, let type): type != Self.jsonType && type != Self.textType
    case .empty, .stream, .invalid: false
    }
  }
}

// MARK: - How it is answered

extension StubResult {
  /// The same with another status, and optionally with a reason phrase of its own.
  public func with(status: Int, reason: String? = nil) -> StubResult {
    var result = self
    result.status = status
    result.reason = reason
    return result
  }

  /// The same with a header field, in place of those of that name.
  ///
  /// `Set-Cookie` is added: an answer may set several cookies, each on a line of its own (RFC 6265 3).
  public func with(header name: String, _ value: String) -> StubResult {
    guard name.lowercased() != "set-cookie" else { return adding(header: name, value) }
    var result = self
    result.headers.set(name, value)
    return result
  }

  /// The same with one more header field, beside those of that name.
  public func adding(header name: String, _ value: String) -> StubResult {
    var result = self
    result.headers.fields.append(HeaderFields.Field(name: name, value: value))
    return result
  }

  /// The same, some seconds later.
  public func delayed(by seconds: TimeInterval) -> StubResult {
    var result = self
    result.delay = seconds
    return result
  }

  /// The same, held back until the test opens a gate, for any number of requests.
  ///
  /// ```swift
  /// let gate = Gate()
  /// verifier.stub(.get, "/books", .json(file: "books").held(by: gate))
  /// // ... look at what the app shows while it waits ...
  /// gate.open()
  /// ```
  public func held(by gate: Gate) -> StubResult {
    var result = self
    result.gate = gate
    return result
  }

  /// The same, its head sent at once and its body when the test opens a gate.
  public func body(after gate: Gate) -> StubResult {
    var result = self
    result.bodyStart = .gate(gate)
    return result
  }

  /// The same, its head sent at once and its body some seconds later.
  public func body(after seconds: TimeInterval) -> StubResult {
    var result = self
    result.bodyStart = .delay(seconds)
    return result
  }

  /// The same, its body sent in pieces over a number of seconds.
  public func dribbled(over seconds: TimeInterval, pieces: Int = 10) -> StubResult {
    var result = self
    result.dribble = Dribble(over: seconds, pieces: pieces)
    return result
  }

  /// The same with an injected fault.
  public func failing(_ fault: Fault) -> StubResult {
    var result = self
    result.fault = fault
    return result
  }
}
