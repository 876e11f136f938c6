import Foundation
import StorefrontKit

/// The app's window: reads commands from standard input, prints screens to standard output.
struct Terminal {
  let storefront: Storefront
  /// Reports what happened, whenever a screen is there.
  let agent: BeaconAgent?

  private let progress = ProgressLine()

  init(storefront: Storefront, agent: BeaconAgent?) {
    self.storefront = storefront
    self.agent = agent
  }

  /// Serves the user until `quit`, or until there is nothing more to read.
  func run() async {
    storefront.onProgress = progress.show
    await show {
      try await storefront.open()
      return storefront.text
    }
    while let line = readLine(), line != "quit" {
      await show {
        guard line != "help" else { return Command.help }
        try await storefront.perform(Command(line))
        return storefront.text
      }
    }
  }

  /// Prints what there is to see, or why there is nothing new to see, and the prompt.
  private func show(_ text: () async throws -> String) async {
    var output: String
    do {
      output = try await text()
    } catch let error as CatalogueError where error.isWorthARetry {
      output = "\(error)\nType \"retry\" to try again."
    } catch {
      output = "\(error)"
    }
    progress.clear()
    // Unbuffered, unlike `print`: who reads it through a pipe sees the prompt at once.
    FileHandle.standardOutput.write(Data("\(output)\n> ".utf8))
    await agent?.send()
  }
}
