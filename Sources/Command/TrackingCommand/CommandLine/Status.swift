/// The exit status of a verb: one of three, or that of a command that a verb has run.
package struct Status: Equatable, Sendable {
  package let rawValue: Int32
  /// A sentence for the help; empty for the status of a command.
  let meaning: String

  static let success = Status(rawValue: 0, meaning: "All is well.")
  static let findings = Status(
    rawValue: 1, meaning: "There are findings: a check fails, an event breaks the plan.")
  static let badInput = Status(
    rawValue: 2, meaning: "The command line or a file is wrong, a file can't be written, or no server responds.")
  static let all = [success, findings, badInput]

  private init(rawValue: Int32, meaning: String) {
    (self.rawValue, self.meaning) = (rawValue, meaning)
  }

  /// The status of a command, as a shell reports it.
  init(ofCommand status: Int32) { self.init(rawValue: status, meaning: "") }
}

/// The reason that a verb can't do its work.
struct CommandError: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) {
    self.description = description
  }
}
