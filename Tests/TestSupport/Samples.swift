import TrackingModel

package struct AddedToCart: TrackingSchema, Equatable {
  package static let eventName = "added_to_cart"
  package var productID: String
  package var quantity: Int
  package var price: Double?

  package enum CodingKeys: String, CodingKey {
    case productID = "product_id"
    case quantity, price
  }

  package init(productID: String, quantity: Int, price: Double? = nil) {
    self.productID = productID
    self.quantity = quantity
    self.price = price
  }
}

extension TrackingEvent {
  package static let tapped = TrackingEvent(
    name: "button_tapped", params: [.eventName: "button1_tapped", .screen: "main_screen"])
}
