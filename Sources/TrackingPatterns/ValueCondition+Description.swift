import TrackingModel

extension ValueCondition: CustomStringConvertible {
  /// What is asked for, in words that may follow "that is".
  var description: String {
    switch self {
    case .equal(let value): "\(value)"
    case .any: "any value"
    case .absent: "absent"
    case .kind(let kind): kind.rawValue
    case .text(let condition): "\(condition)"
    case .ordered(let condition): "\(condition)"
    case .approximately(let number, let tolerance):
      "\(TrackingValue.double(number)), give or take \(TrackingValue.double(tolerance))"
    case .elements(let conditions): "[\(Self.list(conditions))]"
    case .members(let members):
      "{\(members.sorted { $0.key < $1.key }.map { "\(TrackingValue.string($0.key)): \($0.value)" }.joined(separator: ", "))}"
    case .object(let conditions): "an object with \(Self.list(conditions.map { "\($0.path.param): \($0.value)" }))"
    case .each(let condition): "an array whose every element is \(condition)"
    case .contains(let condition): "an array with an element that is \(condition)"
    case .count(let condition): "an array whose count is \(condition)"
    case .one(let conditions): conditions.isEmpty ? "one of no values" : "one of \(Self.list(conditions))"
    case .all(let conditions): conditions.isEmpty ? "any value" : Self.list(conditions, " and ")
    case .not(let condition): "not \(condition.isCompound ? "(\(condition))" : "\(condition)")"
    case .satisfying(let description, _): description
    }
  }

  private var isCompound: Bool {
    switch self {
    case .one, .all: true
    case .equal, .any, .absent, .kind, .text, .ordered, .approximately, .elements, .members, .object, .each, .contains,
      .count, .not, .satisfying:
      false
    }
  }

  private static func list(_ conditions: [some CustomStringConvertible], _ separator: String = ", ") -> String {
    conditions.map(\.description).joined(separator: separator)
  }
}
