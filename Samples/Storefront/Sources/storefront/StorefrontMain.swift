import Foundation

@main struct StorefrontMain {
  static func main() async {
    let root = CompositionRoot(environment: ProcessInfo.processInfo.environment)
    await Terminal(storefront: root.storefront).run()
    root.finish()
  }
}
