/// The name of an event's param.
///
/// Declare the params of an app once, in a target that the app and its tests share:
///
/// ```swift
/// extension TrackingParam {
///   static let productID: TrackingParam = "product_id"
/// }
/// ```
///
/// A param is also its own coding key. Two params are equal when the UTF-8 bytes of their names are.
public struct TrackingParam: Sendable {
  /// The param's name on the wire, for example `"event_name"`.
  public let key: String

  /// `"event_name"`: distinguishes events of the same name.
  public static let eventName = TrackingParam.custom(key: "event_name")
  /// `"screen"`: the screen on which the event happened.
  public static let screen = TrackingParam.custom(key: "screen")

  /// Returns a param of any name; `.custom(key: "screen")` is the same param as ``screen``.
  public static func custom(key: String) -> TrackingParam {
    TrackingParam(stringLiteral: key)
  }
}

extension TrackingParam: Hashable, Comparable {
  /// Compares the UTF-8 bytes of the names.
  public static func == (left: TrackingParam, right: TrackingParam) -> Bool {
    left.key.isSameText(as: right.key)
  }

  /// Hashes the UTF-8 bytes of the name.
  public func hash(into hasher: inout Hasher) {
    key.hashText(into: &hasher)
  }

  /// Orders params by the UTF-8 bytes of their names, as they are written and printed.
  public static func < (left: TrackingParam, right: TrackingParam) -> Bool {
    left.key.precedes(right.key)
  }
}

extension TrackingParam: ExpressibleByStringLiteral, ExpressibleByStringInterpolation {
  /// Creates a param from its name: `"product_id"`.
  public init(stringLiteral value: String) {
    key = value
  }
}

extension TrackingParam: CodingKey, CodingKeyRepresentable {
  /// The param's name on the wire.
  public var stringValue: String { key }
  /// `nil`: a param is never a number.
  public var intValue: Int? { nil }
  /// The param itself, so that a dictionary keyed by params is coded as an object.
  public var codingKey: any CodingKey { self }

  /// Creates a param from its name.
  public init(stringValue: String) {
    key = stringValue
  }

  /// Returns `nil`: a param is never a number.
  public init?(intValue: Int) {
    nil
  }

  /// Creates a param from a coding key's name.
  public init(codingKey: some CodingKey) {
    key = codingKey.stringValue
  }
}

extension TrackingParam: Codable {
  /// Reads the param's name.
  public init(from decoder: any Decoder) throws {
    key = try decoder.singleValueContainer().decode(String.self)
  }

  /// Writes the param's name.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(key)
  }
}

extension TrackingParam: CustomStringConvertible, CustomDebugStringConvertible {
  /// The param's name.
  public var description: String { key }
  /// The param's name.
  public var debugDescription: String { key }
}
