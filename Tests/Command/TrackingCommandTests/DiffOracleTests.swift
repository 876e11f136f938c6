import TrackingJSON
import TestSupport
import TrackingPlan

@testable import TrackingCommand

/// Holds the verdicts of `diff` against random pairs of schemas and random events: an event that the old plan accepts and the new one refuses
/// refutes "fine".
final class DiffOracleTests: XCTestCase {
  func testNoRandomEventRefutesFine() throws {
    let pairs = RandomCases.seeds(2_000)
    var verdicts: [PlanDiff.Verdict: Int] = [:]
    var unrefutedBreaks = 0
    for seed in pairs {
      var random = SeededGenerator(seed: UInt64(seed))
      let isDraft04 = seed.isMultiple(of: 3)
      var schemas = RandomSchemas(draft04: isDraft04, &random)
      let old = schemas.schema(depth: 0)
      let new = schemas.mutated(old, depth: 0)
      guard let before = plan(old, isDraft04), let after = plan(new, isDraft04) else { continue }
      let diff = PlanDiff(from: before, to: after)
      let verdict = diff.events.first?.apps.verdict ?? .fine
      verdicts[verdict, default: 0] += 1
      var values = RandomValues(of: [old, new], random)
      var isRefuted = false
      for _ in 0..<(RandomCases.isFull ? 300 : 150) {
        let event = TrackingEvent(name: "e", params: values.params())
        guard before.findings(in: event).isEmpty, !after.findings(in: event).isEmpty else { continue }
        isRefuted = true
        guard verdict == .fine else { break }
        XCTFail(
          "pair \(seed) is called fine, but \(event) is valid only before:\n\(old.text(.compact))\n\(new.text(.compact))"
        )
        return
      }
      if verdict == .breaks, !isRefuted { unrefutedBreaks += 1 }
    }
    // Each verdict is reached; and of the breaks, random events find nearly all.
    XCTAssertGreaterThan(verdicts[.fine] ?? 0, pairs.count / 20)
    XCTAssertGreaterThan(verdicts[.breaks] ?? 0, pairs.count / 10)
    XCTAssertLessThan(Double(unrefutedBreaks), 0.25 * Double(verdicts[.breaks] ?? 0), "\(verdicts)")
  }

  /// A plan with one event that has one param, as our format or as Segment's with draft 04.
  private func plan(_ schema: JSONTree, _ isDraft04: Bool) -> TrackingPlan? {
    guard isDraft04 else {
      let params: JSONTree = schema.members == nil ? ["p": schema] : ["p": schema.adding([.init("optional", true)])]
      return try? TrackingPlan(
        text: (["events": ["e": ["params": params]]] as JSONTree).text(.compact), format: .trackingPlan)
    }
    let event: JSONTree = [
      "key": "e", "type": "TRACK", "version": 1,
      "jsonSchema": [
        "$schema": "http://json-schema.org/draft-04/schema#", "type": "object",
        "properties": ["properties": ["type": "object", "properties": ["p": schema]]],
      ],
    ]
    return try? TrackingPlan(text: (["rules": [event]] as JSONTree).text(.compact), format: .segment)
  }
}

extension SeededGenerator {
  mutating func below(_ count: Int) -> Int { Int(next() % UInt64(count)) }
  mutating func isOne(in count: Int) -> Bool { below(count) == 0 }
}

/// Random schemas over a small world, in which values meet bounds and lists often.
private struct RandomSchemas {
  private let isDraft04: Bool
  private var random: SeededGenerator

  private static let names = ["a", "b", "c"]
  private static let texts = ["", "x", "xy", "list", "10"]

  init(draft04: Bool, _ random: inout SeededGenerator) {
    isDraft04 = draft04
    self.random = random
  }

  mutating func schema(depth: Int) -> JSONTree {
    switch random.below(depth > 2 ? 6 : 12) {
    case 0: return ["type": JSONTree(pick(["string", "integer", "number", "boolean", "null"]))]
    case 1: return ["enum": JSONTree(.array((0...random.below(3)).map { _ in value() }))]
    case 2: return numbers()
    case 3: return strings()
    case 4:
      return [
        "type": JSONTree(
          .array(
            Array(Set((0..<2).map { _ in pick(["string", "integer", "null", "boolean"]) })).sorted().map {
              JSONTree($0)
            }))
      ]
    case 5: return isDraft04 || random.isOne(in: 2) ? [:] : ["const": value()]
    case 6: return object(depth: depth)
    case 7: return array(depth: depth)
    case 8: return [pick(["anyOf", "oneOf", "allOf"]): [schema(depth: depth + 1), schema(depth: depth + 1)]]
    case 9: return numbers().adding([.init("not", schema(depth: depth + 1))])
    case 10: return object(depth: depth)
    default: return strings()
    }
  }

