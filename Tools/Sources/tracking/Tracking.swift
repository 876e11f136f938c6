import ArgumentParser
import Foundation

/// The command for people who look at an app's events beside its tests.
@main
struct Tracking: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "tracking",
    abstract: "What an app tracks: served, shown, planned and reported.",
    discussion: """
      Exit status: 0 when all is well, 1 when there are findings, 2 for bad input, 64 for a wrong command line.
      Completions: tracking --generate-completion-script zsh|bash|fish
      """,
    subcommands: [Serve.self, Plan.self, Report.self, Vendors.self])
}

enum Status {
  static let findings = ExitCode(1)
  static let badInput = ExitCode(2)
}

/// Says on standard error why the command does nothing.
///
/// - Returns: The status that it ends with.
func refusal(_ reason: String) -> ExitCode {
  FileHandle.standardError.write(Data("\(reason)\n".utf8))
  return Status.badInput
}
