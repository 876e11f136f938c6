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
