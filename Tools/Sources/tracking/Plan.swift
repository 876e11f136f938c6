import ArgumentParser
import Foundation
import PlanSources
import TrackingPlan
import TrackingPlanKit

struct Plan: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "plan",
    abstract: "Converts, checks and compares tracking plans, and generates types.",
    discussion: """
      All verbs except `convert` are those of `tracking-plan`, the tool of the root package.

      Example: tracking plan check session.json --plan tracking-plan.json
      """,
    subcommands: [
      Check.self, Coverage.self, Diff.self, Draft.self, Generate.self, Convert.self,
    ])

  func run() throws {
    throw refusal(Tracking.helpMessage(for: Self.self))
  }
}

extension PlanFormat: @retroactive ExpressibleByArgument {}

/// The options for reading a plan.
struct PlanOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp("The plan's format, if it can't be detected.", valueName: "format"),
    completion: .list(PlanFormat.allCases.map(\.rawValue)))
  var format: PlanFormat?

  @Option(help: ArgumentHelp("Reads only events planned for this source, such as iOS.", valueName: "name"))
  var source: String?

  fileprivate var words: [String] { option("--format", format?.rawValue) + option("--source", source) }
}

/// A verb of `tracking-plan`, with its options in this command's help and completions.
private protocol ForwardedVerb: ParsableCommand {
  /// The options and operands, in the words of `tracking-plan`.
  var words: [String] { get }
}

extension ForwardedVerb {
  func run() throws {
    let status = CommandLineTool.run(
      [Self.configuration.commandName ?? ""] + words, as: "tracking plan",
      output: .init(standard: { Output.document($0) }, error: { Output.remark($0.printable) }))
    if status != 0 { throw ExitCode(status) }
  }
}

private func option(_ name: String, _ value: String?) -> [String] { value.map { ["\(name)=\($0)"] } ?? [] }

private func options(_ name: String, _ values: [String]) -> [String] { values.flatMap { option(name, $0) } }

private func flag(_ name: String, _ isSet: Bool) -> [String] { isSet ? [name] : [] }

/// Operands, none of which is read as an option.
private func operands(_ values: [String]) -> [String] { ["--"] + values }

extension Plan {
  struct Check: ForwardedVerb {
    static let configuration = CommandConfiguration(
      commandName: "check",
      abstract: "Checks a plan for mistakes, or the events of a session against a plan.",
      usage: """
        tracking plan check <plan> ... [<options>]
        tracking plan check <session> ... --plan <plan> [<options>]
        """,
      discussion: """
        For a session, it prints each finding with the event's number, the param, the value, the rule and the line of \
        the plan. Exit status 1: a plan has problems, or a session has findings or no events.

        Examples:
          tracking plan check tracking-plan.json --limits firebase
          tracking plan check session.json --plan tracking-plan.json
        """)

    @Argument(help: "Plans (files or folders), or sessions of `serve --save` and tests.", completion: .file())
    var files: [String]

    @Option(help: ArgumentHelp("The plan to check sessions against.", valueName: "plan"), completion: .file())
    var plan: String?

    @Option(
      help: ArgumentHelp("Also checks the limits of a provider; may repeat.", valueName: "provider"),
      completion: .list(ProviderLimits.all.map(\.name)))
    var limits: [String] = []

    @Flag(help: "Also looks for personal data in sessions.")
    var personalData = false

    @OptionGroup var options: PlanOptions

    @Flag(help: "Writes JSON: problems of plans; the number of events, and findings of sessions.")
    var json = false

    fileprivate var words: [String] {
      option("--plan", plan) + tracking.options("--limits", limits) + flag("--personal-data", personalData)
        + options.words + flag("--json", json) + operands(files)
    }
  }

  struct Coverage: ForwardedVerb {
    static let configuration = CommandConfiguration(
      commandName: "coverage",
      abstract: "Reports which planned events, params and values tests have seen.",
      usage: "tracking plan coverage --plan <plan> <folder|session> ... [<options>]",
      discussion: """
        A folder holds what tests have observed: set TRACKING_OBSERVATIONS to it when you run them. Exit status 1: the \
        coverage is below a minimum, or below the baseline.

        Example:
          tracking plan coverage --plan plan.json .build/observed --minimum 90
        """)

