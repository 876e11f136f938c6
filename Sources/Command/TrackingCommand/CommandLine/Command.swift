import Foundation
import TrackingModel
import TrackingPatterns
import TrackingPlan

/// The command `tracking`: finds the verb, runs it, and returns the exit status.
package enum Command {
  // The version in CHANGELOG.md.
  private static let version = "tracking (unreleased)\n"

  /// Runs the process's command line and returns the exit status.
  package static func main(_ words: [String]) -> Int32 {
    StandardStreams.fillClosedDescriptors()
    // Shells request completions while their users type.
    if words.first != "--complete" { TestVariable.warn() }
    let status = run(words)
    guard let problem = StandardStreams.problem else { return status }
    // A reader that stops early, such as `head`, isn't an error, but ends a command that runs until it is stopped.
    guard problem != EPIPE else {
      let text = "tracking \(words.first ?? ""): ended, because nothing reads standard output any longer"
      if Interruption.hasBegun { Output.process.say(text) }
      return status
    }
    Output.process.say("tracking: \(Unwritten(errno: problem))")
    return Status.badInput.rawValue
  }

  /// Runs a command line, without the program's name, and returns the exit status.
  package static func run(_ words: [String], output: Output = .process) -> Int32 {
    do {
      return try run(words, output).rawValue
    } catch {
      output.say("tracking: \(error)")
      return Status.badInput.rawValue
    }
  }

  private static func run(_ words: [String], _ output: Output) throws -> Status {
    guard let word = words.first else {
      // A script whose verb is an empty variable must not pass.
      output.error(HelpPart.page(help, width: output.columns))
      return .badInput
    }
    let rest = words.dropFirst()
    switch word {
    case "--version": try output.text(version)
    case "--completions": try output.text(Completions.script(for: rest.first))
    case "--complete": try output.text(Completions.candidates(for: Array(rest)).map { $0 + "\n" }.joined())
    case "help", "--help", "-h": try output.help(rest.first.map(help) ?? help)
    default: return try run(verb(word), rest, output)
    }
    return .success
  }

  private static func run(_ verb: Verb, _ words: ArraySlice<String>, _ output: Output) throws -> Status {
    // An empty path would mean the current folder.
    guard !words.prefix(while: { $0 != "--" || !verb.operands.isCommand }).contains("") else {
      throw CommandError("an argument is empty; is a variable not set?")
    }
    if words.prefix(while: { $0 != "--" }).contains(where: { ["--help", "-h"].contains($0) }) {
      try output.help(verb.help)
      return .success
    }
    do {
      return try verb.run(Arguments(words, options: verb.options, operands: verb.operands), output)
    } catch let error as UsageError {
      output.say("tracking \(verb.name): \(error)")
      output.say(lines: verb.usageLines)
    } catch let error as PlanError {
      output.say(error.compilerMessage)
    } catch let error as Unwritten {
      throw error
    } catch {
      output.say("tracking \(verb.name): \((error as? CocoaError).map { FileReason.of($0) } ?? "\(error)")")
    }
    return .badInput
  }

  private static func verb(_ word: String) throws -> Verb {
    if let verb = AllVerbs.list.first(where: { $0.name == word }) { return verb }
    let kind = word.hasPrefix("-") ? "option" : "verb"
    if let hint = UsageError.earlier[word] { throw CommandError("there is no \(kind) \(word); \(hint)") }
    guard kind == "verb" else {
      throw CommandError("there is no option \(word) in front of a verb; `tracking help` lists the verbs")
    }
    throw CommandError(
      "there is no verb \(word); \(UsageError.hint(for: word, among: AllVerbs.list.map(\.name), prefix: "there are"))")
  }

  private static func help(_ word: String) throws -> [HelpPart] {
    if let topic = HelpTopic.all.first(where: { $0.name == word }) { return topic.help }
    guard UsageError.earlier[word] == nil, !word.hasPrefix("-"), !AllVerbs.list.contains(where: { $0.name == word })
    else {
      return try verb(word).help
    }
    throw CommandError(
      "there is no verb or topic \(word); \(UsageError.hint(for: word, among: HelpTopic.pages, prefix: "there are"))")
  }

  private static let help: [HelpPart] =
    [
      .text("Receives, checks and reports the events that an app sends; records and replays its backend."),
      .lines("usage: tracking <verb> ..."),
      .groups(
        AllVerbs.groups.map { ($0.title, $0.verbs.map { ($0.name, $0.abstract) }) }
          + [("Topics of `tracking help`", HelpTopic.all.map { ($0.name, $0.abstract) })]),
      .text(
        "`tracking help NAME` describes a verb or a topic. With --json, each verb writes only JSON to standard output; "
          + "messages go to standard error."),
      .lines(
        """
        Completions: tracking --completions bash|zsh|fish
        Example: tracking serve --accept all --plan tracking-plan.json
        """),
      .articles(["OtherRunners", "Command", "InCI"]),
    ]
}
