import Foundation

@main struct StorefrontMain {
  static func main() async {
    let process = ProcessInfo.processInfo
    if process.arguments.contains("-widget") { return Widget.refresh(environment: process.environment) }
    do throws(MutationError) {
      let root = try CompositionRoot(environment: process.environment, arguments: process.arguments)
      await Terminal(storefront: root.storefront, agent: root.agent).run()
      await root.finish()
    } catch {
      FileHandle.standardError.write(Data("storefront: \(error)\n".utf8))
      // EX_USAGE
      exit(64)
    }
  }
}