    @Argument(help: "Folders of observations, and sessions.", completion: .file())
    var folders: [String]

    @Option(help: ArgumentHelp("The plan: a file or a folder.", valueName: "plan"), completion: .file())
    var plan: String

    @Option(
      help: ArgumentHelp(
        "The least percentage: 90 (of the events), or events=N, verified=N, params=N, values=N; may repeat.",
        valueName: "n"))
    var minimum: [String] = []

    @Option(
      help: ArgumentHelp("A JSON report: what it covers must still be covered.", valueName: "file"),
      completion: .file(extensions: ["json"]))
    var baseline: String?

    @Option(
      help: ArgumentHelp("The form of the report: text (default), markdown, json, lcov, github.", valueName: "form"),
      completion: .list(["text", "markdown", "json", "lcov", "github"]))
    var report: String?

    @Option(
      name: .shortAndLong,
      help: ArgumentHelp("Also writes a file: .txt, .md, .json, .lcov or .info; may repeat.", valueName: "file"),
      completion: .file())
    var output: [String] = []

    @OptionGroup var options: PlanOptions

    @Flag(help: "Writes JSON: the report, as --report json does.")
    var json = false

    fileprivate var words: [String] {
      option("--plan", plan) + tracking.options("--minimum", minimum) + option("--baseline", baseline)
        + option("--report", report) + tracking.options("--output", output) + options.words + flag("--json", json)
        + operands(folders)
    }
  }

  struct Diff: ForwardedVerb {
    static let configuration = CommandConfiguration(
      commandName: "diff",
      abstract: "Reports whether a change of a plan breaks released apps or the use of the data.",
      usage: "tracking plan diff <old> <new> [<options>]",
      discussion: """
        For apps: is every event that was valid still valid? For data: was every event that is valid now valid before? \
        Exit status 1: a change breaks, or may break, what --fail-on names.

        Example: git show main:plan.json | tracking plan diff - plan.json --fail-on apps
        """)

    @Argument(help: "The earlier plan; - for standard input.", completion: .file())
    var old: String

    @Argument(help: "The later plan.", completion: .file())
    var new: String

    @Option(
      help: ArgumentHelp("Fails if a change breaks or may break apps, data or any.", valueName: "who"),
      completion: .list(["apps", "data", "any"]))
    var failOn: String?

    @Option(
      help: ArgumentHelp("The form of the report: text (default), markdown, json.", valueName: "form"),
      completion: .list(["text", "markdown", "json"]))
    var report: String?

    @OptionGroup var options: PlanOptions

    @Flag(help: "Writes JSON: the report, as --report json does.")
    var json = false

    fileprivate var words: [String] {
      option("--fail-on", failOn) + option("--report", report) + options.words + flag("--json", json)
        + operands([old, new])
    }
  }

  struct Draft: ForwardedVerb {
    static let configuration = CommandConfiguration(
      commandName: "draft",
      abstract: "Drafts a plan from observed events, or adds to a plan what it lacks.",
      usage: "tracking plan draft <folder|session> ... [<options>]",
      discussion: """
        Everything new is marked as a draft, which `check` reports until you remove the mark.

        Examples:
          tracking plan draft session.json --name Shop --output tracking-plan.json
          tracking plan draft .build/observed --update tracking-plan.json
        """)

    @Argument(help: "Folders of observations, and sessions.", completion: .file())
    var folders: [String]

    @Option(
      help: ArgumentHelp("Adds new events and params to this plan.", valueName: "plan"),
      completion: .file(extensions: ["json"]))
    var update: String?

    @Option(help: ArgumentHelp("The name of a new plan.", valueName: "name"))
    var name: String?

    @Option(
      name: .shortAndLong,
      help: ArgumentHelp("The file to write; by default, standard output or the plan to update.", valueName: "file"),
      completion: .file())
    var output: String?

