extension TrackingValue: CustomStringConvertible {
  /// The value as it stands on the wire, with a space after each comma and colon: `{"id": "42", "price": 9.5}`.
  public var description: String {
    switch canonicalScalar {
    case .array(let values):
      return "[\(values.map(\.description).joined(separator: ", "))]"
    case .object(let members):
      let list = members.sorted { $0.key < $1.key }.map { "\(TrackingValue.string($0.key)): \($0.value)" }
      return "{\(list.joined(separator: ", "))}"
    case .null, .bool, .int, .unsigned, .double, .string:
      var writer = JSONWriter()
      writer.write(self)
      return String(decoding: writer.bytes, as: UTF8.self)
    }
  }

  /// What kind of JSON value this is, in words: "a string", "a number", "null".
  package var kind: String {
    switch canonicalScalar {
    case .null: "null"
    case .bool: "a boolean"
    case .int, .unsigned, .double: "a number"
    case .string: "a string"
    case .array: "an array"
    case .object: "an object"
    }
  }
}
