extension TrackingValue {
  /// `.items[0].price`.
  func text(of path: ArraySlice<any CodingKey>) -> String {
    guard let key = path.first else { return "" }
    let rest = (child(at: key) ?? .null).text(of: path.dropFirst())
    if case .array = self, let index = key.intValue { return "[\(index)]\(rest)" }
    return ".\(key.stringValue)\(rest)"
  }

  /// The value at a path with its kind: `the string "9.50"`.
  func excerpt(at path: ArraySlice<any CodingKey>) -> String {
    guard let key = path.first else {
      return switch canonicalScalar {
      case .null, .array, .object: kind
      case .bool, .int, .unsigned, .double, .string: "the \(kind.dropFirst(2)) \(self)"
      }
    }
    return child(at: key)?.excerpt(at: path.dropFirst()) ?? "nothing"
  }

  func value(at path: ArraySlice<any CodingKey>) -> TrackingValue? {
    guard let key = path.first else { return self }
    return child(at: key)?.value(at: path.dropFirst())
  }

  /// Returns the value unchanged if the path doesn't lead through existing objects and arrays.
  func replacing(_ path: ArraySlice<any CodingKey>, with value: TrackingValue) -> TrackingValue {
    guard let key = path.first else { return value }
    let replaced = (child(at: key) ?? .null).replacing(path.dropFirst(), with: value)
    switch self {
    case .array(var values):
      guard let index = key.intValue, values.indices.contains(index) else { return self }
      values[index] = replaced
      return .array(values)
    case .object(var members):
      members[key.stringValue] = replaced
      return .object(members)
    case .null, .bool, .int, .unsigned, .double, .string:
      return self
    }
  }

  var numberPaths: [[any CodingKey]] {
    switch canonicalScalar {
    case .null, .bool, .string: []
    case .int, .unsigned, .double: [[]]
    case .array(let values):
      values.enumerated().flatMap { index, value in value.numberPaths.map { [TypedEventIndex(index)] + $0 } }
    case .object(let members):
      members.sorted { $0.key < $1.key }.flatMap { name, value in
        value.numberPaths.map { [TrackingParam.custom(key: name)] + $0 }
      }
    }
  }

  private func child(at key: any CodingKey) -> TrackingValue? {
    switch self {
    case .array(let values): key.intValue.flatMap { values.indices.contains($0) ? values[$0] : nil }
    case .object(let members): members[key.stringValue]
    case .null, .bool, .int, .unsigned, .double, .string: nil
    }
  }
}
