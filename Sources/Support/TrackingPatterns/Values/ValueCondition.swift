import TrackingModel

/// A condition on a value, which may also be missing.
indirect enum ValueCondition: Sendable {
  case equal(TrackingValue)
  case any
  case absent
  case test(any ValueTest)
  case elements([ValueCondition])
  case members([String: ValueCondition])
  case object([(path: ParamPath, value: ValueCondition)])
  case each(ValueCondition)
  case contains(ValueCondition)
  case count(ValueCondition)
  case one(of: [ValueCondition])
  case all(of: [ValueCondition])
  case not(ValueCondition)
}

extension ValueCondition {
  /// Whether only ASCII texts are expected, which invalid UTF-8 can't hide.
  var isOfASCII: Bool {
    switch self {
    case .equal(.string(let text)): text.utf8.allSatisfy { $0 < 0x80 }
    case .equal(.null), .equal(.bool), .equal(.int), .equal(.unsigned), .equal(.double): true
    case .test(let test): test.isOfASCII
    case .one(let conditions), .all(let conditions): conditions.allSatisfy(\.isOfASCII)
    case .not(let condition): condition.isOfASCII
    case .any, .absent: true
    case .equal, .elements, .members, .object, .each, .contains, .count: false
    }
  }

  /// Whether the condition excludes certain texts, or requires the value's absence.
  var excludesTexts: Bool {
    switch self {
    case .absent, .not: true
    default: parts.contains(where: \.excludesTexts)
    }
  }

  func look(
    at value: TrackingValue?, instead: Difference.Instead? = nil, _ leniency: Leniency,
    into differences: inout Differences
  ) {
    switch self {
    case .absent:
      guard let value else { return }
      let note = value == .null ? "null is a value" : nil
      differences.add { unmet($0, value, note, MismatchWeight.extra) }
    case .one(let alternatives):
      look(at: value, among: alternatives, leniency, into: &differences)
    case .all(let conditions):
      for condition in conditions where !differences.isSettled {
        condition.look(at: value, instead: instead, leniency, into: &differences)
      }
    case .not(let condition):
      guard differences.found(by: { condition.look(at: value, leniency, into: &$0) }).isEmpty else { return }
      differences.add { unmet($0, value) }
    case .equal, .any, .test, .elements, .members, .object, .each, .contains, .count:
      guard let value else {
        return differences.add { .missing(path: $0, expected: expectation, instead: instead) }
      }
      look(atPresent: value, leniency, into: &differences)
    }
  }

  private func look(
    at value: TrackingValue?, among alternatives: [ValueCondition], _ leniency: Leniency,
    into differences: inout Differences
  ) {
    guard let nearest = differences.nearest(of: alternatives, { $0.look(at: value, leniency, into: &$1) }) else {
      return
    }
    differences.add { path in
      unmet(path, value, nearest.list.first?.noteOnValues, nearest.distance)
    }
  }

  private func look(atPresent value: TrackingValue, _ leniency: Leniency, into differences: inout Differences) {
    switch self {
    case .any, .absent, .one, .all, .not:
      break
    case .equal(let expected):
      differences.compare(value, with: expected, leniency)
    case .test(let test):
      guard let miss = test.miss(of: value, leniency) else { return }
      differences.add { unmet($0, value, miss.note, miss.weight) }
    case .elements, .each, .contains, .count:
      guard case .array(let values) = value else { return addKind(value, into: &differences) }
      look(atElements: values, leniency, into: &differences)
    case .members, .object:
      guard case .object(let members) = value else { return addKind(value, into: &differences) }
      look(atMembers: members, leniency, into: &differences)
    }
  }

  private func look(atElements values: [TrackingValue], _ leniency: Leniency, into differences: inout Differences) {
    switch self {
    case .elements(let expected):
      for index in 0..<max(expected.count, values.count) where !differences.isSettled {
        differences.at(element: index) { differences in
          guard index < expected.count else { return differences.add { .extra(path: $0, found: values[index]) } }
          guard index < values.count else { return expected[index].addMissing(into: &differences) }
          expected[index].look(at: values[index], leniency, into: &differences)
        }
      }
    case .each(let condition):
      for (index, value) in values.enumerated() where !differences.isSettled {
        differences.at(element: index) { condition.look(at: value, leniency, into: &$0) }
      }
    case .contains(let condition):
      guard let nearest = differences.nearest(of: values, { condition.look(at: $0, leniency, into: &$1) }) else {
        return
      }
      differences.add { unmet($0, .array(values), nil, nearest.distance) }
    case .count(let condition):
      let count = differences.found { condition.look(at: .int(values.count), leniency, into: &$0) }
      guard !count.isEmpty else { return }
      differences.add { unmet($0, .array(values), "its count is \(values.count)", count.distance) }
    case .equal, .any, .absent, .test, .members, .object, .one, .all, .not:
      break
    }
  }

