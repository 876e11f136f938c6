import Foundation
import PackagePlugin

/// Runs `tracking-plan` as `swift package tracking-plan ...`.
///
/// Without arguments, it generates the types of every target with a plan into the target's folder, for teams that commit generated code.
@main
struct TrackingPlanCommand: CommandPlugin {
  func performCommand(context: PluginContext, arguments: [String]) throws {
    let tool = try context.tool(named: "tracking-plan").url
    guard arguments.isEmpty || arguments.allSatisfy({ ["--check", "--split"].contains($0) }) else {
      try run(tool, arguments)
      return
    }
    let targets = context.package.targets.compactMap(\.sourceModule)
    var isPlanned = false
    for target in targets {
      let files = target.sourceFiles.map(\.url)
      let configuration = files.first { $0.lastPathComponent == "tracking-plan-generator.json" }
      guard
        let plan = configuration.flatMap(Self.plan)
          ?? files.first(where: { $0.lastPathComponent == "tracking-plan.json" })
      else { continue }
      isPlanned = true
      let output = target.directoryURL.appendingPathComponent("TrackingPlan").path
      try run(
        tool,
        ["generate", plan.path, "--output", output] + (configuration.map { ["--configuration", $0.path] } ?? [])
          + arguments)
    }
    guard isPlanned else {
      throw Failure(
        description:
          "no target has a tracking-plan.json, or a tracking-plan-generator.json that names a plan; for other commands, see swift package tracking-plan --help"
      )
    }
  }

  /// The plan that a generator's configuration names.
  private static func plan(in configuration: URL) -> URL? {
    let data = FileManager.default.contents(atPath: configuration.path) ?? Data()
    let members = try? JSONSerialization.jsonObject(with: data) as? [String: Any]
    return (members?["plan"] as? String).map {
      configuration.deletingLastPathComponent().appendingPathComponent($0).standardizedFileURL
    }
  }

  private func run(_ tool: URL, _ arguments: [String]) throws {
    let process = Process()
    process.executableURL = tool
    process.arguments = arguments
    try process.run()
    process.waitUntilExit()
    guard process.terminationStatus == 0 else {
      throw Failure(description: "tracking-plan failed with exit code \(process.terminationStatus)")
    }
  }

  private struct Failure: Error, CustomStringConvertible {
    let description: String
  }
}
