import StorefrontKit
import SwiftUI

/// One screen at a time.
///
/// The accessibility identifiers are what the UI tests tap.
struct ShopView: View {
  let shop: Shop

  var body: some View {
    NavigationStack {
      List {
        switch shop.page {
        case .home: HomeSection(shop: shop)
        case .product: ProductSection(shop: shop)
        case .search: SearchSection(shop: shop)
        case .cart: CartSection(shop: shop)
        case .checkout: CheckoutSection(shop: shop)
        }
        if let problem = shop.problem {
          Text(problem).accessibilityIdentifier("problem")
        }
        Section("Shop") {
          Button("Home") { Task { await shop.open() } }.accessibilityIdentifier("home")
          Button("Cart") { shop.openCart() }.accessibilityIdentifier("cart")
        }
      }
      .navigationTitle("Storefront")
      .task { await shop.open() }
    }
  }
}

struct HomeSection: View {
  @Bindable var shop: Shop

  var body: some View {
    Section("Products") {
      ForEach(shop.products, id: \.id) { product in
        Button(product.name) { Task { await shop.open(product) } }.accessibilityIdentifier("product-\(product.id)")
      }
      TextField("Search", text: $shop.searchText)
        .accessibilityIdentifier("search-text")
      Button("Search") { Task { await shop.search() } }.accessibilityIdentifier("search")
    }
  }
}

struct ProductSection: View {
  let shop: Shop

  var body: some View {
    Section("Product") {
      Text(shop.product?.name ?? "").accessibilityIdentifier("product-name")
      Text("In the cart: \(shop.quantity)").accessibilityIdentifier("quantity")
      Button("Add to cart") { shop.addToCart() }.accessibilityIdentifier("add")
    }
  }
}

struct SearchSection: View {
  let shop: Shop

  var body: some View {
    Section("Found") {
      ForEach(shop.found, id: \.id) { product in
        Button(product.name) { Task { await shop.open(product) } }.accessibilityIdentifier("product-\(product.id)")
      }
      Button("Save this search") { Task { await shop.saveSearch() } }.accessibilityIdentifier("save-search")
      if shop.isSearchSaved {
        Text("Saved").accessibilityIdentifier("search-saved")
      }
    }
  }
}

struct CartSection: View {
  let shop: Shop

  var body: some View {
    Section("Cart") {
      ForEach(shop.lines, id: \.product.id) { line in
        Text("\(line.quantity) x \(line.product.name)")
      }
      Text("Total: \(shop.total)").accessibilityIdentifier("total")
      Button("Check out") { shop.checkOut() }.accessibilityIdentifier("checkout")
    }
  }
}

struct CheckoutSection: View {
  let shop: Shop

  var body: some View {
    Section("Checkout") {
      Button("Pay by card") { shop.pay(by: .card) }.accessibilityIdentifier("pay-card")
      if let orderID = shop.orderID {
        Text(orderID.uuidString).accessibilityIdentifier("order-id")
      }
    }
  }
}
