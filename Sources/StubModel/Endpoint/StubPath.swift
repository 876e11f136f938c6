/// The path of the requests that a stub answers.
///
/// ```swift
/// "/1.0/books"                               // literal
/// "/1.0/books/:id/chapters/:chapter"         // each :param stands for one segment, which closures find in `pathParams`
/// "/static/*"                                // in the middle * stands for one segment, at the end for all that follows the slash
/// .regex("/user/[0-9]+/profilepicture")      // a regular expression, which the whole path must match
/// ```
///
/// Segments are compared with their percent-encoding undone (RFC 3986 6.2.2.2): `/a%20b` is asked for as `"/a b"`. A slash that is encoded
/// separates no segments; as part of a literal segment it is written `%2F`, a star `%2A` and a colon at the beginning `%3A`. A `:param` and a `*` in the middle stand for
/// a segment that is not empty. A slash at the end counts.
public enum StubPath: Hashable, Codable, Sendable {
  /// Segments between slashes: literal, `:param` or `*`.
  case template(String)
  /// A regular expression (ICU's, as `NSRegularExpression` takes it), which the whole path must match, its first slash and its last character
  /// included, percent-encoding undone.
  case regex(String)
}

extension StubPath {
  /// Whether its last segment is a `*`.
  var endsInWildcard: Bool {
    if case .template(let text) = self { text == "*" || text.hasSuffix("/*") } else { false }
  }
}

extension StubPath: ExpressibleByStringLiteral {
  /// A path of literal segments, `:param` and `*`.
  public init(stringLiteral value: String) {
    self = .template(value)
  }
}

extension StubPath: CustomStringConvertible {
  /// The path as it was written, a regular expression between slashes of its own.
  public var description: String {
    switch self {
    case .template(let text): text
    case .regex(let pattern): "/\(pattern)/"
    }
  }
}
