/// A value of an exchange that still had a secret after the replacement, and was left out.
package struct SecretLeak: Error, Hashable, Sendable, CustomStringConvertible {
  /// The request: `GET /books?page=2`.
  package var request: String
  /// The place in the exchange: `answer body`, `request header Accept`.
  package var place: String
  /// The placeholder of the secret; the value itself is not repeated.
  package var placeholder: String

  /// For example `GET /books: the answer body is left out, because it still had the value of [redacted token 1]`.
  package var description: String {
    "\(request): the \(place) is left out, because it still had the value of \(placeholder)"
  }
}
