import Foundation

/// Rewrites a backend's response so that a server on this machine can send it, during recording and in replays.
struct ResponseRules {
  /// The origins of the backends, which become `{base}`.
  let origins: [String]

  func applied(to response: UpstreamResponse) -> RecordedExchange.Response {
    var fields: [NamedText] = []
    let dropped = ConnectionFields.of(response.headers).union(Self.dropped)
    let date = response.headers["Date"].flatMap(Self.date) ?? Date()
    for field in response.headers.lines where !dropped.contains(field.name.lowercased()) {
      switch field.name.lowercased() {
      case "set-cookie":
        let cookies = response.joinsCookies ? Self.cookies(in: field.value) : [field.value]
        fields += cookies.map {
          NamedText(name: "Set-Cookie", value: Self.cookie($0, receivedAt: date))
        }
      case "expires":
        // A future time would have passed by the time of a replay. A past time means "don't cache" and stays.
        if let expires = Self.date(field.value), expires > date { continue }
        fields.append(field)
      default: fields.append(field)
      }
    }
    // In each field: a policy or a challenge names the backend as well.
    fields = fields.map { field in
      let kind = OriginSearch.Kind(ofField: field.name)
      let value = RecordedBase.extracted(Array(field.value.utf8), origins: origins, in: kind)
      return .init(name: field.name, value: String(decoding: value, as: UTF8.self))
    }
    var body = response.body
    let type = response.headers["Content-Type"]
    if RecordedBase.isText(body, type: type) {
      let kind = OriginSearch.Kind(of: body, type: type)
      body = Data(RecordedBase.extracted([UInt8](body), origins: origins, in: kind))
    }
    return RecordedExchange.Response(status: response.status, headers: MessageHeaders(lines: fields), body: body)
  }

  /// Fields about a connection to another machine, or about the time of the recording.
  private static let dropped: Set<String> = ["age", "alt-svc", "date", "strict-transport-security"]

  /// Splits a field in which URL loading has joined several cookies by commas, which also occur in dates.
  static func cookies(in field: String) -> [String] {
    var (cookies, start) = ([String](), field.startIndex)
    var index = field.startIndex
    while let comma = field[index...].firstIndex(of: ",") {
      let next = field[field.index(after: comma)...].drop { $0 == " " }
      let name = next.prefix { !" ;,=".contains($0) }
      if !name.isEmpty, next.dropFirst(name.count).first == "=" {
        cookies.append(String(field[start..<comma]))
        start = next.startIndex
      }
      index = field.index(after: comma)
    }
    return cookies + [String(field[start...])]
  }

  /// Adapts a cookie to a server on this machine, over http, without an expiry that would have passed by the time of a replay.
  static func cookie(_ text: String, receivedAt date: Date) -> String {
    let parts = text.split(separator: ";", omittingEmptySubsequences: false).map {
      $0.trimmingCharacters(in: .whitespaces)
    }
    let names = parts.map { $0.prefix { $0 != "=" }.lowercased() }
    let kept = zip(parts, names).enumerated().compactMap { index, part -> String? in
      guard index > 0 else { return part.0 }
      switch part.1 {
      case "domain", "secure", "partitioned": return nil
      // Browsers refuse it without `Secure`.
      case "samesite": return part.0.lowercased().hasSuffix("=none") ? nil : part.0
      case "expires":
        guard !names.contains("max-age") else { return nil }
        guard let expires = self.date(String(part.0.dropFirst("expires=".count))) else { return part.0 }
        return expires > date ? nil : "Max-Age=0"
      default: return part.0
      }
    }
    return kept.joined(separator: "; ")
  }

  /// An HTTP date (RFC 9110 5.6.7), also with hyphens as in old cookies.
  static func date(_ text: String) -> Date? {
    let formatter = DateFormatter()
    formatter.locale = Locale(identifier: "en_US_POSIX")
    formatter.timeZone = TimeZone(identifier: "GMT")
    for format in ["EEE, dd MMM yyyy HH:mm:ss zzz", "EEE, dd-MMM-yyyy HH:mm:ss zzz", "EEEE, dd-MMM-yy HH:mm:ss zzz"] {
      formatter.dateFormat = format
      if let date = formatter.date(from: text) { return date }
    }
    return nil
  }
}
