import StubModel

/// A scenario to launch the shop with: `-StubScenario screenshots` for the app itself, `verifier.install(LaunchState.screenshots)` on a server.
public enum LaunchState: String, CaseIterable, StubScenario, Sendable {
  /// A shop with two products, of which a search finds nothing: for building screens before there is a backend.
  case debug
  /// A shop that looks well.
  case screenshots
  /// A shop that loses its connection behind the first screen.
  case outage

  /// The responses of the shop's backend.
  public var stubs: [StubEndpoint] {
    switch self {
    case .debug:
      [
        ShopEndpoint.products.stub(.file(.success)),
        ShopEndpoint.product.stub(.file(.success)),
        ShopEndpoint.search.stub(.file(.nothing)),
      ]
    case .screenshots:
      [
        ShopEndpoint.products.stub(.file(.screenshots)),
        ShopEndpoint.product.stub(.file(.screenshots)),
        ShopEndpoint.search.stub(.file(.screenshots)),
      ]
    case .outage:
      [
        ShopEndpoint.products.stub(.file(.success)),
        ShopEndpoint.product.stub(.error(.notConnectedToInternet)),
        ShopEndpoint.search.stub(.empty),
      ]
    }
  }
}
