import TrackingModel

extension TrackingEvent {
  /// A purchase with nested params, for tests that change one thing about it.
  package static let purchase = TrackingEvent(
    name: "purchase",
    params: [
      "order_id": "A-000042", "total": 120, "currency": "EUR", "gift": true, "coupon": nil,
      "items": [["id": "42", "price": 9.5, "tags": ["new", "sale"]], ["id": "43", "price": 101, "tags": []]],
      "page.name": "cart",
    ])

  package func with(_ param: TrackingParam, _ value: TrackingValue?) -> TrackingEvent {
    var event = self
    event.params[param] = value
    return event
  }

  package func named(_ name: String) -> TrackingEvent {
    var event = self
    event.name = name
    return event
  }
}
