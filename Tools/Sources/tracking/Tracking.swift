import ArgumentParser
import Foundation

/// The command for people who look at an app's events beside its tests.
@main
struct Tracking: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "tracking",
    abstract: "What an app tracks: served, shown, planned and reported.",
    discussion: """
      Exit status: 0 when all is well, 1 when there are findings, 2 for bad input or a wrong command line.
      Completions: tracking --generate-completion-script zsh|bash|fish
      """,
    subcommands: [Serve.self, Plan.self, Report.self, Vendors.self])

  static func main() {
    do {
      var command = try parseAsRoot()
      try command.run()
    } catch let code as ExitCode {
      exit(withError: code)
    } catch {
      // Help and completions arrive as errors, too.
      guard exitCode(for: error) == .validationFailure else { exit(withError: error) }
      exit(withError: refusal(fullMessage(for: error)))
    }
  }
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
