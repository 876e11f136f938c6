/// A place in exchanges where a secret was.
struct RedactedPosition: Equatable, CustomStringConvertible {
  /// The index of the exchange.
  let exchange: Int
  /// The place in the exchange: `request header Authorization`, `answer body user.tokens[0]`.
  let place: String
  /// The name of the member, item, element or field that is nearest to it: `tokens`; the part of the exchange if there is none.
  let name: String
  /// The text that is there now.
  let placeholder: String

  var description: String { "\(place): \(placeholder)" }
}
