import TrackingModel
import TrackingPatterns

struct CookieCondition: RequestPart {
  static let name = "cookies"

  let cookies: FieldMatchers

  var known: KnownPart { .head }
  var matchers: [ValueMatcher] { cookies.matchers }

  var words: String? {
    cookies.items.isEmpty
      ? nil : cookies.items.map { "with the cookie \($0.name)=\($0.value.fieldText)" }.joined(separator: " ")
  }

  var problem: StubError? { cookies.items.first?.name == "" ? .emptyName(of: "cookie") : nil }

  func look(_ look: inout Look) { cookies.look(at: .cookies, &look) }

  var form: TrackingValue { cookies.form }

  static func read(_ form: TrackingValue) -> CookieCondition? {
    FieldMatchers.read(form).map { CookieCondition(cookies: $0) }
  }
}
