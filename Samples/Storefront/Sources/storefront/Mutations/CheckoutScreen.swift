import TrackingModel

/// The checkout's screen, with the mistake that people find in production: it tracks the checkout, which its model has done.
nonisolated struct CheckoutScreen {
  let tracker: any TrackerProtocol

  func appear(after checkout: TrackingEvent) {
    tracker.track(TrackingEvent(name: checkout.name, params: checkout.params))
  }
}
