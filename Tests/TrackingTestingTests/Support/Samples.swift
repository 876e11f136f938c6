import TrackingModel

struct AddedToCart: TrackingSchema, Equatable {
  static let eventName = "added_to_cart"
  var productID: String
  var quantity: Int

  enum CodingKeys: String, CodingKey {
    case productID = "product_id"
    case quantity
  }
}

extension TrackingEvent {
  static let tapped = TrackingEvent(name: "button_tapped", params: [.screen: "main_screen"])
}
