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
    /// A value that could not be encoded, and why; the stub is refused when it is installed.
    case invalid(String)
  }

  /// The status code.
  public var status: Int
  /// Header fields beside those that follow from the content.
  public var headers: HeaderFields
  /// The content.
  public var content: Content
  /// Seconds before the answer begins.
  public var delay: TimeInterval
  /// How the body is spread over time; `nil` for at once.
  public var dribble: Dribble?
  /// What goes wrong.
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

// MARK: - How it is answered

extension StubResult {
  /// The same with another status.
  public func with(status: Int) -> StubResult {
    var result = self
    result.status = status
    return result
  }

  /// The same with a header field, in place of those of that name.
  public func with(header name: String, _ value: String) -> StubResult {
    var result = self
    result.headers.set(name, value)
    return result
  }

  /// The same, some seconds later.
  public func delayed(by seconds: TimeInterval) -> StubResult {
    var result = self
    result.delay = seconds
    return result
  }

  /// The same, its body sent in pieces over a number of seconds.
  public func dribbled(over seconds: TimeInterval, pieces: Int = 10) -> StubResult {
    var result = self
    result.dribble = Dribble(over: seconds, pieces: pieces)
    return result
  }

  /// The same, with something that goes wrong.
  public func failing(_ fault: Fault) -> StubResult {
    var result = self
    result.fault = fault
    return result
  }
}
