import StorefrontKit
import TrackingModel

/// The app without its window: which screen is in view, and what each command does on it.
final class Storefront {
  /// A step that needs the catalogue, and may fail.
  private enum Step {
    case showHome
    case showProduct(Int)
    case showSearch(String)
    case save(SearchModel)
  }

  /// Is told what the user waits for.
  var onProgress: (String) -> Void = { _ in }

  private let catalogue: any Catalogue
  private let tracker: any TrackerProtocol
  private let cart = Cart()
  private var screens: [Screen] = []
  /// The last step, if it has failed.
  private var failed: Step?

  init(catalogue: any Catalogue, tracker: any TrackerProtocol) {
    self.catalogue = catalogue
    self.tracker = tracker
  }

  /// The text on the screen.
  var text: String { screens.last?.text ?? "" }

  /// Shows the first screen.
  func open() async throws {
    try await take(.showHome)
  }

  /// Does what the user asked for.
  ///
  /// - Throws: An error to show to the user if the command can't be carried out.
  func perform(_ command: Command) async throws {
    switch (command, screens.last) {
    case (.openProduct(let id), _):
      try await take(.showProduct(id))
    case (.search(let text), _):
      try await take(.showSearch(text))
    case (.retry, _):
      guard let failed else { throw CommandError.notHere }
      try await take(failed)
    case (.save, .search(let search)):
      try await take(.save(search))
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

  private func take(_ step: Step) async throws {
    failed = step
    switch step {
    case .showHome:
      onProgress("Loading the shop ...")
      let home = HomeModel(catalogue: catalogue, tracker: tracker)
      try await home.load()
      show(.home(home))
    case .showProduct(let id):
      onProgress("Loading product \(id) ...")
      let product = ProductModel(id: id, catalogue: catalogue, cart: cart, tracker: tracker)
      try await product.load()
      show(.product(product))
    case .showSearch(let text):
      onProgress("Searching for \"\(text)\" ...")
      let search = SearchModel(text: text, catalogue: catalogue, tracker: tracker)
      try await search.load()
      show(.search(search))
    case .save(let search):
      onProgress("Saving the search ...")
      try await search.save()
    }
    failed = nil
  }

  private func show(_ screen: Screen) {
    screens.append(screen)
    screen.appear()
  }
}
