import StorefrontEvents
import TrackingModel

/// The screen that shows one product.
public final class ProductModel {
  /// The product on the screen; `nil` until loaded.
  public private(set) var product: Product?
  /// The number of its items in the cart.
  public var quantity: Int { cart.lines.first { $0.product.id == id }?.quantity ?? 0 }

  private let id: Int
  private let catalogue: any Catalogue
  private let cart: Cart
  private let tracker: any TrackerProtocol

  /// The screen of the product of that number, before it is shown.
  public init(id: Int, catalogue: any Catalogue, cart: Cart, tracker: any TrackerProtocol) {
    self.id = id
    self.catalogue = catalogue
    self.cart = cart
    self.tracker = tracker
  }

  /// Fetches the product; that there is none is tracked too, and each failure.
  public func load() async throws {
    do {
      product = try await catalogue.product(id: id)
    } catch CatalogueError.noProduct {
      tracker.track(.init(name: "product_missing", params: [.productID: id]))
      throw CatalogueError.noProduct(id: id)
    } catch {
      tracker.trackFailure(error, on: "product")
      throw error
    }
  }

  /// To be called whenever the screen comes into view.
  public func appear() {
    guard let product else { return }
    tracker.track(
      ProductViewed(productID: product.id, name: product.name, price: product.price, rating: product.rating))
  }

  /// Puts one into the cart.
  public func addToCart() {
    guard let product else { return }
    let quantity = cart.add(product)
    tracker.track(AddedToCart(productID: product.id, quantity: quantity, price: product.price))
  }

  /// Takes one out of the cart, if there is one.
  public func removeFromCart() {
    guard let quantity = cart.remove(productID: id) else { return }
    tracker.track(RemovedFromCart(productID: id, quantity: quantity))
  }
}
