import StorefrontEvents
import TrackingModel

/// The screen that lists the products.
public final class HomeModel {
  /// What is listed; empty until loaded.
  public private(set) var products: [Product] = []

  private let catalogue: any Catalogue
  private let tracker: any TrackerProtocol

  /// The screen, before it is shown.
  public init(catalogue: any Catalogue, tracker: any TrackerProtocol) {
    self.catalogue = catalogue
    self.tracker = tracker
  }

  /// Fetches what the screen lists.
  public func load() async throws {
    products = try await catalogue.products()
  }

  /// To be called whenever the screen comes into view.
  public func appear() {
    tracker.trackEvent(.init(name: "screen_viewed", params: [.screen: "home"]))
  }
}
