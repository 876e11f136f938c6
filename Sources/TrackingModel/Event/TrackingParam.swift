/// The name of an event's param: also its coding key, so what it says here is what stands on the wire.
///
/// Predefine the params of an app once, in a target that the app and its tests share:
///
/// ```swift
/// extension TrackingParam {
///   static let productID: TrackingParam = "product_id"
/// }
/// ```
public struct TrackingParam: Hashable, Sendable {
  /// The param's name on the wire, for example `"event_name"`.
  public let key: String

  /// `"event_name"`: which of the events of one name this is.
  public static let eventName = TrackingParam.custom(key: "event_name")
  /// `"screen"`: the screen on which the event happened.
  public static let screen = TrackingParam.custom(key: "screen")

  /// A param of any name; `.custom(key: "screen")` is the same param as ``screen``.
  public static func custom(key: String) -> TrackingParam {
    TrackingParam(stringLiteral: key)
  }
}

extension TrackingParam: ExpressibleByStringLiteral, ExpressibleByStringInterpolation {
  /// A param written as its name: `"product_id"`.
  public init(stringLiteral value: String) {
    key = value
  }
}

extension TrackingParam: Comparable {
  /// The order in which params are written and printed.
  public static func < (left: TrackingParam, right: TrackingParam) -> Bool {
    left.key < right.key
  }
}

extension TrackingParam: CodingKey, CodingKeyRepresentable {
  /// The param's name on the wire.
  public var stringValue: String { key }
  /// `nil`: a param is never a number.
  public var intValue: Int? { nil }
  /// The param itself, so that a dictionary keyed by params is coded as an object.
  public var codingKey: any CodingKey { self }

  /// The param of that name.
  public init(stringValue: String) {
    key = stringValue
  }

  /// `nil`: a param is never a number.
  public init?(intValue: Int) {
    nil
  }

  /// The param that a coding key names.
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
