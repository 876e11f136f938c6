import Foundation

extension TrackingEvent {
  /// Decodes the event as a typed event.
  ///
  /// - Throws: An error with the reason if the event has another name, or if a param is missing or of another type.
  public func decode<S: TrackingSchema>(as: S.Type) throws -> S {
    try TypedEventDecoder.decode(S.self, from: self)
  }
}

enum TypedEventDecoder {
  static func decode<S: TrackingSchema>(_ type: S.Type, from event: TrackingEvent) throws(TypedEventDecodingError) -> S
  {
    let schema = "\(type)"
    guard event.name.isSameText(as: S.eventName) else {
      throw TypedEventDecodingError(
        typedEvent: schema, path: "name", kind: .otherName(expected: S.eventName, found: event.name))
    }
    let params = object(of: event)
    do {
      return event.origin?.isText ?? false ? try decodeText(S.self, from: params) : try decode(S.self, from: params)
    } catch let error as DecodingError {
      if let (path, others) = misfit(of: S.self, in: params, after: error) {
        throw TypedEventDecodingError(
          typedEvent: schema, path: "params" + params.text(of: path[...]),
          kind: .mismatch(
            expected: expectedType(of: S.self, at: path, in: others), found: params.excerpt(at: path[...])))
      }
      throw TypedEventDecodingError(error, schema: schema, params: params) { path in
        expectedType(of: S.self, at: path, in: params)
      }
    } catch {
      throw TypedEventDecodingError(typedEvent: schema, path: "params", kind: .custom("\(error)"))
    }
  }

  static func decoder(of event: TrackingEvent) -> (any Decoder)? {
    struct Container: Decodable {
      let decoder: any Decoder

      init(from decoder: any Decoder) {
        self.decoder = decoder
      }
    }
    var writer = JSONWriter()
    writer.write(object(of: event))
    return try? decoder().decode(Container.self, from: Data(writer.bytes)).decoder
  }

  /// The params as an object; keeps one of two canonically equivalent names, as Foundation's decoders do.
  private static func object(of event: TrackingEvent) -> TrackingValue {
    .object(Dictionary(event.params.map { ($0.key, $1) }) { first, _ in first })
  }

  /// Decodes params, with the decimals that were tracked as text because a number doesn't carry their digits.
  private static func decode<S: TrackingSchema>(_ type: S.Type, from params: TrackingValue) throws -> S {
    var params = params
    var decimals: [(placeholder: String, digits: String)] = []
    while true {
      do {
        return try decoder().decode(S.self, from: json(params, decimals))
      } catch DecodingError.typeMismatch(let type, let context) where type == Decimal.self {
        // Each iteration replaces one text, so there are no more iterations than texts.
        let path = context.codingPath[...]
        guard case .string(let digits)? = params.value(at: path),
          case .string(digits)? = Decimal(string: digits)?.trackingValue
        else { throw DecodingError.typeMismatch(type, context) }
        let placeholder = UUID.random().uuidString
        decimals.append((placeholder, digits))
        params = params.replacing(path, with: .string(placeholder))
      }
    }
  }

  /// JSON in which numbers of any length replace some texts.
  private static func json(_ value: TrackingValue, _ numbers: [(placeholder: String, digits: String)]) -> Data {
    var writer = JSONWriter()
    writer.write(value)
    var json = Data(writer.bytes)
    for number in numbers {
      guard let range = json.range(of: Data("\"\(number.placeholder)\"".utf8)) else { continue }
      json.replaceSubrange(range, with: Data(number.digits.utf8))
    }
    return json
  }

  /// Decodes params of a text-only format, where a text may be the number or the Boolean that the type expects.
  private static func decodeText<S: TrackingSchema>(_ type: S.Type, from params: TrackingValue) throws -> S {
    var meant = params
    while true {
      do {
        return try decode(S.self, from: meant)
      } catch let error as DecodingError {
        // Each iteration replaces one text, so there are no more iterations than texts.
        guard let (path, expected) = mismatch(error), case .string(let text)? = meant.value(at: path[...]),
          let value = TrackingValue(text: text, meantAs: expected)
        else { throw error }
        meant = meant.replacing(path[...], with: value)
      }
    }
  }

  private static func mismatch(_ error: DecodingError) -> (path: [any CodingKey], type: Any.Type)? {
    switch error {
    case .typeMismatch(let type, let context): (context.codingPath, type)
    // Foundation's error for a text where a Double is expected, because some texts represent infinity.
    case .dataCorrupted(let context) where !context.codingPath.isEmpty: (context.codingPath, Double.self)
    default: nil
    }
  }

  /// The type of a missing param, from the error for an empty object in its place, because `Decodable`'s own error doesn't name it.
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

  /// The path of a number that its type can't hold, and the params without such numbers.
  ///
  /// Foundation's error has no path, but replacing the number with zero removes the error.
  private static func misfit<S: TrackingSchema>(
    of: S.Type, in params: TrackingValue, after error: DecodingError
  ) -> (path: [any CodingKey], others: TrackingValue)? {
    guard isMisfit(error) else { return nil }
    var others = params
    for path in params.numberPaths {
      others = others.replacing(path[...], with: 0)
      do {
        _ = try decode(S.self, from: others)
        return (path, others)
      } catch {
        if !isMisfit(error) { return (path, others) }
      }
    }
    return nil
  }

  private static func isMisfit(_ error: any Error) -> Bool {
    guard case DecodingError.dataCorrupted(let context) = error else { return false }
    // The JSON is valid, because we wrote it. Foundation uses this message for unrepresentable numbers, too.
    return context.codingPath.isEmpty && context.debugDescription == "The given data was not valid JSON."
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

extension TypedEventDecodingError {
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
    self.init(typedEvent: schema, path: "params" + params.text(of: keys[...]), kind: kind)
  }
}

extension TrackingValue {
  /// Reads the number or the Boolean that a text represents.
  fileprivate init?(text: String, meantAs type: Any.Type) {
    if type == Bool.self {
      switch text.lowercased() {
      case "true", "1", "yes": self = .bool(true)
      case "false", "0", "no": self = .bool(false)
      default: return nil
      }
    } else if let int = Int(text) {
      self = .int(int)
    } else if let unsigned = UInt64(text) {
      self = .unsigned(unsigned)
    } else if let double = Double(text), double.isFinite {
      self = .double(double)
    } else {
      return nil
    }
  }
}

/// The type's name in an error, unless Foundation requests an object or an array by it.
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
