import Foundation

/// The app's window: reads commands from standard input, prints screens to standard output.
struct Terminal {
  let storefront: Storefront

  /// Serves the user until `quit`, or until there is nothing more to read.
  func run() async {
    await answer {
      try await storefront.open()
      return storefront.text
    }
    while let line = readLine(), line != "quit" {
      await answer {
        guard line != "help" else { return Command.help }
        try await storefront.perform(Command(line))
        return storefront.text
      }
    }
  }

  /// Prints what there is to see, or why there is nothing new to see, and the prompt.
  private func answer(_ text: () async throws -> String) async {
    var answer: String
    do {
      answer = try await text()
    } catch {
      answer = "\(error)"
    }
    // Unbuffered, unlike `print`: who reads it through a pipe sees the prompt at once.
    FileHandle.standardOutput.write(Data("\(answer)\n> ".utf8))
  }
}
