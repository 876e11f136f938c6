import StorefrontKit
import TrackingModel

/// The app without its window: which screen is in view, and what each command does on it.
final class Storefront {
  private let catalogue: any Catalogue
  private let tracker: any TrackerProtocol
  private let cart = Cart()
  private var screens: [Screen] = []

  init(catalogue: any Catalogue, tracker: any TrackerProtocol) {
    self.catalogue = catalogue
    self.tracker = tracker
  }

  /// What the user sees.
  var text: String { screens.last?.text ?? "" }

  /// Shows the first screen.
  func open() async throws {
    let home = HomeModel(catalogue: catalogue, tracker: tracker)
    try await home.load()
    show(.home(home))
  }

  /// Does what the user asked for.
  ///
  /// - Throws: What to tell the user when it cannot be done.
  func perform(_ command: Command) async throws {
    switch (command, screens.last) {
    case (.openProduct(let id), _):
      let product = ProductModel(id: id, catalogue: catalogue, cart: cart, tracker: tracker)
      try await product.load()
      show(.product(product))
    case (.add, .product(let product)):
      product.addToCart()
    case (.remove(nil), .product(let product)):
      product.removeFromCart()
    case (.remove(let id?), .cart(let cart)):
      cart.remove(productID: id)
    case (.cart, _):
      show(.cart(CartModel(cart: cart, tracker: tracker)))
    case (.checkout, .cart) where cart.itemCount > 0:
      show(.checkout(CheckoutModel(cart: cart, tracker: tracker)))
    case (.pay(let method), .checkout(let checkout)):
      checkout.pay(by: method)
    case (.back, _) where screens.count > 1:
      screens.removeLast()
      screens.last?.appear()
    default:
      throw CommandError.notHere
    }
  }

  private func show(_ screen: Screen) {
    screens.append(screen)
    screen.appear()
  }
}
