import Foundation
import PackagePlugin

/// Generates the types of a target's tracking plan while the target is built.
@main
struct TrackingPlanGenerator: BuildToolPlugin {
  func createBuildCommands(context: PluginContext, target: any Target) throws -> [Command] {
    guard let module = target.sourceModule else { return [] }
    return [
      try PlanFilesOfTarget(module.sourceFiles.map(\.url), target: target.name)
        .command(tool: try context.tool(named: "tracking-plan").url, folder: context.pluginWorkDirectoryURL)
    ]
  }
}

/// The plan and the generator's configuration among the files of a target.
struct PlanFilesOfTarget {
  let plan: URL
  let configuration: URL?

  struct Missing: Error, CustomStringConvertible {
    let description: String
  }

  init(_ files: [URL], target: String) throws {
    func only(_ name: String) throws -> URL? {
      let found = files.filter { $0.lastPathComponent == name }
      guard found.count <= 1 else {
        throw Missing(
          description:
            "the target \(target) has \(found.count) files \(name): \(found.map(\.path).joined(separator: ", "))")
      }
      return found.first
    }
    configuration = try only("tracking-plan-generator.json")
    if let configuration, let path = try Self.plan(in: configuration) {
      plan = configuration.deletingLastPathComponent().appendingPathComponent(path).standardizedFileURL
      guard FileManager.default.fileExists(atPath: plan.path) else {
        throw Missing(
          description: "\(configuration.path): the plan \(path) doesn't exist, seen from the folder of this file")
      }
    } else if let plan = try only("tracking-plan.json") {
      self.plan = plan
    } else {
      throw Missing(
        description:
          "the target \(target) has no tracking-plan.json; add one, or a tracking-plan-generator.json whose \"plan\" is the path of the plan"
      )
    }
  }

  /// The plan that a configuration names; what else it says is the generator's business.
  private static func plan(in configuration: URL) throws -> String? {
    let data = try Data(contentsOf: configuration)
    let object = try? JSONSerialization.jsonObject(with: data) as? [String: Any]
    return object?["plan"] as? String
  }

  /// One command whose inputs and output are declared, so that it runs when one of them has changed and never else.
  func command(tool: URL, folder: URL) -> Command {
    let output = folder.appendingPathComponent("TrackingPlan.swift")
    var arguments = ["generate", plan.path, "--output-file", output.path]
    if let configuration { arguments += ["--configuration", configuration.path] }
    return .buildCommand(
      displayName: "Generating the types of \(plan.lastPathComponent)", executable: tool, arguments: arguments,
      inputFiles: inputs, outputFiles: [output])
  }

  /// The files of a plan that is a folder, or the one file; and the configuration.
  private var inputs: [URL] {
    let inner =
      FileManager.default.enumerator(at: plan, includingPropertiesForKeys: nil)?.compactMap { $0 as? URL } ?? []
    let files = inner.filter { $0.pathExtension == "json" }
    return (files.isEmpty ? [plan] : files.sorted { $0.path < $1.path }) + [configuration].compactMap { $0 }
  }
}
