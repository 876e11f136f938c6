import Foundation
import TrackingModel
import TrackingPatterns
import TrackingPlan

/// The command `tracking`: finds the verb, runs it, and returns the exit status.
package enum Command {
  /// The verbs by what they are for, in the order of the help.
  static let groups: [(title: String, verbs: [Verb])] = [
    ("Receive events", [.serve, .sdks]),
    ("Check them, from any language", [.wait, .mark, .finish]),
    ("Plans and runs of tests", [.check, .coverage, .compare, .draft, .generate]),
    ("Reports", [.report]),
    ("The app's backend", [.record, .replay]),
  ]
  static let verbs = groups.flatMap(\.verbs)

  /// Hints for removed verbs and options.
  static let earlier = [
    "ask": "`tracking wait` takes JSON, too: tracking wait '{…}', or tracking wait - < FILE",
    "import": "record the backend instead of reading a HAR file: `tracking record URL FOLDER`",
    "--device": "use a simulator, or forward the port over a cable, as `adb reverse` does",
    "--interface": "`serve` listens on this machine alone",
    "--hours": "end `serve` with SIGINT or SIGTERM",
  ]

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
    if let verb = verbs.first(where: { $0.name == word }) { return verb }
    let kind = word.hasPrefix("-") ? "option" : "verb"
    if let hint = earlier[word] { throw CommandError("there is no \(kind) \(word); \(hint)") }
    guard kind == "verb" else {
      throw CommandError("there is no option \(word) in front of a verb; `tracking help` lists the verbs")
    }
    throw CommandError(
      "there is no verb \(word); \(UsageError.hint(for: word, among: verbs.map(\.name), prefix: "there are"))")
  }

  /// The names of verbs and topics, which have a page of help.
  static let pages = verbs.map(\.name) + HelpTopic.all.map(\.name)

  private static func help(_ word: String) throws -> [HelpPart] {
    if let topic = HelpTopic.all.first(where: { $0.name == word }) { return topic.help }
    guard earlier[word] == nil, !word.hasPrefix("-"), !verbs.contains(where: { $0.name == word }) else {
      return try verb(word).help
    }
    throw CommandError(
      "there is no verb or topic \(word); \(UsageError.hint(for: word, among: pages, prefix: "there are"))")
  }

  private static let help: [HelpPart] =
    [
      .text("Receives, checks and reports the events that an app sends; records and replays its backend."),
      .lines("usage: tracking <verb> ..."),
      .groups(
        groups.map { ($0.title, $0.verbs.map { ($0.name, $0.abstract) }) }
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
