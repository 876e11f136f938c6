import Foundation
import Observation
import StorefrontEvents
import StorefrontKit
import TrackingModel

/// The state of the views: the screen that is shown, and copies of what its model holds.
///
/// The models of StorefrontKit do the work and the tracking. They are not observable, because they also run on Linux.
@Observable
final class Shop {
  enum Page {
    case home, product, search, cart, checkout
  }

  private(set) var page = Page.home
  private(set) var products: [Product] = []
  private(set) var product: Product?
  private(set) var quantity = 0
  private(set) var found: [Product] = []
  private(set) var isSearchSaved = false
  private(set) var lines: [Cart.Line] = []
  private(set) var total = 0
  private(set) var orderID: UUID?
  /// The last error, for the user.
  private(set) var problem: String?
  var searchText = ""

  private let catalogue: any Catalogue
  private let tracker: any TrackerProtocol
  private let cart = Cart()
  private var productModel: ProductModel?
  private var searchModel: SearchModel?
  private var checkoutModel: CheckoutModel?

  init(catalogue: any Catalogue, tracker: any TrackerProtocol) {
    self.catalogue = catalogue
    self.tracker = tracker
  }

  func open() async {
    let home = HomeModel(catalogue: catalogue, tracker: tracker)
    await attempt { try await home.load() }
    guard problem == nil else { return }
    products = home.products
    page = .home
    home.appear()
  }

  func open(_ product: Product) async {
    let model = ProductModel(id: product.id, catalogue: catalogue, cart: cart, tracker: tracker)
    await attempt { try await model.load() }
    guard problem == nil else { return }
    productModel = model
    self.product = model.product
    quantity = model.quantity
    page = .product
    model.appear()
  }

  func addToCart() {
    productModel?.addToCart()
    quantity = productModel?.quantity ?? 0
  }

  func search() async {
    let model = SearchModel(text: searchText, catalogue: catalogue, tracker: tracker)
    await attempt { try await model.load() }
    guard problem == nil else { return }
    searchModel = model
    found = model.products ?? []
    isSearchSaved = false
    page = .search
    model.appear()
  }

  func saveSearch() async {
    guard let searchModel else { return }
    await attempt { try await searchModel.save() }
    isSearchSaved = searchModel.isSaved
  }

  func openCart() {
    let model = CartModel(cart: cart, tracker: tracker)
    lines = model.lines
    total = model.total
    page = .cart
    model.appear()
  }

  func checkOut() {
    let model = CheckoutModel(cart: cart, tracker: tracker)
    checkoutModel = model
    orderID = nil
    page = .checkout
    model.appear()
  }

  func pay(by method: PaymentMethod) {
    checkoutModel?.pay(by: method)
    orderID = checkoutModel?.orderID
  }

  private func attempt(_ load: () async throws -> Void) async {
    problem = nil
    do {
      try await load()
    } catch {
      problem = "\(error)"
    }
  }
}
