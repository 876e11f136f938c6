import ArgumentParser
import Foundation
import TrackingPlanKit

/// The command for people who look at an app's events beside its tests.
@main
struct Tracking: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "tracking",
    abstract: "Receives, checks and reports the events that an app sends; records and replays its backend.",
    discussion: """
      Exit status: 0 when all is well, 1 when there are findings, 2 for bad input or a wrong command line. With --json, \
      each verb writes only JSON to standard output; messages go to standard error.

      Completions: tracking --generate-completion-script bash|zsh|fish
      Example: tracking serve --accept all --plan tracking-plan.json
      """,
    // The version in CHANGELOG.md.
    version: "tracking (unreleased)",
    subcommands: [
      Serve.self, Wait.self, Ask.self, MarkCommand.self, Finish.self, Record.self, Replay.self, ImportCommand.self,
      Plan.self, Report.self, Vendors.self,
    ])

  static func main() {
    Output.fillClosedDescriptors()
    do {
      let words = Array(CommandLine.arguments.dropFirst())
      // An empty path would mean the current folder.
      guard !words.contains("") else { throw refusal("tracking: an argument is empty; is a variable not set?") }
      try checkVerbs(words)
      var command = try parseAsRoot()
      try command.run()
      end(.success)
    } catch let code as ExitCode {
      end(code)
    } catch  where exitCode(for: error) == .validationFailure {
      // The library's own status is 64; one status for all wrong input is simpler for scripts.
      end(refusal(fullMessage(for: error)))
    } catch  where exitCode(for: error) == .success {
      // Help, the version and completions.
      Output.write("\(fullMessage(for: error))\n")
      end(.success)
    } catch {
      end(refusal("tracking: \(CommandLineTool.fileReason(of: error))"))
    }
  }

  private static func end(_ code: ExitCode) -> Never {
    // A reader that stops early, such as `head`, isn't an error.
    guard let problem = Output.problem, problem != EPIPE else { Foundation.exit(code.rawValue) }
    say("tracking: standard output can't be written: \(String(cString: strerror(problem)))")
    Foundation.exit(Status.badInput.rawValue)
  }

  /// Earlier verbs, with advice.
  private static let gone = [
    "convert": "`tracking import SESSION.har FOLDER` makes a recording of a HAR file; nothing else is read or written",
    "drift": "record the backend again, and `git diff` shows what has changed in its answers",
  ]

  /// Refuses a word in a verb's place, which the library calls an unexpected argument.
  private static func checkVerbs(_ words: [String]) throws {
    var command: any ParsableCommand.Type = Tracking.self
    var path = "tracking"
    for word in words where word != "help" {
      let verbs = command.configuration.subcommands
      guard !verbs.isEmpty, !word.hasPrefix("-") else { return }
      guard let verb = verbs.first(where: { $0.configuration.commandName == word }) else {
        if path == "tracking", let advice = gone[word] { throw refusal("tracking: \(word) is gone; \(advice)") }
        let names = verbs.compactMap { $0.configuration.commandName }
        let nearest = CommandLineTool.hint(for: word, among: names).map { "; \($0)" }
        throw refusal("\(path): there is no verb \(word)\(nearest ?? "; there are \(names.joined(separator: ", "))")")
      }
      command = verb
      path += " \(word)"
    }
  }

  /// A script whose verb is an empty variable must not pass.
  func run() throws {
    throw refusal(Self.helpMessage())
  }
}

enum Status {
  static let findings = ExitCode(1)
  static let badInput = ExitCode(2)
}
