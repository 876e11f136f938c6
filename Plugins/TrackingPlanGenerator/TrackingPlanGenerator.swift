import Foundation
import PackagePlugin

/// Generates the types of a target's tracking plan when the target is built.
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
            "the target \(target) has \(found.count) files named \(name): \(found.map(\.path).joined(separator: ", "))")
      }
      return found.first
    }
    configuration = try only("tracking-plan-generator.json")
    if let configuration, let path = try Self.plan(in: configuration) {
      plan = configuration.deletingLastPathComponent().appendingPathComponent(path).standardizedFileURL
      guard FileManager.default.fileExists(atPath: plan.path) else {
        throw Missing(
          description:
            "\(configuration.path): the plan \(path) doesn't exist; the path is relative to this file's folder")
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

  /// The plan's path in a configuration; the generator reads the other members.
  private static func plan(in configuration: URL) throws -> String? {
    let data = try Data(contentsOf: configuration)
    let object = try? JSONSerialization.jsonObject(with: data) as? [String: Any]
    return object?["plan"] as? String
  }

  /// The command with its inputs and output, so that the build runs it only if one of them changed.
  func command(tool: URL, folder: URL) -> Command {
    let output = folder.appendingPathComponent("TrackingPlan.swift")
    var arguments = ["generate", plan.path, "--output-file", output.path]
    if let configuration { arguments += ["--configuration", configuration.path] }
    return .buildCommand(
      displayName: "Generating the types of \(plan.lastPathComponent)", executable: tool, arguments: arguments,
      inputFiles: inputs, outputFiles: [output])
  }

  /// The plan's file, or the files in its folder, and the configuration.
  private var inputs: [URL] {
    let inner =
      FileManager.default.enumerator(at: plan, includingPropertiesForKeys: nil)?.compactMap { $0 as? URL } ?? []
    let files = inner.filter { $0.pathExtension == "json" }
    return (files.isEmpty ? [plan] : files.sorted { $0.path < $1.path }) + [configuration].compactMap { $0 }
  }
}
