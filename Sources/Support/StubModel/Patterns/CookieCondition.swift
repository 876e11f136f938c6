import TrackingModel
import TrackingPatterns

struct CookieCondition: RequestPart {
  static let name = "cookies"

  let cookies: [String: ValueMatcher]

  var known: KnownPart? { .head }
  var matchers: [ValueMatcher] { Array(cookies.values) }

  var words: String? {
    cookies.isEmpty
      ? nil
      : cookies.sorted { $0.key < $1.key }.map { "with the cookie \($0.key)=\($0.value.fieldText)" }
        .joined(separator: " ")
  }

  func accepts(_ parsed: ParsedRequest) -> Bool {
    FieldComparison.accepts(parsed.cookies, cookies, isExact: false)
  }

  func doubt(about parsed: ParsedRequest) -> String? {
    FieldComparison.certainty(of: parsed.cookies, cookies, isExact: false) == .maybe
      ? "a cookie isn't text in UTF-8" : nil
  }

  func compare(_ parsed: ParsedRequest, _ comparison: inout StubComparison) {
    FieldComparison.compare(parsed.cookies, with: cookies, "cookies", isExact: false, &comparison)
  }

  var form: TrackingValue { cookies.form }

  static func read(_ form: TrackingValue) -> CookieCondition? {
    [String: ValueMatcher].read(form).map { CookieCondition(cookies: $0) }
  }
}
