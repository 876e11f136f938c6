import ArgumentParser
import Foundation

/// The command for people who look at an app's events beside its tests.
@main
struct Tracking: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "tracking",
    abstract:
      "What an app tracks: served, shown, planned and reported; and its backend: recorded, replayed and compared.",
    discussion: """
      Exit status: 0 when all is well, 1 when there are findings, 2 for bad input or a wrong command line.
      Completions: tracking --generate-completion-script zsh|bash|fish
      """,
    subcommands: [
      Serve.self, Record.self, Replay.self, DriftCommand.self, ConvertCommand.self, Plan.self, Report.self,
      Vendors.self,
    ])

  static func main() async {
    do {
      var command = try parseAsRoot()
      if var asynchronous = command as? any AsyncParsableCommand {
        try await asynchronous.run()
      } else {
        try command.run()
      }
    } catch  where exitCode(for: error) == .validationFailure {
      // The library's own status is 64; one status for all wrong input is simpler for scripts.
      exit(withError: refusal(fullMessage(for: error)))
    } catch {
      exit(withError: error)
    }
  }
}

enum Status {
  static let findings = ExitCode(1)
  static let badInput = ExitCode(2)
}

/// Writes the reason for an early exit to standard error.
///
/// - Returns: The status that it ends with.
func refusal(_ reason: String) -> ExitCode {
  FileHandle.standardError.write(Data("\(reason)\n".utf8))
  return Status.badInput
}
