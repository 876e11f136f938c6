import TrackingModel

struct AddedToCart: TrackingSchema, Equatable {
  static let eventName = "added_to_cart"
  var productID: String
  var quantity: Int
  var price: Double?

  enum CodingKeys: String, CodingKey {
    case productID = "product_id"
    case quantity, price
  }
}

extension TrackingEvent {
  static let tapped = TrackingEvent(
    name: "button_tapped", params: [.eventName: "button1_tapped", .screen: "main_screen"])
}
