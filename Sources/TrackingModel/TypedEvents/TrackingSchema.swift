/// A typed event: a `Codable` value whose stored properties are the event's params.
///
/// Declare it once, in a target that the app and its tests share, and a renamed param is a compile error in both:
///
/// ```swift
/// struct AddedToCart: TrackingSchema {
///   static let eventName = "added_to_cart"
///   var productID: String
///   var quantity: Int
///
///   enum CodingKeys: String, CodingKey { case productID = "product_id", quantity }
/// }
/// ```
///
/// Dates are sent in UTC with milliseconds, `Data` in base64, a `Decimal` as a number or, if it has too many digits for one, as text, a set in
/// the order of its elements' texts, a `nil` property not at all.
public protocol TrackingSchema: Codable, Sendable {
  /// The name under which events of this type are tracked.
  static var eventName: String { get }
}

extension TrackingParam {
  /// `"tracking_encoding_error"`: why a typed event could not be encoded completely; missing if it could.
  public static let encodingError = TrackingParam.custom(key: "tracking_encoding_error")
}

extension TrackingEvent {
  /// The event of a typed value: every field becomes a param under its coding key.
  ///
  /// Never throws and never loses the event. If the encoding of a field fails, the event has the params of the fields before it and
  /// ``TrackingParam/encodingError``, which names the field and the reason.
  public init(_ schema: some TrackingSchema) {
    self.init(name: type(of: schema).eventName, params: TypedEventEncoder.params(of: schema))
  }

  /// The typed value of this event.
  ///
  /// - Throws: ``TypedEventDecodingError`` when the event has another name, or when a param is missing or of another type.
  public func decode<S: TrackingSchema>(as: S.Type) throws -> S {
    try TypedEventDecoder.decode(S.self, from: self)
  }
}
