import TrackingPatterns

/// A condition on one part of requests, such as the query.
///
/// `RequestConditions.parts` lists the conditions; matching, precedence and words come from there.
protocol RequestPart: Sendable {
  /// The part of a request that has to be known to decide; `nil` if it is the body.
  var known: KnownPart? { get }

  /// All its matchers.
  var matchers: [ValueMatcher] { get }

  /// The number of conditions; by default each matcher is one.
  var specificity: Specificity { get }

  /// The condition as words that follow a path; `nil` without one.
  var words: String? { get }

  func accepts(_ reading: RequestReading) -> Bool

  /// Adds what a request has in this part, and the difference from the condition.
  func compare(_ reading: RequestReading, _ comparison: inout StubComparison)
}

extension RequestPart {
  var specificity: Specificity { matchers.map(Specificity.init).sum }
}

// MARK: - Fields

/// The conditions on header fields, by names in any case.
struct HeaderCondition: RequestPart {
  let fields: [String: ValueMatcher]

  var known: KnownPart? { .head }
  var matchers: [ValueMatcher] { Array(fields.values) }

  var words: String? {
    fields.isEmpty
      ? nil
      : fields.sorted { $0.key < $1.key }.map { "with \($0.key): \($0.value.fieldText)" }.joined(separator: " ")
  }

  func accepts(_ reading: RequestReading) -> Bool {
    fields.allSatisfy { $0.value.accepts(fieldWith: [reading.request.headers[$0.key]].compactMap(\.self)) }
  }

  func compare(_ reading: RequestReading, _ comparison: inout StubComparison) {
    for (name, value) in fields.sorted(by: { $0.key < $1.key }) {
      FieldComparison.compare(
        [reading.request.headers[name]].compactMap(\.self), with: value, "the header \(name)", label: name, &comparison)
    }
  }
}

/// The conditions on cookies.
struct CookieCondition: RequestPart {
  let cookies: [String: ValueMatcher]

  var known: KnownPart? { .head }
  var matchers: [ValueMatcher] { Array(cookies.values) }

  var words: String? {
    cookies.isEmpty
      ? nil
      : cookies.sorted { $0.key < $1.key }.map { "with the cookie \($0.key)=\($0.value.fieldText)" }
        .joined(separator: " ")
  }

  func accepts(_ reading: RequestReading) -> Bool {
    FieldComparison.accepts(reading.cookies, cookies, isExact: false)
  }

  func compare(_ reading: RequestReading, _ comparison: inout StubComparison) {
    FieldComparison.compare(reading.cookies, with: cookies, "cookies", isExact: false, &comparison)
  }
}

// MARK: - Specificity

/// The number of conditions, and of those among them that name one value.
package struct Specificity: Hashable, Sendable {
  var conditions = 0
  var singleValues = 0

  static func + (left: Specificity, right: Specificity) -> Specificity {
    Specificity(
      conditions: left.conditions + right.conditions, singleValues: left.singleValues + right.singleValues)
  }
}

extension Specificity {
  /// A matcher is one condition, whatever it accepts.
  init(_ matcher: ValueMatcher) {
    self.init(conditions: 1, singleValues: matcher.isOneValue ? 1 : 0)
  }
}

extension Sequence<Specificity> {
  var sum: Specificity { reduce(Specificity(), +) }
}
