import ArgumentParser

/// The port of the verbs that serve.
struct PortOption: ParsableArguments {
  @Option(
    help: ArgumentHelp("The port; by default, the system chooses one.", valueName: "port"), transform: Self.number)
  var port: UInt16 = 0

  private static func number(_ text: String) throws -> UInt16 {
    guard let number = UInt16(text) else { throw ValidationError("a port is a number from 0 to 65535") }
    return number
  }
}
