import TestSupport

@testable import TrackingPatterns

/// Compares patterns with a second implementation, written from their documentation with no regard for speed or explanations.
final class PatternOracleTests: XCTestCase {
  func testMatchersAgreeWithTheirDocumentation() {
    var random = OracleRandom(seed: 9)
    var accepted = 0
    for _ in 0..<RandomCases.count(20_000) {
      let (matcher, rule) = random.matcher(depth: 3)
      let value: TrackingValue? = random.chance(8) ? .none : .some(random.value(depth: 3))
      XCTAssertEqual(
        matcher.mismatch(of: value) == nil, rule(value), "\(matcher) of \(value.map { "\($0)" } ?? "nothing")")
      accepted += rule(value) ? 1 : 0
    }
    // A generator whose matchers accept hardly anything would prove little.
    XCTAssertGreaterThan(accepted, RandomCases.count(3_000))
  }

  func testPatternsAgreeWithTheirDocumentation() {
    var random = OracleRandom(seed: 10)
    var accepted = 0
    for _ in 0..<RandomCases.count(20_000) {
      let oracle = random.pattern(depth: 3)
      let event = random.event()
      XCTAssertEqual(oracle.pattern.mismatch(of: event) == nil, oracle.rule(event), "\(oracle.pattern) of \(event)")
      accepted += oracle.rule(event) ? 1 : 0
    }
    XCTAssertGreaterThan(accepted, RandomCases.count(3_000))
  }

  func testEqualityAgreesWithTheTextOfTheWire() {
    var random = OracleRandom(seed: 11)
    for _ in 0..<RandomCases.count(20_000) {
      let (left, right) = (random.value(depth: 2), random.value(depth: 2))
      let isSame = Array("\(left)".utf8) == Array("\(right)".utf8)
      XCTAssertEqual(left == right, isSame, "\(left) and \(right)")
      if isSame { XCTAssertEqual(left.hashValue, right.hashValue) }
    }
  }
}

/// A pattern with the rule that its documentation states.
private struct Oracle {
  let pattern: EventPattern
  let rule: (TrackingEvent) -> Bool
  /// The params that the pattern names in an event.
  let names: (TrackingEvent) -> Set<TrackingParam>
}

private typealias Rule = (TrackingValue?) -> Bool

private struct OracleRandom {
  private var generator: SeededGenerator

  init(seed: UInt64) {
    generator = RandomCases.generator(seed: seed)
  }

  mutating func number(_ bound: Int) -> Int { Int.random(in: 0..<bound, using: &generator) }
  mutating func chance(_ odds: Int) -> Bool { number(odds) == 0 }
  private mutating func pick<Item>(_ items: [Item]) -> Item { items[number(items.count)] }

  // MARK: Values

  private static let numbers: [TrackingValue] = [
    0, 1, 2, 3, 0.5, 2.5, -1, .double(2), .double(-0.0), .unsigned(1), .unsigned(.max), .int(.max), .int(.min),
    .int(1 << 53), .int(1 << 53 + 1), .double(0x1p53), .double(0x1p64), .double(0x1p63), .double(1e300),
  ]
  private static let texts = [
    "", "a", "ab", "b", "B", "1", "\u{E9}", "e\u{301}", "e", "true", "NaN", "2026-11-21T08:00:00Z",
    "2026-11-21T08:30:00+01:00", "2026-11-21T07:30:00.000Z", "+012026-11-21T08:00:00Z", "2026-11-21",
  ]
  private static let names = ["", "a", "b", "c", "a.b", "\u{E9}", "e\u{301}"]

  mutating func value(depth: Int) -> TrackingValue {
    switch number(depth > 0 ? 10 : 7) {
    case 0: .null
    case 1: .bool(chance(2))
    case 2, 3: pick(Self.numbers)
    case 4: chance(3) ? .double(.nan) : .double(1.5)
    case 5, 6: .string(pick(Self.texts))
    case 7, 8: .array((0..<number(4)).map { _ in value(depth: depth - 1) })
    default: .object(Dictionary((0..<number(3)).map { _ in (pick(["", "a", "b"]), value(depth: depth - 1)) }) { $1 })
    }
  }

