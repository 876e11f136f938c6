import TestSupport

@testable import TrackingPatterns

/// Events, patterns and matchers over few names and values, so that many of them meet.
struct RandomPatterns {
  private var generator: SeededGenerator

  init(seed: UInt64) {
    generator = RandomCases.generator(seed: seed)
  }

  mutating func event() -> TrackingEvent {
    var params: [TrackingParam: TrackingValue] = [:]
    for _ in 0..<number(4) {
      params[param()] = value()
    }
    return TrackingEvent(name: name(), params: params)
  }

  mutating func pattern(depth: Int = 3) -> EventPattern {
    switch number(depth > 0 ? 12 : 5) {
    case 0: return .named(name())
    case 1: return .named(name(), params: params())
    case 2: return .params(params())
    case 3: return .equal(to: event())
    case 4:
      let count = number(3)
      return .satisfying("\(count) params") { $0.params.count == count }
    case 5, 6:
      let (left, right) = (pattern(depth: depth - 1), pattern(depth: depth - 1))
      let both = left.and(right)
      // A contradiction is refused before it is compared.
      return both.problem == nil ? both : left.or(right)
    case 7, 8: return pattern(depth: depth - 1).or(pattern(depth: depth - 1))
    case 9: return pattern(depth: depth - 1).not()
    case 10: return pattern(depth: depth - 1).exact()
    default: return pattern(depth: depth - 1).lenient()
    }
  }

  mutating func params() -> [TrackingParam: ValueMatcher] {
    var params: [TrackingParam: ValueMatcher] = [:]
    for _ in 0..<number(3) {
      params[number(4) == 0 ? ["a.x", "a[0]", "b[1].y"][number(3)] : param()] = matcher()
    }
    return params
  }

  mutating func matcher(depth: Int = 2) -> ValueMatcher {
    switch number(depth > 0 ? 18 : 9) {
    case 0, 1: return .equal(to: value())
    case 2: return .any
    case 3: return .absent
    case 4: return [.anyString, .anyNumber, .anyInteger, .anyBoolean, .anyArray, .anyObject][number(6)]
    case 5: return .greater(than: number(4))
    case 6: return .approximately(Double(number(4)), tolerance: 0.6)
    case 7: return .in(1..<3)
    case 8: return [.contains("1"), .hasPrefix("t"), .hasSuffix("e"), .matches(#"\w"#)][number(4)]
    case 9, 10: return .not(matcher(depth: depth - 1))
    case 11: return .one(of: [matcher(depth: depth - 1), matcher(depth: depth - 1)])
    case 12:
      let matchers = [matcher(depth: depth - 1), matcher(depth: depth - 1)]
      let all = ValueMatcher.all(of: matchers)
      return all.problem == nil ? all : .one(of: matchers)
    case 13: return .each(matcher(depth: depth - 1))
    case 14: return .contains(element: matcher(depth: depth - 1))
    case 15: return .count(matcher(depth: depth - 1))
    case 16:
      let element = matcher(depth: depth - 1)
      // An array has no absent elements.
      return if case .absent = element.condition { [.any] } else { [element] }
    default: return number(2) == 0 ? .object(["x": matcher(depth: depth - 1)]) : ["x": matcher(depth: depth - 1)]
    }
  }

  mutating func value(depth: Int = 2) -> TrackingValue {
    switch number(depth > 0 ? 9 : 7) {
    case 0: .null
    case 1: .bool(number(2) == 0)
    case 2, 3: .int(number(4))
    case 4: .double(Double(number(8)) / 2)
    case 5, 6: .string(["", "1", "2.5", "true", "tap", "\u{200B}", "line\nbreak"][number(7)])
    case 7: .array((0..<number(3)).map { _ in value(depth: depth - 1) })
    default: .object(["x": value(depth: depth - 1)])
    }
  }

  private mutating func name() -> String { ["tap", "tapped", "shown"][number(3)] }
  private mutating func param() -> TrackingParam { ["a", "b", "c"][number(3)] }
  private mutating func number(_ bound: Int) -> Int { Int.random(in: 0..<bound, using: &generator) }
}
