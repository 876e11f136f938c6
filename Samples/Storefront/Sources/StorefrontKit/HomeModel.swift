import StorefrontEvents
import TrackingModel

/// The screen that lists the products.
public final class HomeModel {
  /// The listed products; empty until loaded.
  public private(set) var products: [Product] = []

  private let catalogue: any Catalogue
  private let tracker: any TrackerProtocol

  /// The screen, before it is shown.
  public init(catalogue: any Catalogue, tracker: any TrackerProtocol) {
    self.catalogue = catalogue
    self.tracker = tracker
  }

  /// Fetches what the screen lists; a failure is tracked.
  public func load() async throws {
    do {
      products = try await catalogue.products()
    } catch {
      tracker.trackFailure(error, on: "home")
      throw error
    }
  }

  /// To be called whenever the screen comes into view.
  public func appear() {
    tracker.track(.init(name: "screen_viewed", params: [.screen: "home"]))
  }
}