  mutating func event() -> TrackingEvent {
    let params = (0..<number(4)).map { _ in (TrackingParam.custom(key: pick(Self.names)), value(depth: 2)) }
    return TrackingEvent(name: pick(["tap", "\u{E9}", "e\u{301}"]), params: Dictionary(params) { $1 })
  }

  // MARK: Matchers

  mutating func matcher(depth: Int) -> (ValueMatcher, Rule) {
    switch number(depth > 0 ? 21 : 12) {
    case 0, 1:
      let value = value(depth: 1)
      return (.equal(to: value), { $0.map { same($0, value) } ?? false })
    case 2: return (.any, { $0 != nil })
    case 3: return (.absent, { $0 == nil })
    case 4: return kind()
    case 5, 6, 7: return bound()
    case 8: return text()
    case 9:
      let (number, tolerance) = (Double(number(4)), Double(number(3)) / 2)
      return (
        .approximately(number, tolerance: tolerance),
        { value in
          value.flatMap(exact).map { abs($0 - exact(.double(number))!) <= exact(.double(tolerance))! } ?? false
        }
      )
    case 10, 11:
      return (
        .satisfying("a text") { if case .string = $0 { true } else { false } },
        { if case .string? = $0 { true } else { false } }
      )
    case 12, 13:
      let (inner, rule) = matcher(depth: depth - 1)
      return (.not(inner), { !rule($0) })
    case 14:
      let (left, leftRule) = matcher(depth: depth - 1)
      let (right, rightRule) = matcher(depth: depth - 1)
      return (.one(of: [left, right]), { leftRule($0) || rightRule($0) })
    case 15:
      let (left, leftRule) = matcher(depth: depth - 1)
      let (right, rightRule) = matcher(depth: depth - 1)
      // A contradiction is refused before it is compared.
      guard ValueMatcher.all(of: [left, right]).problem == nil else { return (left, leftRule) }
      return (.all(of: [left, right]), { leftRule($0) && rightRule($0) })
    case 16:
      let (inner, rule) = matcher(depth: depth - 1)
      return (.each(inner), { elements($0)?.allSatisfy { rule($0) } ?? false })
    case 17:
      let (inner, rule) = matcher(depth: depth - 1)
      return (.contains(element: inner), { elements($0)?.contains { rule($0) } ?? false })
    case 18:
      let (inner, rule) = matcher(depth: depth - 1)
      return (.count(inner), { elements($0).map { rule(.int($0.count)) } ?? false })
    case 19: return arrayLiteral(depth: depth)
    default: return object(depth: depth)
    }
  }

  private mutating func kind() -> (ValueMatcher, Rule) {
    let kinds: [(ValueMatcher, String)] = [
      (.anyString, "a string"), (.anyNumber, "a number"), (.anyBoolean, "a boolean"), (.anyArray, "an array"),
      (.anyObject, "an object"),
    ]
    let (matcher, kind) = pick(kinds)
    return (matcher, { $0.map { $0.canonical.kind == kind } ?? false })
  }

