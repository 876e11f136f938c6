import TrackingModel

/// What a value must be like; a value may also be missing.
indirect enum ValueCondition: Sendable {
  case equal(TrackingValue)
  case any
  case absent
  case kind(ValueKind)
  case text(TextCondition)
  case ordered(OrderCondition)
  case approximately(Double, tolerance: Double)
  /// An array of as many elements, each as its condition says.
  case elements([ValueCondition])
  /// An object of the same names, each as its condition says.
  case members([String: ValueCondition])
  /// An object of which some parts are named.
  case object([(path: ParamPath, value: ValueCondition)])
  case each(ValueCondition)
  case contains(ValueCondition)
  case count(ValueCondition)
  case one(of: [ValueCondition])
  case all(of: [ValueCondition])
  case not(ValueCondition)
  case satisfying(String, @Sendable (TrackingValue) -> Bool)
}

extension ValueCondition {
  /// Adds what is different at the place that is looked at.
  func look(
    at value: TrackingValue?, instead: EventDifference.Instead? = nil, _ reading: Reading,
    into differences: inout Differences
  ) {
    switch self {
    case .absent:
      guard let value else { return }
      differences.add {
        .unmet(
          path: $0, expected: description, found: value, note: value == .null ? "null is a value" : nil,
          weight: MismatchWeight.extra)
      }
    case .one(let alternatives):
      look(at: value, among: alternatives, reading, into: &differences)
    case .all(let conditions):
      for condition in conditions where !differences.isSettled {
        condition.look(at: value, instead: instead, reading, into: &differences)
      }
    case .not(let condition):
      guard differences.found(by: { condition.look(at: value, reading, into: &$0) }).isEmpty else { return }
      differences.add { unmet($0, value) }
    case .equal, .any, .kind, .text, .ordered, .approximately, .elements, .members, .object, .each, .contains, .count,
      .satisfying:
      guard let value else {
        differences.add { .missing(path: $0, expected: description, instead: instead) }
        return
      }
      look(atPresent: value, reading, into: &differences)
    }
  }

  private func look(atPresent value: TrackingValue, _ reading: Reading, into differences: inout Differences) {
    switch self {
    case .any, .absent, .one, .all, .not:
      break
    case .equal(let expected):
      ValueComparison.look(at: value, expecting: expected, reading, into: &differences)
    case .kind(let kind):
      if !kind.includes(value, reading) { addKind(value, into: &differences) }
    case .text(let condition):
      guard let text = value.text(reading) else { return addKind(value, into: &differences) }
      guard let miss = condition.miss(of: text) else { return }
      differences.add { unmet($0, value, miss.note, MismatchWeight.value(share: miss.share)) }
    case .ordered(let condition):
      guard let bounded = condition.comparable(value, reading) else { return addKind(value, into: &differences) }
      if let share = condition.share(of: bounded) {
        differences.add { unmet($0, value, nil, MismatchWeight.value(share: share)) }
      }
    case .approximately(let expected, let tolerance):
      guard let number = value.number(reading)?.number else { return addKind(value, into: &differences) }
      look(at: number, value, near: expected, tolerance, into: &differences)
    case .satisfying(_, let condition):
      if !condition(value) { differences.add { unmet($0, value) } }
    case .elements, .each, .contains, .count:
      guard case .array(let values) = value else { return addKind(value, into: &differences) }
      look(atElements: values, reading, into: &differences)
    case .members, .object:
      guard case .object(let members) = value else { return addKind(value, into: &differences) }
      look(atMembers: members, reading, into: &differences)
    }
  }

  private func look(
    at number: Double, _ value: TrackingValue, near expected: Double, _ tolerance: Double,
    into differences: inout Differences
  ) {
    let difference = abs(number - expected)
    // 1.1 lies 0.1 from 1.0 for everybody but binary fractions.
    let rounding = 2 * max(number.ulp, expected.ulp)
    guard !(difference <= tolerance + rounding) else { return }
    let off = TrackingValue.double((difference * 1e9).rounded() / 1e9)
    differences.add {
      unmet(
        $0, value, difference.isFinite && off != 0 ? "\(off) \(number < expected ? "less" : "more")" : nil,
        MismatchWeight.value(share: MismatchWeight.share(of: number, from: expected)))
    }
  }

  private func look(
    at value: TrackingValue?, among alternatives: [ValueCondition], _ reading: Reading,
    into differences: inout Differences
  ) {
    guard let nearest = differences.nearest(of: alternatives, { $0.look(at: value, reading, into: &$1) }) else {
      return
    }
    differences.add { path in
      guard case .value(_, let expected, let found)? = nearest.list.first else {
        return unmet(path, value, nil, nearest.distance)
      }
      return unmet(path, value, ValueNote.of(found, expected: expected), nearest.distance)
    }
  }

  private func look(atElements values: [TrackingValue], _ reading: Reading, into differences: inout Differences) {
    switch self {
    case .elements(let expected):
      for index in 0..<max(expected.count, values.count) where !differences.isSettled {
        differences.at(element: index) { differences in
          if index < expected.count {
            expected[index].look(at: values.element(at: index), reading, into: &differences)
          } else {
            differences.add { .extra(path: $0, found: values[index]) }
          }
        }
      }
    case .each(let condition):
      for (index, value) in values.enumerated() where !differences.isSettled {
        differences.at(element: index) { condition.look(at: value, reading, into: &$0) }
      }
    case .contains(let condition):
      guard let nearest = differences.nearest(of: values, { condition.look(at: $0, reading, into: &$1) }) else {
        return
      }
      differences.add { unmet($0, .array(values), nil, nearest.distance) }
    case .count(let condition):
      let count = differences.found { condition.look(at: .int(values.count), reading, into: &$0) }
      guard !count.isEmpty else { return }
      differences.add { unmet($0, .array(values), "its count is \(values.count)", count.distance) }
    case .equal, .any, .absent, .kind, .text, .ordered, .approximately, .members, .object, .one, .all, .not,
      .satisfying:
      break
    }
  }

  private func look(
    atMembers members: [String: TrackingValue], _ reading: Reading, into differences: inout Differences
  ) {
    switch self {
    case .object(let conditions):
      for (path, condition) in conditions where !differences.isSettled {
        differences.at(member: path.param.key) {
          condition.look(at: path.value(inMembers: members), reading, into: &$0)
        }
      }
    case .members(let expected):
      for name in Set(expected.keys).union(members.keys).sorted() where !differences.isSettled {
        differences.at(member: name) { differences in
          if let condition = expected[name] {
            condition.look(at: members[name], reading, into: &differences)
          } else if let found = members[name] {
            differences.add { .extra(path: $0, found: found) }
          }
        }
      }
    case .equal, .any, .absent, .kind, .text, .ordered, .approximately, .elements, .each, .contains, .count, .one, .all,
      .not, .satisfying:
      break
    }
  }

  /// A value of a kind with which this condition can do nothing.
  private func addKind(_ value: TrackingValue, into differences: inout Differences) {
    differences.add { unmet($0, value, "it is \(value.kind)", MismatchWeight.type) }
  }

  private func unmet(
    _ path: String, _ value: TrackingValue?, _ note: String? = nil, _ weight: Double = MismatchWeight.value
  ) -> EventDifference {
    guard let value else { return .missing(path: path, expected: description, instead: nil) }
    return .unmet(path: path, expected: description, found: value, note: note, weight: weight)
  }
}
