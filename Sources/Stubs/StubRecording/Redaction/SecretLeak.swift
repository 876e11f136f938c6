/// A value of an exchange that still had a secret after the replacement, and was left out.
public struct SecretLeak: Error, Hashable, Sendable, CustomStringConvertible {
  /// The request: `GET /books?page=2`.
  public var request: String
  /// The place in the exchange: `answer body`, `request header Accept`.
  public var place: String
  /// The placeholder of the secret; the value itself is not repeated.
  public var placeholder: String
  /// The secret's encoding there.
  public var form: Form

  /// The encoding of a secret in a text.
  public enum Form: String, Hashable, Sendable {
    /// As it was sent.
    case plain = "as it is"
    /// With percent-encoding.
    case percentEncoded = "percent-encoded"
    /// With backslashes, as in a JSON string.
    case escaped = "with escapes"
    /// In base64, of either alphabet.
    case base64 = "in base64"
  }

  /// For example `GET /books: the answer body is left out, because it still had the value of [redacted token 1], in base64`.
  public var description: String {
    "\(request): the \(place) is left out, because it still had the value of \(placeholder), \(form.rawValue)"
  }
}
