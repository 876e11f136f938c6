import Foundation

/// A failure that a test injects into a request or its answer: a position in the exchange, and an effect.
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
  public struct Position: Hashable, Sendable {
    package enum Place: String, Hashable, Codable, CaseIterable, Sendable {
      case accept, requestHead, requestBody, response, responseBody, afterResponse
    }

    package let place: Place

    /// After the connection has been accepted, before anything is read.
    ///
    /// No request is known then, so no stub can have it. Injecting it resets idle connections, and ends the others after their answers.
    public static let accept = Position(place: .accept)
    /// After the request line and the header fields have been read.
    ///
    /// A stub's fault waits for the whole request if a stub that is tried before it looks at the body or has a closure: only then is it known
    /// which of them answers. The fault still comes in place of the answer, but the client has sent its body.
    public static let requestHead = Position(place: .requestHead)
    /// In the middle of the request's body; for a request without one, after its head.
    ///
    /// A stub's fault waits for the whole request where one at ``requestHead`` does.
    public static let requestBody = Position(place: .requestBody)
    /// After the request has been read, before the first byte of the answer.
    public static let response = Position(place: .response)
    /// In the middle of the answer's body; for an answer without one, after its head.
    public static let responseBody = Position(place: .responseBody)
    /// After the answer.
    public static let afterResponse = Position(place: .afterResponse)

    /// Whether a fault at this position comes before the request has been read.
    package var isBeforeTheRequestIsRead: Bool { place == .requestHead || place == .requestBody }
  }

  /// An effect of a fault on a connection.
  public struct Effect: Hashable, Sendable {
    /// The action of a server's connection.
    package enum Action: String, Hashable, Codable, CaseIterable, Sendable {
      case close, reset, stall, garbage, halfClose
    }

    package let action: Action

    /// The connection is closed in order (FIN).
    public static let close = Effect(action: .close)
    /// The connection is reset (RST).
    public static let reset = Effect(action: .reset)
    /// Nothing more is sent, and the connection stays open.
    public static let stall = Effect(action: .stall)
    /// Bytes that aren't HTTP are sent, then the connection is closed.
    public static let garbage = Effect(action: .garbage)
    /// The server ends its side, but keeps reading.
    public static let halfClose = Effect(action: .halfClose)

    /// The error that a stub in an app reports for the effect.
    package var errorCode: URLError.Code {
      switch action {
      case .close, .reset, .halfClose: .networkConnectionLost
      case .stall: .timedOut
      case .garbage: .cannotParseResponse
      }
    }
  }
}

extension HTTPFault.Position: CaseIterable, CustomStringConvertible {
  /// All positions, in the order of an exchange.
  public static var allCases: [HTTPFault.Position] { Place.allCases.map(HTTPFault.Position.init) }

  /// `responseBody`.
  public var description: String { place.rawValue }
}

extension HTTPFault.Effect: CaseIterable, CustomStringConvertible {
  /// All effects.
  public static var allCases: [HTTPFault.Effect] { Action.allCases.map(HTTPFault.Effect.init) }

  /// `reset`.
  public var description: String { action.rawValue }
}

extension HTTPFault: CustomStringConvertible {
  /// `reset at responseBody`.
  public var description: String { "\(effect) at \(position)" }
}