  /// A schema that differs in one place, or not at all.
  mutating func mutated(_ schema: JSONTree, depth: Int) -> JSONTree {
    guard let members = schema.members, !members.isEmpty, !random.isOne(in: 6) else { return self.schema(depth: depth) }
    switch random.below(4) {
    case 0: return schema.removing([members[random.below(members.count)].key])
    case 1:
      let other = self.schema(depth: 3).members ?? []
      return schema.adding(other.filter { schema[$0.key] == nil })
    default:
      let place = random.below(members.count)
      var changed = members
      let value = members[place].value
      switch members[place].key {
      case "properties":
        changed[place].value = JSONTree(
          .object((value.members ?? []).map { .init($0.key, mutated($0.value, depth: depth + 1)) }))
      case "anyOf", "oneOf", "allOf", "prefixItems":
        changed[place].value = JSONTree(.array((value.elements ?? []).map { mutated($0, depth: depth + 1) }))
      case "items", "not", "additionalProperties": changed[place].value = mutated(value, depth: depth + 1)
      case "enum":
        changed[place].value = JSONTree(.array((value.elements ?? []) + [self.value()]))
      default:
        if let number = value.int {
          changed[place].value = JSONTree(.scalar(.int(max(0, number + random.below(3) - 1))))
        }
      }
      return JSONTree(.object(changed))
    }
  }

  private mutating func numbers() -> JSONTree {
    var members: [JSONTree.Member] = [.init("type", JSONTree(pick(["integer", "number"])))]
    for (word, exclusive) in [("minimum", "exclusiveMinimum"), ("maximum", "exclusiveMaximum")]
    where random.isOne(in: 2) {
      let bound = JSONTree(.scalar(.int(random.below(6) + (word == "maximum" ? 2 : 0))))
      if isDraft04 {
        members.append(.init(word, bound))
        if random.isOne(in: 3) { members.append(.init(exclusive, true)) }
      } else {
        members.append(.init(random.isOne(in: 3) ? exclusive : word, bound))
      }
    }
    if random.isOne(in: 5) { members.append(.init("multipleOf", JSONTree(.scalar(.int(1 + random.below(3)))))) }
    return JSONTree(.object(members))
  }

  private mutating func strings() -> JSONTree {
    var members: [JSONTree.Member] = random.isOne(in: 4) ? [] : [.init("type", "string")]
    if random.isOne(in: 2) { members.append(.init("minLength", JSONTree(.scalar(.int(random.below(3)))))) }
    if random.isOne(in: 2) { members.append(.init("maxLength", JSONTree(.scalar(.int(1 + random.below(4)))))) }
    if random.isOne(in: 3) { members.append(.init("pattern", JSONTree(pick(["^x", "^[a-z]*$", "y"])))) }
    return JSONTree(.object(members))
  }

  private mutating func object(depth: Int) -> JSONTree {
    var members: [JSONTree.Member] = random.isOne(in: 5) ? [] : [.init("type", "object")]
    let names = Self.names.filter { _ in random.isOne(in: 2) }
    if !names.isEmpty {
      members.append(.init("properties", JSONTree(.object(names.map { .init($0, schema(depth: depth + 1)) }))))
    }
    if random.isOne(in: 2) {
      members.append(
        .init("required", JSONTree(.array(Self.names.filter { _ in random.isOne(in: 3) }.map { JSONTree($0) }))))
    }
    switch random.below(5) {
    case 0: members.append(.init("additionalProperties", false))
    case 1: members.append(.init("additionalProperties", true))
    case 2: members.append(.init("additionalProperties", schema(depth: depth + 1)))
    default: break
    }
    if random.isOne(in: 6) { members.append(.init("minProperties", JSONTree(.scalar(.int(random.below(3)))))) }
    if random.isOne(in: 6) { members.append(.init("maxProperties", JSONTree(.scalar(.int(1 + random.below(3)))))) }
    if random.isOne(in: 8) {
      members.append(
        .init("patternProperties", JSONTree(.object([.init(pick(["^a", "b|c"]), schema(depth: depth + 1))]))))
    }
    return JSONTree(.object(members))
  }

  private mutating func array(depth: Int) -> JSONTree {
    var members: [JSONTree.Member] = [.init("type", "array")]
    if random.isOne(in: 2) { members.append(.init("items", schema(depth: depth + 1))) }
    if !isDraft04, random.isOne(in: 4) {
      members.append(.init("prefixItems", [schema(depth: depth + 1), schema(depth: depth + 1)]))
    }
    if random.isOne(in: 3) { members.append(.init("minItems", JSONTree(.scalar(.int(random.below(3)))))) }
    if random.isOne(in: 3) { members.append(.init("maxItems", JSONTree(.scalar(.int(random.below(3)))))) }
    if random.isOne(in: 5) { members.append(.init("uniqueItems", true)) }
    return JSONTree(.object(members))
  }

