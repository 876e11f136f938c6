extension TrackingValue: CustomStringConvertible {
  /// The value as it stands on the wire, with a space after each comma and colon: `{"id": "42", "price": 9.5}`.
  public var description: String {
    var writer = JSONWriter(spacing: .readable)
    writer.write(self)
    return String(decoding: writer.bytes, as: UTF8.self)
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
