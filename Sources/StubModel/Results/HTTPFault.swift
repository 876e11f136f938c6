/// A failure that a test injects into a request or its answer: where, and what.
///
/// ```swift
/// verifier.stub(.get, "/books", .json(file: "books").failing(HTTPFault(at: .responseBody, .reset)))
/// ```
public struct HTTPFault: Hashable, Codable, Sendable {
  /// The place in the exchange where a fault happens.
  public enum Position: String, Hashable, Codable, Sendable, CaseIterable {
    /// After the connection has been accepted, before anything is read.
    ///
    /// No request is known then, so no stub can have it. Injecting it resets idle connections, and ends the others after their answers.
    case accept
    /// After the request line and the header fields have been read.
    case requestHead
    /// In the middle of the request's body; for a request without one, after its head.
    case requestBody
    /// After the request has been read, before the first byte of the answer.
    case response
    /// In the middle of the answer's body; for an answer without one, after its head.
    case responseBody
    /// After the answer.
    case afterResponse
  }

  /// The effect on the connection or the answer.
  public enum Effect: String, Hashable, Codable, Sendable, CaseIterable {
    /// The connection is closed in order (FIN).
    case close
    /// The connection is reset (RST).
    case reset
    /// Nothing more is sent, and the connection stays open.
    case stall
    /// Bytes that aren't HTTP are sent, then the connection is closed.
    case garbage
    /// The server ends its side, but keeps reading.
    case halfClose
  }

  /// The position in the exchange.
  public var position: Position
  /// The effect.
  public var effect: Effect

  /// A fault.
  public init(at position: Position, _ effect: Effect) {
    self.position = position
    self.effect = effect
  }
}

extension HTTPFault.Position {
  /// Whether a fault at this position comes before the request has been read.
  package var isBeforeTheRequestIsRead: Bool { self == .requestHead || self == .requestBody }
}

extension HTTPFault: CustomStringConvertible {
  /// `reset at responseBody`.
  public var description: String { "\(effect) at \(position)" }
}
