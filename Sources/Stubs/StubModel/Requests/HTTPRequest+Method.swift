extension HTTPRequest {
  /// A request method (RFC 9110 9), for example `.get` or `"REPORT"`; methods are case-sensitive.
  public struct Method: RawRepresentable, Hashable, Sendable, ExpressibleByStringLiteral, CustomStringConvertible {
    /// The method as it appears in the request line.
    public var rawValue: String

    /// The method with this name.
    public init(rawValue: String) {
      self.rawValue = rawValue
    }

    /// The method with this name.
    public init(stringLiteral value: String) {
      rawValue = value
    }

    /// `GET`.
    public static let get: Method = "GET"
    /// `HEAD`, whose answer has no body.
    public static let head: Method = "HEAD"
    /// `POST`.
    public static let post: Method = "POST"
    /// `PUT`.
    public static let put: Method = "PUT"
    /// `PATCH` (RFC 5789).
    public static let patch: Method = "PATCH"
    /// `DELETE`.
    public static let delete: Method = "DELETE"
    /// `OPTIONS`.
    public static let options: Method = "OPTIONS"

    /// The method as it appears in the request line.
    public var description: String { rawValue }
  }
}
