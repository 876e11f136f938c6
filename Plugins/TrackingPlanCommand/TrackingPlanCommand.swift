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
    let planned = targets.compactMap { target in
      target.sourceFiles.map(\.url).first { $0.lastPathComponent == "tracking-plan.json" }.map { (target, $0) }
    }
    guard !planned.isEmpty else {
      throw Failure(
        description: "no target has a tracking-plan.json; for other commands, see swift package tracking-plan --help")
    }
    for (target, plan) in planned {
      try run(
        tool,
        ["generate", plan.path, "--output", target.directoryURL.appendingPathComponent("TrackingPlan").path] + arguments
      )
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
