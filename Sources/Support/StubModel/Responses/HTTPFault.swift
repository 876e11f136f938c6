import Foundation

/// A failure that a test injects into a request or its response: a position in the exchange, and an effect.
///
/// ```swift
/// verifier.stub(.get, "/books", .json(file: "books").failing(HTTPFault(.reset, at: .responseBody)))
/// ```
public struct HTTPFault: Hashable, Sendable {
  package var position: Position
  package var effect: Effect

  /// Creates a fault.
  public init(_ effect: Effect, at position: Position) {
    self.position = position
    self.effect = effect
  }

  /// Unavailable: a fault has a position.
  @available(*, unavailable, message: "a fault has a position: write HTTPFault(.reset, at: .response)")
  public static var reset: HTTPFault { HTTPFault(.reset, at: .response) }
}

extension HTTPFault {
  /// The position in an exchange at which a fault happens.
  public enum Position: String, CaseIterable, Hashable, Sendable {
    /// After the connection has been accepted, before anything is read.
    ///
    /// No request is known yet, so no stub can have a fault at this position. Injecting it resets idle connections, and closes the others after
    /// their responses.
    case accept
    /// After the request line and the header fields have been read.
    ///
    /// A stub's fault waits for the whole request if a stub that is tried before reads the body or has a closure, because only then it is known
    /// which of them responds. The fault still replaces the response, but the client has sent its body.
    case requestHead
    /// In the middle of the request's body; for a request without one, after its head.
    ///
    /// A stub's fault waits for the whole request in the same cases as at ``requestHead``.
    case requestBody
    /// After the request has been read, before the first byte of the response.
    case response
    /// In the middle of the response's body; for a response without a body, after its head.
    case responseBody
    /// After the response.
    case afterResponse

    /// A step of an exchange, at which a fault is taken.
    package enum Step {
      case connection, request, response
    }

    package var step: Step {
      switch self {
      case .accept: .connection
      case .requestHead, .requestBody: .request
      case .response, .responseBody, .afterResponse: .response
      }
    }

    package var isBeforeTheRequestIsRead: Bool { step == .request }

    /// The positions of a stub's faults: no request is known when a connection is accepted.
    package static let ofStubs = allCases.filter { $0.step != .connection }
  }

  /// The effect of a fault on a connection.
  public enum Effect: String, CaseIterable, Hashable, Sendable {
    /// Closes the connection in order (FIN).
    case close
    /// Resets the connection (RST).
    case reset
    /// Sends nothing more, and keeps the connection open.
    case stall
    /// Sends bytes that aren't HTTP, then closes the connection.
    case garbage
    /// Closes the sending side, but keeps reading.
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
  /// The effect and the position: `reset at responseBody`.
  public var description: String { "\(effect) at \(position)" }
}
