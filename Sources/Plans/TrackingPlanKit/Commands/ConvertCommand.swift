import TrackingJSON
import TrackingModel
import TrackingPlan

/// A plan that was read from a language other than JSON or from another tool's catalogue, and what our format has no place for.
public struct ForeignPlan: Sendable {
  /// The plan as far as it was understood.
  public let plan: TrackingPlan
  /// The parts that were left out: `catalog.yaml: Product Viewed: variants`.
  public let losses: [String]

  /// Creates a plan with the reader's losses.
  public init(_ plan: TrackingPlan, losses: [String] = []) {
    self.plan = plan
    self.losses = losses
  }
}

/// Reads the plan at a path; returns `nil` for a plan that is JSON.
public typealias PlanReader = @Sendable (_ path: String, _ format: PlanFormat?) throws -> ForeignPlan?

extension PlanError {
  /// An error in a file of another language.
  public init(inForeign file: String, line: Int? = nil, _ reason: String) {
    self.init(file: file, line: line, path: "", reason: reason)
  }
}

extension PlanCommand {
  /// The command `convert`, for JSON and whatever the reader reads.
  static func convert(reading reader: PlanReader?) -> PlanCommand {
    PlanCommand(
      name: "convert",
      abstract: "Converts a plan of another format to our own.",
      usage: ["<plan> [<options>]"],
      discussion: """
        \(reader == nil
          ? "Reads JSON in the formats that --format lists."
          : "Reads JSON, YAML and JSON5 in the formats that --format lists, catalogues of rudder-cli, metrics.yaml of Glean, and "
          + "pixel definitions of DuckDuckGo.") \
        Exit status 1: something was left out; standard error says what.
        """,
      examples: ["TOOL convert \(reader == nil ? "segment.json" : "catalogue/") --output tracking-plan.json"],
      operands: .init("plan", help: "A file, or a folder of files."),
      options: [output, allowLosses] + PlanOptions.all + [json],
      run: { arguments, output in try run(arguments, reader, output) })
  }

  private static let output = CommandOption.value(
    "--output", "file", "The file to write; standard output by default.", letter: "o", completion: .file([]))
  private static let allowLosses = CommandOption.flag(
    "--allow-losses", "Exits with status 0 if something was left out.")
  private static let json = CommandOption.flag(
    "--json", "Writes JSON: the file that was written, the number of its events, and what was left out.")

  private static func run(
    _ arguments: Arguments, _ reader: PlanReader?, _ output: CommandLineTool.Output
  ) throws -> [String] {
    let (path, file) = (arguments.operands[0], arguments[self.output] ?? "-")
    try PlanOptions.checkOutput(file, isJSON: arguments.has(json))
    let foreign = try path == "-" ? nil : reader?(path, arguments[PlanOptions.format].flatMap(PlanFormat.init))
    let plan = try foreign?.plan ?? PlanOptions.plan(at: path, arguments)
    var converter = PlanConverter(plan: plan)
    let text = converter.text()
    let losses = (foreign?.losses ?? []) + converter.losses
    try output.write(text, to: file)
    for loss in losses { output.errorLine("left out: \(loss)") }
    if arguments.has(json) {
      try output.json([
        "file": JSONTree(file), "events": JSONTree(of: plan.events.count), "losses": JSONTree(of: losses),
      ])
    }
    guard !losses.isEmpty, !arguments.has(allowLosses) else { return [] }
    return ["\(losses.count.counted("part")) of the plan left out; --allow-losses accepts that"]
  }
}
