/// A place in a recording where a secret was.
public struct RedactedPosition: Hashable, Codable, Sendable, CustomStringConvertible {
  /// The index of the exchange.
  public var exchange: Int
  /// The place in the exchange: `request header Authorization`, `answer body user.tokens[0]`.
  public var place: String
  /// The text that is there now.
  public var placeholder: String

  /// A place in an exchange.
  public init(exchange: Int, place: String, placeholder: String) {
    (self.exchange, self.place, self.placeholder) = (exchange, place, placeholder)
  }

  /// The place and its placeholder.
  public var description: String { "\(place): \(placeholder)" }
}
