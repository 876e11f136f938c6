import Foundation

/// Reads a typed event from an event's params, through Foundation's JSON decoder.
enum SchemaDecoder {
  static func decode<S: TrackingSchema>(_ type: S.Type, from event: TrackingEvent) throws(SchemaDecodingError) -> S {
    let schema = "\(type)"
    guard event.name == S.eventName else {
      throw SchemaDecodingError(
        schema: schema, path: "name", kind: .otherName(expected: S.eventName, found: event.name))
    }
    let params = TrackingValue.object([String: TrackingValue](uniqueKeysWithValues: event.params.map { ($0.key, $1) }))
    do {
      return try decode(S.self, from: params)
    } catch let error as DecodingError {
      throw SchemaDecodingError(error, schema: schema, params: params) { path in
        expectedType(of: S.self, at: path, in: params)
      }
    } catch {
      throw SchemaDecodingError(schema: schema, path: "params", kind: .custom("\(error)"))
    }
  }

  private static func decode<S: TrackingSchema>(_ type: S.Type, from params: TrackingValue) throws -> S {
    var writer = JSONWriter()
    writer.write(params)
    return try decoder().decode(S.self, from: Data(writer.bytes))
  }

  /// The type of a missing param: `Decodable` does not say, but complains by name about an empty object put in its place.
  private static func expectedType<S: TrackingSchema>(
    of: S.Type, at path: [any CodingKey], in params: TrackingValue
  ) -> String {
    do {
      _ = try decode(S.self, from: params.replacing(path[...], with: .object([:])))
    } catch DecodingError.typeMismatch(let type, let context) where context.codingPath.count == path.count {
      return name(of: type)
    } catch {}
    return "an object"
  }

  private static func decoder() -> JSONDecoder {
    let decoder = JSONDecoder()
    decoder.nonConformingFloatDecodingStrategy = .convertFromString(
      positiveInfinity: TrackingValue.infinity, negativeInfinity: TrackingValue.negativeInfinity,
      nan: TrackingValue.nan)
    decoder.dateDecodingStrategy = .custom { decoder in
      let container = try decoder.singleValueContainer()
      if let text = try? container.decode(String.self), let date = WireDate.date(from: text) { return date }
      throw DecodingError.typeMismatch(
        Date.self, .init(codingPath: container.codingPath, debugDescription: "not an ISO 8601 date"))
    }
    return decoder
  }
}

extension SchemaDecodingError {
  /// What Foundation's error says, in terms of the event: the param, the expected and the found type.
  fileprivate init(
    _ error: DecodingError, schema: String, params: TrackingValue, expectedType: ([any CodingKey]) -> String
  ) {
    let (keys, kind): ([any CodingKey], Kind) =
      switch error {
      case .keyNotFound(let key, let context):
        (context.codingPath + [key], .missing(expected: expectedType(context.codingPath + [key])))
      case .valueNotFound(let type, let context):
        (context.codingPath, .mismatch(expected: name(of: type), found: params.excerpt(at: context.codingPath[...])))
      case .typeMismatch(let type, let context):
        (context.codingPath, .mismatch(expected: name(of: type), found: params.excerpt(at: context.codingPath[...])))
      case .dataCorrupted(let context):
        (
          context.codingPath,
          .custom("\(context.debugDescription), found \(params.excerpt(at: context.codingPath[...]))")
        )
      @unknown default:
        ([], .custom("\(error)"))
      }
    self.init(schema: schema, path: "params" + params.text(of: keys[...]), kind: kind)
  }
}

/// How a type is called in an error: as itself, but for the ones by which Foundation says that it wants an object or an array.
private func name(of type: Any.Type) -> String {
  let name = "\(type)"
  return switch name {
  case "Dictionary<String, Any>": "an object"
  case "Array<Any>": "an array"
  case _ where name.hasPrefix("KeyedDecodingContainer"): "an object"
  case _ where name.hasSuffix("UnkeyedDecodingContainer"): "an array"
  default: name
  }
}

extension TrackingValue {
  /// A path as text, with an index where an array stands: `.items[0].price`.
  fileprivate func text(of path: ArraySlice<any CodingKey>) -> String {
    guard let key = path.first else { return "" }
    let rest = (child(at: key) ?? .null).text(of: path.dropFirst())
    if case .array = self, let index = key.intValue { return "[\(index)]\(rest)" }
    return ".\(key.stringValue)\(rest)"
  }

  /// What stands at a path, with its kind: `the string "9.50"`.
  fileprivate func excerpt(at path: ArraySlice<any CodingKey>) -> String {
    guard let key = path.first else {
      return switch canonicalScalar {
      case .null, .array, .object: kind
      case .bool, .int, .unsigned, .double, .string: "the \(kind.dropFirst(2)) \(self)"
      }
    }
    return child(at: key)?.excerpt(at: path.dropFirst()) ?? "nothing"
  }

  /// This value with another at a path, as far as the path leads through objects and arrays that are there.
  fileprivate func replacing(_ path: ArraySlice<any CodingKey>, with value: TrackingValue) -> TrackingValue {
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

  private func child(at key: any CodingKey) -> TrackingValue? {
    switch self {
    case .array(let values): key.intValue.flatMap { values.indices.contains($0) ? values[$0] : nil }
    case .object(let members): members[key.stringValue]
    case .null, .bool, .int, .unsigned, .double, .string: nil
    }
  }
}
