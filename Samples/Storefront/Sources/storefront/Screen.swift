import Foundation
import StorefrontKit

/// One of the app's screens.
enum Screen {
  case home(HomeModel)
  case search(SearchModel)
  case product(ProductModel)
  case cart(CartModel)
  case checkout(CheckoutModel)

  /// To be called whenever the screen comes into view.
  func appear() {
    switch self {
    case .home(let home): home.appear()
    case .search(let search): search.appear()
    case .product(let product): product.appear()
    case .cart(let cart): cart.appear()
    case .checkout(let checkout): checkout.appear()
    }
  }

  /// The screen as the user sees it.
  var text: String {
    switch self {
    case .home(let home): text(of: home)
    case .search(let search): text(of: search)
    case .product(let product): text(of: product)
    case .cart(let cart): text(of: cart)
    case .checkout(let checkout): text(of: checkout)
    }
  }

  private func text(of home: HomeModel) -> String {
    (["Storefront"] + home.products.map(line)).joined(separator: "\n")
  }

  private func text(of search: SearchModel) -> String {
    guard let products = search.products else { return "Loading" }
    let headline = products.isEmpty ? "Nothing found for \"\(search.text)\"" : "Found for \"\(search.text)\""
    return ([headline] + products.map(line) + (search.isSaved ? ["Saved"] : [])).joined(separator: "\n")
  }

  private func text(of model: ProductModel) -> String {
    guard let product = model.product else { return "Loading" }
    return """
      \(product.name)
      \(money(product.price)), rated \(product.rating) of 5
      In the cart: \(model.quantity)
      """
  }

  private func text(of cart: CartModel) -> String {
    guard !cart.lines.isEmpty else { return "Your cart is empty" }
    let lines = cart.lines.map { "\($0.quantity) x \($0.product.name)" }
    return (["Your cart"] + lines + ["Total \(money(cart.total))"]).joined(separator: "\n")
  }

  private func text(of checkout: CheckoutModel) -> String {
    guard let orderID = checkout.orderID else { return "Checkout\nTo pay: \(money(checkout.total))" }
    return "Thank you\nYour order is \(orderID)"
  }

  private func line(of product: Product) -> String {
    "\(product.id)  \(product.name)  \(money(product.price))"
  }

  private func money(_ cents: Int) -> String {
    String(format: "%d.%02d", cents / 100, cents % 100)
  }
}
