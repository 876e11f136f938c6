import Foundation

/// A failure that a test injects into a request or its response: a position in the exchange, and an effect.
///
/// ```swift
/// verifier.stub(.get, "/books", .json(file: "books").failing(HTTPFault(at: .responseBody, .reset)))
/// ```
public struct HTTPFault: Hashable, Sendable {
  /// The position in the exchange.
  package var position: Position
  /// The effect on the connection.
  package var effect: Effect

  /// A fault.
  public init(at position: Position, _ effect: Effect) {
    self.position = position
    self.effect = effect
  }
}

extension HTTPFault {
  /// A position in an exchange at which a fault happens.
  public enum Position: String, CaseIterable, Hashable, Sendable {
    /// After the connection has been accepted, before anything is read.
    ///
    /// No request is known then, so no stub can have it. Injecting it resets idle connections, and ends the others after their responses.
    case accept
    /// After the request line and the header fields have been read.
    ///
    /// A stub's fault waits for the whole request if a stub that is tried before it looks at the body or has a closure: only then is it known
    /// which of them responds. The fault still comes in place of the response, but the client has sent its body.
    case requestHead
    /// In the middle of the request's body; for a request without one, after its head.
    ///
    /// A stub's fault waits for the whole request where one at ``requestHead`` does.
    case requestBody
    /// After the request has been read, before the first byte of the response.
    case response
    /// In the middle of the response's body; for a response without a body, after its head.
    case responseBody
    /// After the response.
    case afterResponse

    /// Whether a fault at this position comes before the request has been read.
    package var isBeforeTheRequestIsRead: Bool { self == .requestHead || self == .requestBody }
  }

  /// An effect of a fault on a connection.
  public enum Effect: String, CaseIterable, Hashable, Sendable {
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

    /// The error that a stub in an app reports for the effect.
    package var errorCode: URLError.Code {
      switch self {
      case .close, .reset, .halfClose: .networkConnectionLost
      case .stall: .timedOut
      case .garbage: .cannotParseResponse
      }
    }
  }
}

extension HTTPFault: CustomStringConvertible {
  /// `reset at responseBody`.
  public var description: String { "\(effect) at \(position)" }
}