  private mutating func value() -> JSONTree {
    switch random.below(4) {
    case 0: JSONTree(pick(Self.texts))
    case 1: JSONTree(.scalar(.bool(random.isOne(in: 2))))
    case 2: JSONTree(.scalar(.null))
    default: JSONTree(.scalar(.int(random.below(8))))
    }
  }

  private mutating func pick(_ words: [String]) -> String { words[random.below(words.count)] }
}

/// Random values: nearly valid ones of a schema, and any.
private struct RandomValues {
  private let schemas: [JSONTree]
  private var random: SeededGenerator
  private var known: [TrackingValue] = [.null, true, false, "", "x", "xy", "xyz", "list", 0.5, 2.5, [:], []]

  init(of schemas: [JSONTree], _ random: SeededGenerator) {
    self.schemas = schemas
    self.random = random
    known += (0..<9).map { .int($0) }
  }

  mutating func params() -> [TrackingParam: TrackingValue] {
    var params: [TrackingParam: TrackingValue] = [:]
    if !random.isOne(in: 10) { params["p"] = value(of: schemas[random.below(schemas.count)], depth: 0) }
    return params
  }

  /// A value that keeps to most keywords of a schema.
  private mutating func value(of schema: JSONTree, depth: Int) -> TrackingValue {
    guard depth < 5, schema.members?.isEmpty == false, !random.isOne(in: 8) else { return value(depth: depth) }
    if let values = (schema["enum"]?.elements ?? schema["const"].map { [$0] }), !values.isEmpty {
      return values[random.below(values.count)].value
    }
    for word in ["anyOf", "oneOf", "allOf"] {
      guard let parts = schema[word]?.elements, !parts.isEmpty else { continue }
      return value(of: parts[random.below(parts.count)], depth: depth + 1)
    }
    let types = schema["type"].map { $0.elements ?? [$0] }?.compactMap(\.string) ?? [guessedType(of: schema)]
    switch types.isEmpty ? "" : types[random.below(types.count)] {
    case "null": return .null
    case "boolean": return .bool(random.isOne(in: 2))
    case "integer", "number":
      let bounds = ["minimum", "exclusiveMinimum", "maximum", "exclusiveMaximum", "multipleOf"].compactMap {
        schema[$0]?.int
      }
      let bound = bounds.isEmpty ? 0 : bounds[random.below(bounds.count)]
      return random.isOne(in: 4) ? .double(Double(bound) + 0.5) : .int(bound + random.below(5) - 2)
    case "string":
      let count = count(schema["minLength"]?.int, schema["maxLength"]?.int)
      return .string(String((0..<count).map { _ in ["x", "y", "a", "1"][random.below(4)] }))
    case "array": return array(of: schema, depth: depth)
    case "object": return object(of: schema, depth: depth)
    default: return value(depth: depth)
    }
  }

  private func guessedType(of schema: JSONTree) -> String {
    if ["properties", "required", "additionalProperties", "minProperties"].contains(where: { schema[$0] != nil }) {
      return "object"
    }
    return ["minLength", "maxLength", "pattern"].contains { schema[$0] != nil } ? "string" : ""
  }

  /// A number around bounds.
  private mutating func count(_ least: Int?, _ most: Int?) -> Int {
    max(0, [least ?? 0, most ?? (least ?? 0) + 2][random.below(2)] + random.below(3) - 1)
  }

  private mutating func array(of schema: JSONTree, depth: Int) -> TrackingValue {
    let first = schema["prefixItems"]?.elements ?? []
    let count = min(count(schema["minItems"]?.int, schema["maxItems"]?.int), 5)
    return .array(
      (0..<count).map { value(of: $0 < first.count ? first[$0] : schema["items"] ?? [:], depth: depth + 1) })
  }

  private mutating func object(of schema: JSONTree, depth: Int) -> TrackingValue {
    let required = schema["required"]?.elements?.compactMap(\.string) ?? []
    var members: [String: TrackingValue] = [:]
    for member in schema["properties"]?.members ?? [] where !random.isOne(in: required.contains(member.key) ? 10 : 2) {
      members[member.key] = value(of: member.value, depth: depth + 1)
    }
    for name in required where members[name] == nil && !random.isOne(in: 10) { members[name] = value(depth: depth + 1) }
    let others = schema["patternProperties"]?.members?.first?.value ?? schema["additionalProperties"] ?? [:]
    for name in ["a", "b", "d", "ab"] where members[name] == nil && random.isOne(in: 6) {
      members[name] = value(of: others, depth: depth + 1)
    }
    return .object(members)
  }

  private mutating func value(depth: Int) -> TrackingValue {
    switch random.below(depth > 2 ? 3 : 6) {
    case 0...2: return known[random.below(known.count)]
    case 3: return .array((0..<random.below(4)).map { _ in value(depth: depth + 1) })
    default:
      var members: [String: TrackingValue] = [:]
      for name in ["a", "b", "c", "d", "ab"] where random.isOne(in: 2) { members[name] = value(depth: depth + 1) }
      return .object(members)
    }
  }
}
