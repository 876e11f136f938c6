/// The products that the user intends to buy; one cart is shared by all screens.
public final class Cart {
  /// One product in the cart.
  public struct Line: Hashable, Sendable {
    /// The product.
    public let product: Product
    /// The number of items of the product.
    public fileprivate(set) var quantity: Int
  }

  /// The products, in the order in which they were first added.
  public private(set) var lines: [Line] = []

  /// The number of items of all products.
  public var itemCount: Int { lines.reduce(0) { $0 + $1.quantity } }
  /// The price of all items, in cents.
  public var total: Int { lines.reduce(0) { $0 + $1.quantity * $1.product.price } }

  /// An empty cart.
  public init() {}

  /// Puts one item in; returns how many of that product there are now.
  @discardableResult
  public func add(_ product: Product) -> Int {
    guard let index = lines.firstIndex(where: { $0.product.id == product.id }) else {
      lines.append(Line(product: product, quantity: 1))
      return 1
    }
    lines[index].quantity += 1
    return lines[index].quantity
  }

  /// Takes one item out; returns how many of that product are left, or `nil` when there was none.
  @discardableResult
  public func remove(productID: Int) -> Int? {
    guard let index = lines.firstIndex(where: { $0.product.id == productID }) else { return nil }
    lines[index].quantity -= 1
    guard lines[index].quantity == 0 else { return lines[index].quantity }
    lines.remove(at: index)
    return 0
  }

  /// Takes everything out.
  public func empty() {
    lines = []
  }
}
