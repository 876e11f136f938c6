import ArgumentParser

/// The port of the verbs that serve, and the pages that may ask them.
struct PortOption: ParsableArguments {
  @Option(
    help: ArgumentHelp("The port; by default, the system chooses one.", valueName: "port"), transform: Self.number)
  var port: UInt16 = 0

  @Option(
    name: .customLong("allow-origin"),
    help: ArgumentHelp(
      "An origin whose pages may send requests, besides the server's own: http://localhost:3000.", valueName: "origin"))
  var allowedOrigins: [String] = []

  private static func number(_ text: String) throws -> UInt16 {
    guard let number = UInt16(text) else { throw ValidationError("a port is a number from 0 to 65535") }
    return number
  }
}
