import Foundation
import StorefrontEvents
import TrackingModel

/// Passes events on to a tracker, broken in one way.
///
/// `@unchecked Sendable`: the lock guards `held` and `sender`.
final class MutatedTracker: TrackerProtocol, @unchecked Sendable {
  private let mutation: Mutation
  private let tracker: any TrackerProtocol
  private let lock = NSLock()
  /// The event that is tracked later than it should be.
  private var held: TrackingEvent?
  /// Posts submissions that no tracker would send.
  private var sender: RawSender

  init(_ mutation: Mutation, of tracker: any TrackerProtocol, endpoint: TrackingEndpoint) {
    self.mutation = mutation
    self.tracker = tracker
    sender = RawSender(to: endpoint)
    if mutation == .staleLaunch {
      sender.post(TrackingEvent(ProductViewed(productID: 7, name: "Coffee mug", price: 950, rating: 3.9)))
    }
  }

  func trackEvent(_ event: TrackingEvent) {
    lock.withLock {
      if mutation == .cutShort {
        sender.post(event, isCutShort: event.name == AddedToCart.eventName)
      } else {
        mutated(event).forEach(tracker.trackEvent)
        if mutation == .twoFiles, event.name == CheckoutStarted.eventName {
          CheckoutScreen(tracker: tracker).appear(after: event)
        }
      }
    }
  }

  /// The events that are tracked in place of one.
  private func mutated(_ event: TrackingEvent) -> [TrackingEvent] {
    var mutated = event
    switch (mutation, event.name) {
    case (.missing, CheckoutStarted.eventName):
      return []
    case (.doubled, AddedToCart.eventName):
      return [event, event]
    case (.misspelt, ProductViewed.eventName):
      mutated.name = "product_veiwed"
    case (.misspeltParam, AddedToCart.eventName):
      mutated.params["quantitiy"] = mutated.params.removeValue(forKey: "quantity")
    case (.misspeltValue, "screen_viewed") where event.params[.screen] == "cart":
      mutated.params[.screen] = "crat"
    case (.wrongType, OrderPlaced.eventName):
      let index = PaymentMethod.allCases.firstIndex { $0.rawValue.trackingValue == event.params["payment_method"] }
      mutated.params["payment_method"] = index?.trackingValue
    case (.wrongOrder, CheckoutStarted.eventName), (.late, ProductViewed.eventName):
      return exchangeHeld(for: event)
    case (.wrongOrder, OrderPlaced.eventName):
      return [event] + exchangeHeld(for: nil)
    case (.late, _):
      return exchangeHeld(for: nil) + [event]
    case (.numberAsText, AddedToCart.eventName):
      mutated.params["quantity"] = event.params["quantity"].map { .string("\($0)") }
    case (.wrongValue, CheckoutStarted.eventName):
      guard case .int(let total) = event.params["total"], case .int(let count) = event.params[.itemCount] else { break }
      mutated.params["total"] = .int(total - total / count)
    case (.extraParam, CheckoutStarted.eventName):
      mutated.params["email"] = "ada@example.com"
    case (.beforeScreen, ProductViewed.eventName):
      held = TrackingEvent(name: "screen_viewed", params: [.screen: "home"])
      return [held, event].compactMap { $0 }
    case (.beforeScreen, _) where event == held:
      held = nil
      return []
    case (.searchEarly, "screen_viewed") where held == nil:
      held = TrackingEvent(SearchPerformed(text: "lamp", resultCount: 2))
      // In front of what the tests wait for, so that it has arrived before they tap.
      return [held, event].compactMap { $0 }
    case (.viewedEarly, SearchPerformed.eventName):
      held = TrackingEvent(ProductViewed(productID: 42, name: "Desk lamp", price: 2450, rating: 4.5))
      return [held, event].compactMap { $0 }
    case (.searchEarly, SearchPerformed.eventName),
      (.viewedEarly, ProductViewed.eventName) where held != nil:
      return []
    case (.searchLate, SearchPerformed.eventName):
      return exchangeHeld(for: event)
    case (.searchLate, ProductViewed.eventName):
      return exchangeHeld(for: nil) + [event]
    default:
      break
    }
    return [mutated]
  }

  /// Holds an event back, and gives the one that was held.
  private func exchangeHeld(for event: TrackingEvent?) -> [TrackingEvent] {
    defer { held = event }
    return [held].compactMap { $0 }
  }
}
