import TrackingModel

extension TrackingParam {
  /// `"item_count"`: how many items are in the cart.
  public static let itemCount = TrackingParam.custom(key: "item_count")
  /// `"product_id"`: which product it is about.
  public static let productID = TrackingParam.custom(key: "product_id")
}
