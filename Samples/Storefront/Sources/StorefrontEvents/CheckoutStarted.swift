import TrackingModel

/// The user went from the cart to the checkout.
public struct CheckoutStarted: TrackingSchema, Hashable {
  /// `"checkout_started"`.
  public static let eventName = "checkout_started"

  /// How many items are in the cart.
  public var itemCount: Int
  /// What they cost together, in cents.
  public var total: Int

  /// A checkout that was started.
  public init(itemCount: Int, total: Int) {
    self.itemCount = itemCount
    self.total = total
  }

  private enum CodingKeys: String, CodingKey {
    case itemCount = "item_count"
    case total
  }
}
