import ArgumentParser
import Foundation
import PlanSources
import TrackingPlan
import TrackingPlanKit

struct Plan: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Converts, checks and compares tracking plans, and generates types.",
    discussion:
      "All verbs but `convert` are those of `tracking-plan`, which the root package has without any dependency.",
    subcommands: [
      Convert.self, Forwarded.Check.self, Forwarded.Coverage.self, Forwarded.Diff.self, Forwarded.Draft.self,
      Forwarded.Generate.self,
    ])

  struct Convert: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Writes a plan in YAML, JSON5 or a vendor's format as one in our own.",
      discussion: """
        Reads YAML and JSON5 that hold any format of tracking-plan, catalogues of rudder-cli, metrics.yaml of Glean, and pixel definitions of \
        DuckDuckGo.

        Example: tracking plan convert catalogue/ --output tracking-plan.json
        """)

    @Argument(help: "A file, or a folder of files.", completion: .file())
    var plan: String

    @Option(name: .shortAndLong, help: "Where the plan is written to; standard output by default.", completion: .file())
    var output: String?

    @Option(
      help: "The plan's format, if that is not seen from its content.",
      completion: .list(PlanFormat.allCases.map(\.rawValue)))
    var format: PlanFormat?

    func run() throws {
      do {
        let text = try PlanSource.converted(plan, format: format)
        guard let output else { return print(text, terminator: "") }
        try Data(text.utf8).write(to: URL(fileURLWithPath: output))
      } catch {
        throw refusal("tracking plan convert: \(message(of: error))")
      }
    }

    private func message(of error: any Error) -> String {
      switch error {
      case let error as PlanError: "\(error)"
      case let error as PlanSourceError: "\(error)"
      default: error.localizedDescription
      }
    }
  }
}

extension PlanFormat: @retroactive ExpressibleByArgument {}

/// Verbs that `tracking-plan` has, with its options and its help pages.
enum Forwarded {
  struct Check: ForwardedCommand {
    static let configuration = forwarding("check", "Checks a plan.")
    @Argument(parsing: .captureForPassthrough) var words: [String] = []
  }

  struct Coverage: ForwardedCommand {
    static let configuration = forwarding("coverage", "Says which planned events tests have seen.")
    @Argument(parsing: .captureForPassthrough) var words: [String] = []
  }

  struct Diff: ForwardedCommand {
    static let configuration = forwarding("diff", "Compares two plans.")
    @Argument(parsing: .captureForPassthrough) var words: [String] = []
  }

  struct Draft: ForwardedCommand {
    static let configuration = forwarding("draft", "Drafts a plan from what tests have observed.")
    @Argument(parsing: .captureForPassthrough) var words: [String] = []
  }

  struct Generate: ForwardedCommand {
    static let configuration = forwarding("generate", "Generates Swift types from a plan.")
    @Argument(parsing: .captureForPassthrough) var words: [String] = []
  }
}

protocol ForwardedCommand: ParsableCommand {
  var words: [String] { get }
}

extension ForwardedCommand {
  fileprivate static func forwarding(_ verb: String, _ abstract: String) -> CommandConfiguration {
    CommandConfiguration(commandName: verb, abstract: abstract, helpNames: [])
  }

  mutating func run() throws {
    let status = CommandLineTool.run([Self.configuration.commandName ?? ""] + words)
    if status != 0 { throw ExitCode(status) }
  }
}
