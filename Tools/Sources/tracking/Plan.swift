import ArgumentParser
import PlanSources
import RunnerQuestions
import TrackingPlan
import TrackingPlanKit

struct Plan: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "plan",
    abstract: "Converts, checks and compares tracking plans, and generates types.",
    discussion: """
      The verbs are those of `tracking-plan`, the root package's tool for plugins; `convert` also reads YAML, JSON5 and \
      other tools' catalogues.

      Example: tracking plan check session.json --plan tracking-plan.json
      """,
    subcommands: [Check.self, Coverage.self, Compare.self, Draft.self, Generate.self, Convert.self])

  fileprivate static let tool = CommandLineTool(
    named: "tracking plan", reader: { try ForeignPlanReader.plan(at: $0, format: $1) })

  func run() throws {
    throw refusal(Tracking.helpMessage(for: Self.self))
  }

  struct Check: PlanVerb {
    var words: [String] = []
  }

  struct Coverage: PlanVerb {
    var words: [String] = []
  }

  struct Compare: PlanVerb {
    var words: [String] = []
  }

  struct Draft: PlanVerb {
    var words: [String] = []
  }

  struct Generate: PlanVerb {
    var words: [String] = []
  }

  struct Convert: PlanVerb {
    var words: [String] = []
  }
}

/// A verb of the plan tool, which declares its options.
///
/// The library finds the options of a command by reflection and decodes their values, so the mirror and the decoding below follow the
/// tool's declarations.
protocol PlanVerb: ParsableCommand, CustomReflectable {
  /// The options and operands in the words of the tool.
  var words: [String] { get set }
}

extension PlanVerb {
  /// The type's name in lower case.
  private static var name: String { "\(Self.self)".lowercased() }

  private static var command: PlanCommand {
    guard let command = Plan.tool.commands.first(where: { $0.name == name }) else {
      preconditionFailure("the tool has no command \(name)")
    }
    return command
  }

  static var configuration: CommandConfiguration {
    let command = command
    return CommandConfiguration(
      commandName: command.name, abstract: command.abstract,
      usage: command.usage.map { "tracking plan \(command.name) \($0)" }.joined(separator: "\n"),
      discussion: "\(command.discussion)\n\n\(command.examples(of: "tracking plan"))")
  }

  var customMirror: Mirror {
    let command = Self.command
    let operands = command.operands.names.map { name in
      (label: String?("_\(name)"), value: command.operands.argument(name) as Any)
    }
    let options = command.options.map { option in
      (label: String?("_\(option.key)"), value: option.wrapper as Any)
    }
    return Mirror(self, children: operands + options)
  }

  init(from decoder: any Decoder) throws {
    self.init()
    let values = try decoder.container(keyedBy: AnyKey.self)
    let command = Self.command
    for option in command.options {
      let key = AnyKey(stringValue: option.key)
      switch option.kind {
      case .flag:
        if try values.decode(Flag<Bool>.self, forKey: key).wrappedValue { words.append(option.name) }
      case .value:
        let value = try values.decode(Option<String?>.self, forKey: key).wrappedValue
        words += value.map { ["\(option.name)=\($0)"] } ?? []
      case .values:
        words += try values.decode(Option<[String]>.self, forKey: key).wrappedValue.map { "\(option.name)=\($0)" }
      }
    }
    // Behind it, no operand is read as an option.
    words.append("--")
    for name in command.operands.names {
      let key = AnyKey(stringValue: name)
      if command.operands.isList {
        words += try values.decode(Argument<[String]>.self, forKey: key).wrappedValue
      } else {
        words.append(try values.decode(Argument<String>.self, forKey: key).wrappedValue)
      }
    }
  }

  func run() throws {
    let status = Plan.tool.run(
      [Self.name] + words,
      output: .init(standard: { Output.document($0) }, error: { Output.remark($0.printable) }))
    if status != 0 { throw ExitCode(status) }
  }
}

/// The options for reading a plan, as the tool declares them.
struct PlanOptions: ParsableArguments, CustomReflectable {
  private(set) var format: PlanFormat?
  private(set) var source: String?

  init() {}

  var customMirror: Mirror {
    Mirror(
      self,
      children: CommandLineTool.planOptions.map { option in
        (label: String?("_\(option.key)"), value: option.wrapper as Any)
      })
  }

  init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: AnyKey.self)
    func value(_ key: String) throws -> String? {
      try values.decode(Option<String?>.self, forKey: AnyKey(stringValue: key)).wrappedValue
    }
    source = try value("source")
    guard let name = try value("format") else { return }
    guard let format = PlanFormat(rawValue: name) else {
      throw ValidationError("--format: \"\(name)\" is unknown; see --help")
    }
    self.format = format
  }
}

extension CommandOperands {
  /// The library's declaration of an operand.
  fileprivate func argument(_ name: String) -> any Decodable {
    // The first one explains all of them.
    let help = ArgumentHelp(stringLiteral: name == names.first ? help : "")
    return isList
      ? Argument<[String]>(help: help, completion: .file()) : Argument<String>(help: help, completion: .file())
  }
}

extension CommandOption {
  /// The name without its dashes, as the library names a property.
  fileprivate var key: String { String(name.drop { $0 == "-" }) }

  /// The library's declaration of the option.
  fileprivate var wrapper: any Decodable {
    let long = NameSpecification.Element.customLong(key)
    let names: NameSpecification = letter.map { [.customShort($0), long] } ?? [long]
    let help = ArgumentHelp(help, valueName: value)
    switch kind {
    case .flag: return Flag<Bool>(wrappedValue: false, name: names, help: help)
    case .value: return Option<String?>(name: names, help: help, completion: completion.kind)
    case .values: return Option<[String]>(wrappedValue: [], name: names, help: help, completion: completion.kind)
    }
  }
}

extension CommandOption.Completion {
  fileprivate var kind: CompletionKind? {
    switch self {
    case .none: nil
    case .folder: .directory
    case .file(let endings): .file(extensions: endings)
    case .words(let words): .list(words)
    }
  }
}
