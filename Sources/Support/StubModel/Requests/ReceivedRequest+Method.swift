import TrackingModel

extension ReceivedRequest {
  /// A request method (RFC 9110 9), for example `.get` or `"REPORT"`.
  ///
  /// Methods are case-sensitive. In patterns and stubs, `DELETE`, `GET`, `HEAD`, `OPTIONS`, `POST` and `PUT` may have any case, since browsers send
  /// them in upper case.
  public struct Method: RawRepresentable, Hashable, Sendable, ExpressibleByStringLiteral, CustomStringConvertible {
    /// The method's name in the request line.
    public var rawValue: String

    /// Creates a method from its name.
    public init(rawValue: String) {
      self.rawValue = rawValue
    }

    /// Creates a method from its name.
    public init(stringLiteral value: String) {
      rawValue = value
    }

    /// `GET`.
    public static let get: Method = "GET"
    /// `HEAD`, whose response has no body.
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

    /// Any method, in patterns and stubs: `.request(.any, "/ads/*")`.
    public static let any: Method = "*"

    /// The method's name in the request line.
    public var description: String { rawValue }

    package var onlyMethod: Method? { self == .any ? nil : self }
  }
}

extension ReceivedRequest.Method {
  /// The method as browsers send it (Fetch 2.2.1).
  var normalized: ReceivedRequest.Method {
    let name = rawValue.uppercased()
    return ["DELETE", "GET", "HEAD", "OPTIONS", "POST", "PUT"].contains(name) ? Self(rawValue: name) : self
  }

  /// The registered method of which this one seems to be a misspelling, by one letter or by case.
  var likelyMeant: String? {
    // TRACK isn't registered, but exists: Fetch 2.2.1 forbids it like TRACE.
    guard !Self.registered.contains(rawValue), rawValue != "TRACK" else { return nil }
    let letters = rawValue.uppercased()
    return Self.registered.first { name in
      let longest = Double(max(name.utf8.count, letters.utf8.count))
      return name.first == letters.first && EditDistance.share(name, letters) * longest < 1.5
    }
  }

  /// IANA's "HTTP Method Registry", starting with HTTP's own methods.
  private static let registered = [
    "GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "CONNECT", "TRACE", "QUERY", "ACL", "BASELINE-CONTROL",
    "BIND", "CHECKIN", "CHECKOUT", "COPY", "LABEL", "LINK", "LOCK", "MERGE", "MKACTIVITY", "MKCALENDAR", "MKCOL",
    "MKREDIRECTREF", "MKWORKSPACE", "MOVE", "ORDERPATCH", "PRI", "PROPFIND", "PROPPATCH", "REBIND", "REPORT", "SEARCH",
    "UNBIND", "UNCHECKOUT", "UNLINK", "UNLOCK", "UPDATE", "UPDATEREDIRECTREF", "VERSION-CONTROL",
  ]
}
