/// A way to break the app's tracking, so that its tests can prove that they notice: `storefront -mutation doubled`.
///
/// An app without the argument has nothing of this; an app that ships does without the whole folder.
enum Mutation: String, CaseIterable {
  /// `checkout_started` is never tracked.
  case missing
  /// Each `added_to_cart` is tracked twice.
  case doubled
  /// `product_viewed` is spelt `product_veiwed`.
  case misspelt
  /// The param `quantity` of `added_to_cart` is spelt `quantitiy`.
  case misspeltParam = "misspelt-param"
  /// The screen `cart` of `screen_viewed` is spelt `crat`.
  case misspeltValue = "misspelt-value"
  /// The payment method of `order_placed` is sent as its index and not as its name.
  case wrongType = "wrong-type"
  /// `checkout_started` is tracked after `order_placed`.
  case wrongOrder = "wrong-order"
  /// The quantity of `added_to_cart` is sent as the text of the number.
  case numberAsText = "number-as-text"
  /// `product_viewed` is tracked only when the event after it is.
  case late
  /// The first thing that a launch sends is an event that an earlier launch had left over.
  case staleLaunch = "stale-launch"
  /// The body in which `added_to_cart` is posted ends in the middle.
  case cutShort = "cut-short"
  /// The total of `checkout_started` lacks the price of one item.
  case wrongValue = "wrong-value"
  /// `checkout_started` carries an e-mail address, which it shouldn't.
  case extraParam = "extra-param"
  /// The home screen reports that the user came back to it as soon as a product covers it, and not when the user comes back.
  case beforeScreen = "before-screen"
  /// `search_performed` is tracked before the search is sent to the backend.
  case searchEarly = "search-early"
  /// `search_performed` is tracked only after the next request.
  case searchLate = "search-late"
  /// `product_viewed` is tracked before the product is requested.
  case viewedEarly = "viewed-early"
  /// `checkout_started` is tracked by the checkout's model, and again by its screen.
  case twoFiles = "two-files"

  /// The mutation that an app's arguments ask for; `nil` when they ask for none.
  init?(arguments: [String]) throws(MutationError) {
    guard let argument = arguments.firstIndex(of: "-mutation") else { return nil }
    let name = arguments[argument...].dropFirst().first
    guard let mutation = name.flatMap(Mutation.init(rawValue:)) else { throw .unknown(name) }
    self = mutation
  }
}

/// The reason why an app can't be broken as its arguments ask for.
enum MutationError: Error, Hashable, CustomStringConvertible {
  case unknown(String?)
  case notUnderTest(Mutation)

  var description: String {
    switch self {
    case .unknown(let name):
      """
      -mutation \(name.map { "\"\($0)\" is not known" } ?? "has no name after it"); \
      there are \(Mutation.allCases.map(\.rawValue).joined(separator: ", "))
      """
    case .notUnderTest(let mutation):
      "-mutation \(mutation.rawValue) breaks what a test receives, and no test has passed its endpoint"
    }
  }
}