    @Flag(help: "Writes JSON: the file that was written, and the events and params that were added.")
    var json = false

    fileprivate var words: [String] {
      option("--update", update) + option("--name", name) + option("--output", output) + flag("--json", json)
        + operands(folders)
    }
  }

  struct Generate: ForwardedVerb {
    static let configuration = CommandConfiguration(
      commandName: "generate",
      abstract: "Generates Swift types for a plan's events.",
      usage: "tracking plan generate <plan> --output <folder> [<options>]",
      discussion: """
        The same plan gives the same bytes. tracking-plan-generator.json beside the plan configures names and access. \
        Exit status 1: with --check, a file is missing or out of date.

        Example: tracking plan generate tracking-plan.json --output Sources/ShopEvents --check
        """)

    @Argument(help: "The plan: a file or a folder.", completion: .file())
    var plan: String

    @Option(
      name: .shortAndLong, help: ArgumentHelp("The folder to write to.", valueName: "folder"), completion: .directory)
    var output: String?

    @Option(
      help: ArgumentHelp("The one file to write, in place of --output.", valueName: "file"), completion: .file())
    var outputFile: String?

    @Flag(help: "Writes one file for each event.")
    var split = false

    @Flag(help: "Writes nothing, and prints what is out of date.")
    var check = false

    @Option(
      help: ArgumentHelp("The configuration, if it isn't beside the plan.", valueName: "file"),
      completion: .file(extensions: ["json"]))
    var configuration: String?

    @OptionGroup var options: PlanOptions

    @Flag(help: "Writes JSON: path and change of each file: written, missing or outdated.")
    var json = false

    func validate() throws {
      if output == nil, outputFile == nil { throw ValidationError("name the folder to write to with --output") }
    }

    fileprivate var words: [String] {
      option("--output", output) + option("--output-file", outputFile) + flag("--split", split)
        + flag("--check", check) + option("--configuration", configuration) + options.words + flag("--json", json)
        + operands([plan])
    }
  }

  struct Convert: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "convert",
      abstract: "Converts a plan from YAML, JSON5 or a vendor's format to our own.",
      usage: "tracking plan convert <plan> [<options>]",
      discussion: """
        Reads YAML and JSON5 in any format that tracking-plan reads, catalogues of rudder-cli, metrics.yaml of Glean, and \
        pixel definitions of DuckDuckGo.

        Example: tracking plan convert catalogue/ --output tracking-plan.json
        """)

    @Argument(help: "A file, or a folder of files.", completion: .file())
    var plan: String

    @Option(
      name: .shortAndLong, help: ArgumentHelp("The file to write; standard output by default.", valueName: "file"),
      completion: .file())
    var output: String?

    @Option(
      help: ArgumentHelp("The plan's format, if it can't be detected.", valueName: "format"),
      completion: .list(PlanFormat.allCases.map(\.rawValue)))
    var format: PlanFormat?

    @Flag(help: "Writes JSON: the file that was written, and the number of its events.")
    var json = false

    func validate() throws {
      if json, output == nil {
        throw ValidationError("--json and the plan can't both go to standard output; name a file with --output")
      }
    }

    private struct Report: Encodable {
      let file: String
      let events: Int
    }

    func run() throws {
      do {
        let text = try PlanSource.converted(plan, format: format)
        guard let output else { return Output.document(text) }
        try Data(text.utf8).write(to: URL(fileURLWithPath: output))
        guard json else { return }
        let events = try TrackingPlan(text: text, format: .trackingPlan).events.count
        showJSON(Report(file: output, events: events), pretty: true)
      } catch {
        throw refusal("tracking plan convert: \(message(of: error))")
      }
    }

    private func message(of error: any Error) -> String {
      switch error {
      case let error as PlanError: "\(error)"
      case let error as PlanSourceError: "\(error)"
      default: "\(output ?? plan) can't be written: \(CommandLineTool.fileReason(of: error))"
      }
    }
  }
}
