extension TrackingValue: Codable {
  /// Reads any JSON value.
  public init(from decoder: any Decoder) throws {
    if let container = try? decoder.container(keyedBy: TrackingParam.self) {
      var members: [String: TrackingValue] = [:]
      for key in container.allKeys {
        members[key.key] = try container.decode(TrackingValue.self, forKey: key)
      }
      self = .object(members)
    } else if var container = try? decoder.unkeyedContainer() {
      var values: [TrackingValue] = []
      while !container.isAtEnd {
        values.append(try container.decode(TrackingValue.self))
      }
      self = .array(values)
    } else {
      self = try Self.scalar(in: decoder.singleValueContainer())
    }
  }

  private static func scalar(in container: any SingleValueDecodingContainer) throws -> TrackingValue {
    if container.decodeNil() { return .null }
    // Booleans before numbers: some decoders return a number for `true`.
    if let value = try? container.decode(Bool.self) { return .bool(value) }
    if let value = try? container.decode(Int.self) { return .int(value) }
    if let value = try? container.decode(UInt64.self) { return .unsigned(value) }
    if let value = try? container.decode(Double.self) { return TrackingValue.double(value).canonical }
    if let value = try? container.decode(String.self) { return .string(value) }
    throw DecodingError.dataCorruptedError(
      in: container, debugDescription: "neither a string, a boolean, null nor a number that a double can hold")
  }

  /// Writes the canonical form, objects sorted by their names.
  public func encode(to encoder: any Encoder) throws {
    switch canonicalScalar {
    case .null:
      var container = encoder.singleValueContainer()
      try container.encodeNil()
    case .bool(let value): try value.encode(to: encoder)
    case .int(let value): try value.encode(to: encoder)
    case .unsigned(let value): try value.encode(to: encoder)
    case .double(let value): try value.encode(to: encoder)
    case .string(let value): try value.encode(to: encoder)
    case .array(let values):
      var container = encoder.unkeyedContainer()
      for value in values {
        try container.encode(value)
      }
    case .object(let members):
      var container = encoder.container(keyedBy: TrackingParam.self)
      for (name, value) in members.sorted(by: { $0.key.precedes($1.key) }) {
        try container.encode(value, forKey: .custom(key: name))
      }
    }
  }
}
