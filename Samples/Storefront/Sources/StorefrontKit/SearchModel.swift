import StorefrontEvents
import TrackingModel

/// The screen that shows what a search has found.
public final class SearchModel {
  /// The text to search for.
  public let text: String
  /// The found products; `nil` until loaded.
  public private(set) var products: [Product]?
  /// Whether the backend keeps the search.
  public private(set) var isSaved = false

  private let catalogue: any Catalogue
  private let tracker: any TrackerProtocol

  /// The screen of a search, before it is shown.
  public init(text: String, catalogue: any Catalogue, tracker: any TrackerProtocol) {
    self.text = text
    self.catalogue = catalogue
    self.tracker = tracker
  }

  /// Searches; each search that gave its results is tracked, and each that failed.
  public func load() async throws {
    do {
      let products = try await catalogue.search(text)
      self.products = products
      tracker.track(SearchPerformed(text: text, resultCount: products.count))
    } catch {
      tracker.trackFailure(error, on: "search")
      throw error
    }
  }

  /// Keeps the search for the user's next visit; that it is kept is tracked, and each failure.
  public func save() async throws {
    do {
      try await catalogue.saveSearch(text)
      isSaved = true
      tracker.track(.init(name: "search_saved", params: ["text": text]))
    } catch {
      tracker.trackFailure(error, on: "search")
      throw error
    }
  }

  /// To be called whenever the screen comes into view.
  public func appear() {
    tracker.track(.init(name: "screen_viewed", params: [.screen: "search"]))
  }
}
