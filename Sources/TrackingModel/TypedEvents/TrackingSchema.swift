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
/// Dates are sent in UTC with milliseconds, `Data` in base64, a `Decimal` as a number (or as text if it has too many digits), a set sorted by its
/// elements' texts; a `nil` property isn't sent.
public protocol TrackingSchema: Codable, Sendable {
  /// The name of events of this type.
  static var eventName: String { get }
}

extension TrackingParam {
  /// `"tracking_encoding_error"`: the reason why a typed event couldn't be encoded completely; missing if it was.
  public static let encodingError = TrackingParam.custom(key: "tracking_encoding_error")
}
