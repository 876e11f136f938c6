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
/// A literal is a path; write a `String` variable as `.template(path)`.
///
/// Segments are compared after percent-decoding (RFC 3986 6.2.2.2), by their UTF-8 bytes: `"/a b"` matches `/a%20b`, but composed and decomposed
/// characters differ. An encoded slash doesn't separate segments; in a literal segment write `%2F` for it, `%2A` for a star, and `%3A` for a colon
/// at the beginning. A `:param`, and a `*` in the middle, match a segment that isn't empty. A slash at the end counts.
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

  var endsInWildcard: Bool {
    if case .template(let text) = form { text == "*" || text.hasSuffix("/*") } else { false }
  }
}

extension StubPath {
  /// Returns a path of segments between slashes: literal, `:param` or `*`.
  public static func template(_ text: String) -> StubPath {
    StubPath(.template(text))
  }

  /// Returns a regular expression (ICU syntax, as in `NSRegularExpression`) that must match the whole percent-decoded path, including its first
  /// slash.
  public static func regex(_ pattern: String) -> StubPath {
    StubPath(.regex(pattern))
  }
}

extension StubPath: ExpressibleByStringInterpolation {
  /// Creates a path of literal segments, `:param` and `*`.
  public init(stringLiteral value: String) {
    self.init(.template(value))
  }
}

extension StubPath: CustomStringConvertible {
  /// The path as written; a regular expression between two additional slashes.
  public var description: String {
    switch form {
    case .template(let text): text
    case .regex(let pattern): "/\(pattern)/"
    }
  }
}
