import StorefrontEvents
import SwiftUI

/// The sample shop as an iOS app.
///
/// Its logic is in the package `Samples/Storefront`.
@main
struct StorefrontApp: App {
  @State private var shop = CompositionRoot(
    environment: ProcessInfo.processInfo.environment, arguments: ProcessInfo.processInfo.arguments
  ).shop

  var body: some Scene {
    WindowGroup {
      ShopView(shop: shop)
    }
  }
}
