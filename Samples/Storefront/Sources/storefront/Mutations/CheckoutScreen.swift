import TrackingModel

/// The screen that thanks for an order, with the mistake that people find in production: it tracks the order, which its model has done.
nonisolated struct ThankYouScreen {
  let tracker: any TrackerProtocol

  func appear(after order: TrackingEvent) {
    tracker.track(TrackingEvent(name: order.name, params: order.params))
  }
}