  private mutating func bound() -> (ValueMatcher, Rule) {
    let isText = chance(2)
    let text = pick(Self.texts)
    let integer = pick([0, 1, 2, Int.max, 1 << 53])
    let order: (TrackingValue?) -> Int? = { value in
      guard let value = value?.canonical else { return nil }
      if !isText { return exact(value).map { $0 < exact(.int(integer))! ? -1 : $0 == exact(.int(integer))! ? 0 : 1 } }
      guard case .string(let found) = value else { return nil }
      guard let instant = Self.instants[text] else {
        let (left, right) = (Array(found.utf8), Array(text.utf8))
        return left == right ? 0 : left.lexicographicallyPrecedes(right) ? -1 : 1
      }
      return Self.instants[found].map { $0 < instant ? -1 : $0 == instant ? 0 : 1 }
    }
    switch number(4) {
    case 0: return (isText ? .less(than: text) : .less(than: integer), { order($0).map { $0 < 0 } ?? false })
    case 1: return (isText ? .atMost(text) : .atMost(integer), { order($0).map { $0 <= 0 } ?? false })
    case 2: return (isText ? .greater(than: text) : .greater(than: integer), { order($0).map { $0 > 0 } ?? false })
    default: return (isText ? .atLeast(text) : .atLeast(integer), { order($0).map { $0 >= 0 } ?? false })
    }
  }

  /// The seconds of the texts that are dates, by a calendar elsewhere.
  private static let instants: [String: Int] = [
    "2026-11-21T08:00:00Z": 1_795_248_000, "2026-11-21T08:30:00+01:00": 1_795_246_200,
    "2026-11-21T07:30:00.000Z": 1_795_246_200, "+012026-11-21T08:00:00Z": 317_364_912_000,
  ]

  private mutating func text() -> (ValueMatcher, Rule) {
    let part = pick(Self.texts)
    let bytes = Array(part.utf8)
    func rule(_ holds: @escaping ([UInt8]) -> Bool) -> Rule {
      { if case .string(let text)? = $0?.canonical { holds(Array(text.utf8)) } else { false } }
    }
    switch number(3) {
    case 0: return (.hasPrefix(part), rule { $0.starts(with: bytes) })
    case 1: return (.hasSuffix(part), rule { $0.count >= bytes.count && Array($0.suffix(bytes.count)) == bytes })
    default:
      return (
        .contains(part),
        rule { text in
          text.count >= bytes.count
            && (0...(text.count - bytes.count)).contains { Array(text[$0..<($0 + bytes.count)]) == bytes }
        }
      )
    }
  }

  private mutating func arrayLiteral(depth: Int) -> (ValueMatcher, Rule) {
    let parts = (0..<number(3)).map { _ in matcher(depth: depth - 1) }.filter { $0.0.description != "absent" }
    let literal: ValueMatcher =
      switch parts.count {
      case 0: []
      case 1: [parts[0].0]
      default: [parts[0].0, parts[1].0]
      }
    return (
      literal,
      { value in
        guard let elements = elements(value), elements.count == parts.count else { return false }
        return zip(elements, parts).allSatisfy { $1.1($0) }
      }
    )
  }

  private mutating func object(depth: Int) -> (ValueMatcher, Rule) {
    let (first, firstRule) = matcher(depth: depth - 1)
    let name = pick(["", "a", "b"])
    if chance(2) {
      return (.object([.custom(key: name): first]), { members($0).map { firstRule($0[name]) } ?? false })
    }
    let mayBeAbsent = chance(2)
    let literal: ValueMatcher =
      mayBeAbsent ? [name: .one(of: [first, .absent])] : [name: .all(of: [first, .not("x")])]
    return (
      literal,
      { value in
        guard let members = members(value), members.keys.allSatisfy({ $0 == name }) else { return false }
        guard let found = members[name] else { return mayBeAbsent }
        return firstRule(found) && (mayBeAbsent || !same(found, "x"))
      }
    )
  }

  // MARK: Patterns

