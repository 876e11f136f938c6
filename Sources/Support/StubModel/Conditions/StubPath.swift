/// The path of the requests that a stub matches.
///
/// ```swift
/// "/1.0/books"                               // literal
/// "/1.0/books/:id/chapters/:chapter"         // each :param is one segment, which closures find in `pathParams`
/// "\(Paths.books)/:id"                       // with what a constant holds
/// "/static/*"                                // in the middle * is one segment, at the end everything after the slash
/// .regex("/user/[0-9]+/profilepicture")      // a regular expression that the whole path must match
/// ```
///
/// A literal is a path; a `String` in a variable is written `.template(path)`.
///
/// Segments are compared with their percent-encoding removed (RFC 3986 6.2.2.2): `"/a b"` matches `/a%20b`. An encoded slash doesn't
/// separate segments; in a literal segment write `%2F` for it, `%2A` for a star, and `%3A` for a colon at the beginning. A `:param` and a
/// `*` in the middle match a segment that isn't empty. A slash at the end counts. Segments are compared by their UTF-8 bytes, so composed and
/// decomposed characters differ.
public struct StubPath: Hashable, Sendable {
  package enum Form: Hashable, Codable, Sendable {
    case template(String)
    case regex(String)
  }

  package let form: Form

  init(_ form: Form) {
    self.form = form
  }

  /// A path without params and wildcards.
  package static func literal(_ path: String) -> String {
    path.isEmpty ? "/" : path.replacing("/:", with: "/%3A").replacing("/{", with: "/%7B").replacing("*", with: "%2A")
  }

  /// Whether the last segment is a `*`.
  var endsInWildcard: Bool {
    if case .template(let text) = form { text == "*" || text.hasSuffix("/*") } else { false }
  }
}

extension StubPath {
  /// A path of segments between slashes: literal, `:param` or `*`.
  public static func template(_ text: String) -> StubPath {
    StubPath(.template(text))
  }

  /// A regular expression (ICU's, as `NSRegularExpression` takes it) that must match the whole path, from the first slash to the last
  /// character, with percent-encoding removed.
  public static func regex(_ pattern: String) -> StubPath {
    StubPath(.regex(pattern))
  }
}

extension StubPath: ExpressibleByStringInterpolation {
  /// A path of literal segments, `:param` and `*`.
  public init(stringLiteral value: String) {
    self.init(.template(value))
  }
}

extension StubPath: CustomStringConvertible {
  /// The path as written, a regular expression between two more slashes.
  public var description: String {
    switch form {
    case .template(let text): text
    case .regex(let pattern): "/\(pattern)/"
    }
  }
}