  private func look(
    atMembers members: [String: TrackingValue], _ leniency: Leniency, into differences: inout Differences
  ) {
    switch self {
    case .object(let conditions):
      for (path, condition) in conditions where !differences.isSettled {
        differences.at(member: path.param.key) {
          condition.look(at: path.value(inMembers: members), leniency, into: &$0)
        }
      }
    case .members(let expected):
      for name in Set(expected.keys).union(members.keys).sorted() where !differences.isSettled {
        differences.at(member: name) { differences in
          switch (expected[name], members[name]) {
          case (let condition?, let found?): condition.look(at: found, leniency, into: &differences)
          case (let condition?, nil): if !condition.namesAbsence { condition.addMissing(into: &differences) }
          case (nil, let found?): differences.add { .extra(path: $0, found: found) }
          case (nil, nil): break
          }
        }
      }
    case .equal, .any, .absent, .test, .elements, .each, .contains, .count, .one, .all, .not:
      break
    }
  }

  /// Whether the condition accepts a missing value explicitly, unlike `.not("x")`.
  private var namesAbsence: Bool {
    switch self {
    case .absent: true
    case .one(let conditions): conditions.contains(where: \.namesAbsence)
    case .all(let conditions): !conditions.isEmpty && conditions.allSatisfy(\.namesAbsence)
    case .equal, .any, .test, .elements, .members, .object, .each, .contains, .count, .not: false
    }
  }

  private func addMissing(into differences: inout Differences) {
    differences.add { .missing(path: $0, expected: expectation, instead: nil) }
  }

  private var expectation: Difference.Expectation { onlyValue.map { .value($0) } ?? .words(description) }

  /// Adds the difference of a value to whose kind the condition can't apply.
  private func addKind(_ value: TrackingValue, into differences: inout Differences) {
    let miss = ValueMiss.kind(of: value)
    differences.add { unmet($0, value, miss.note, miss.weight) }
  }

  private func unmet(
    _ path: String, _ value: TrackingValue?, _ note: String? = nil, _ weight: Double = MismatchWeight.value
  ) -> Difference {
    guard let value else { return .missing(path: path, expected: expectation, instead: nil) }
    return .unmet(path: path, expected: description, found: value, note: note, weight: weight)
  }
}

extension ValueCondition: CustomStringConvertible {
  /// Words that can follow "that is".
  var description: String {
    switch self {
    case .equal(let value): "\(value)"
    case .any: "any value"
    case .absent: "absent"
    case .test(let test): "\(test)"
    case .elements(let conditions): "[\(Self.list(conditions))]"
    case .members(let members):
      "{\(members.sorted { $0.key < $1.key }.map { "\(TrackingValue.string($0.key)): \($0.value)" }.joined(separator: ", "))}"
    case .object(let conditions) where conditions.isEmpty: "an object"
    case .object(let conditions): "an object with \(Self.list(conditions.map { "\($0.path.param): \($0.value)" }))"
    case .each(let condition): "an array whose every element is \(condition)"
    case .contains(let condition): "an array with an element that is \(condition)"
    case .count(let condition): "an array whose count is \(condition)"
    case .one(let conditions): conditions.isEmpty ? "one of no values" : "one of \(Self.list(conditions))"
    case .all(let conditions): conditions.isEmpty ? "any value" : Self.list(conditions, " and ")
    case .not(let condition): "not \(condition.isCompound ? "(\(condition))" : "\(condition)")"
    }
  }

  private var isCompound: Bool {
    switch self {
    case .one, .all: true
    case .equal, .any, .absent, .test, .elements, .members, .object, .each, .contains, .count, .not: false
    }
  }

  private static func list(_ conditions: [some CustomStringConvertible], _ separator: String = ", ") -> String {
    conditions.map(\.description).joined(separator: separator)
  }
}

// MARK: - Parts

extension ValueCondition {
  private var parts: [ValueCondition] {
    switch self {
    case .elements(let conditions), .one(let conditions), .all(let conditions): conditions
    case .members(let members): members.sorted { $0.key < $1.key }.map(\.value)
    case .object(let conditions): conditions.map(\.value)
    case .each(let condition), .contains(let condition), .count(let condition), .not(let condition): [condition]
    case .equal, .any, .absent, .test: []
    }
  }

  func mapping(_ part: (ValueCondition) -> ValueCondition) -> ValueCondition {
    switch self {
    case .elements(let conditions): .elements(conditions.map(part))
    case .members(let members): .members(members.mapValues(part))
    case .object(let conditions): .object(conditions.map { ($0.path, part($0.value)) })
    case .each(let condition): .each(part(condition))
    case .contains(let condition): .contains(part(condition))
    case .count(let condition): .count(part(condition))
    case .one(let alternatives): .one(of: alternatives.map(part))
    case .all(let conditions): .all(of: conditions.map(part))
    case .not(let condition): .not(part(condition))
    case .equal, .any, .absent, .test: self
    }
  }

  /// The closures and Swift `Regex`es in the condition, in the order of its form.
  var code: [any ValueCode] {
    if case .test(let test) = self { test.code.map { [$0] } ?? [] } else { parts.flatMap(\.code) }
  }

  var hasClosure: Bool {
    if case .test(let test) = self { test.assuming(true) != nil } else { parts.contains(where: \.hasClosure) }
  }

  /// Replaces all closures so that the condition holds for as many values as possible, or for as few as possible.
  func assuming(_ holds: Bool) -> ValueCondition {
    switch self {
    case .test(let test): .test(test.assuming(holds) ?? test)
    case .not(let condition): .not(condition.assuming(!holds))
    default: mapping { $0.assuming(holds) }
    }
  }
}