  mutating func pattern(depth: Int) -> Oracle {
    switch number(depth > 0 ? 9 : 4) {
    case 0:
      let name = pick(["tap", "\u{E9}", "e\u{301}"])
      return Oracle(pattern: .named(name), rule: { sameText($0.name, name) }, names: { _ in [] })
    case 1, 2:
      let param = TrackingParam.custom(key: pick(Self.names.filter { $0 != "a.b" }))
      let (matcher, rule) = matcher(depth: 2)
      return Oracle(
        pattern: .params([param: matcher]),
        rule: { event in rule(event.params.first { sameText($0.key.key, param.key) }?.value) },
        names: { event in Set(event.params.keys.filter { sameText($0.key, param.key) }) })
    case 3:
      let other = event()
      return Oracle(
        pattern: .equal(to: other),
        rule: { event in
          sameText(event.name, other.name) && event.params.count == other.params.count
            && event.params.allSatisfy { param, value in
              other.params.contains { sameText($0.key.key, param.key) && same($0.value, value) }
            }
        }, names: { _ in Set(other.params.keys) })
    case 4:
      let (left, right) = (pattern(depth: depth - 1), pattern(depth: depth - 1))
      guard left.pattern.and(right.pattern).problem == nil else { return left }
      return Oracle(
        pattern: left.pattern.and(right.pattern), rule: { left.rule($0) && right.rule($0) },
        names: { left.names($0).union(right.names($0)) })
    case 5:
      let inner = pattern(depth: depth - 1)
      return Oracle(pattern: inner.pattern.not(), rule: { !inner.rule($0) }, names: inner.names)
    case 6:
      // Of alternatives each is closed separately, so these are made of closed ones.
      let (left, right) = (exactly(pattern(depth: 0)), exactly(pattern(depth: 0)))
      return Oracle(
        pattern: left.pattern.or(right.pattern), rule: { left.rule($0) || right.rule($0) },
        names: { event in
          let matching = [left, right].filter { $0.rule(event) }
          return (matching.isEmpty ? [left, right] : matching).reduce(into: []) { $0.formUnion($1.names(event)) }
        })
    default:
      return exactly(pattern(depth: depth - 1))
    }
  }

  private func exactly(_ inner: Oracle) -> Oracle {
    Oracle(
      pattern: inner.pattern.exact(),
      rule: { inner.rule($0) && Set($0.params.keys).subtracting(inner.names($0)).isEmpty }, names: inner.names)
  }
}

// MARK: Values, by another way than the one of `TrackingValue`

private func elements(_ value: TrackingValue?) -> [TrackingValue]? {
  if case .array(let elements)? = value { elements } else { nil }
}

private func members(_ value: TrackingValue?) -> [String: TrackingValue]? {
  if case .object(let members)? = value { members } else { nil }
}

private func sameText(_ left: String, _ right: String) -> Bool { Array(left.utf8) == Array(right.utf8) }

/// By the text on the wire.
private func same(_ left: TrackingValue, _ right: TrackingValue) -> Bool { sameText("\(left)", "\(right)") }

/// A number without any rounding.
private func exact(_ value: TrackingValue) -> ExactNumber? {
  switch value.canonical {
  case .int(let int): ExactNumber(whole: Double(int >> 32), rest: Double(int & 0xFFFF_FFFF))
  case .unsigned(let unsigned): ExactNumber(whole: Double(unsigned >> 32), rest: Double(unsigned & 0xFFFF_FFFF))
  case .double(let double):
    ExactNumber(whole: (double / 0x1p32).rounded(.down), rest: double - (double / 0x1p32).rounded(.down) * 0x1p32)
  case .null, .bool, .string, .array, .object: nil
  }
}

/// A number in two doubles: so many times 2^32, and what is left.
private struct ExactNumber: Comparable {
  let whole: Double
  let rest: Double

  static func < (left: ExactNumber, right: ExactNumber) -> Bool {
    left.whole == right.whole ? left.rest < right.rest : left.whole < right.whole
  }

  static func - (left: ExactNumber, right: ExactNumber) -> ExactNumber {
    let rest = left.rest - right.rest
    return rest < 0
      ? ExactNumber(whole: left.whole - right.whole - 1, rest: rest + 0x1p32)
      : ExactNumber(whole: left.whole - right.whole, rest: rest)
  }
}

private func abs(_ number: ExactNumber) -> ExactNumber {
  number.whole < 0 ? ExactNumber(whole: 0, rest: 0) - number : number
}
