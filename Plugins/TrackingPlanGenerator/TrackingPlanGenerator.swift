import Foundation
import PackagePlugin

/// Generates the types of a target's tracking plan when the target is built.
@main
struct TrackingPlanGenerator: BuildToolPlugin {
  func createBuildCommands(context: PluginContext, target: any Target) throws -> [Command] {
    guard let module = target.sourceModule else { return [] }
    return PlanFilesOfTarget.commands(
      for: module.sourceFiles.map(\.url), of: target.name, tool: try context.tool(named: "tracking-types").url,
      folder: context.pluginWorkDirectoryURL)
  }
}

/// The plan and the generator's configuration among the files of a target.
struct PlanFilesOfTarget {
  private let plan: URL
  private let configuration: URL?

  /// The reason why a target has no plan, with the file and the line to change.
  struct Problem: Error {
    let file: URL
    var line: Int?
    let reason: String

    /// Shows the reason at the line in Xcode, and with file and line in a terminal; it fails the build.
    func report() {
      let place = ([file.path] + [line].compactMap { $0.map(String.init) }).joined(separator: ":")
      Diagnostics.error("\(place): \(reason)", file: file.path, line: line)
    }
  }

  /// The command that generates the types of a target; none, with an error, if its plan isn't found.
  static func commands(for files: [URL], of target: String, tool: URL, folder: URL) -> [Command] {
    do throws(Problem) {
      return [try PlanFilesOfTarget(files, target: target).command(tool: tool, folder: folder)]
    } catch {
      error.report()
      return []
    }
  }

  private init(_ files: [URL], target: String) throws(Problem) {
    func only(_ name: String) throws(Problem) -> URL? {
      let found = files.filter { $0.lastPathComponent == name }
      guard found.count <= 1 else {
        throw Problem(
          file: found[1],
          reason:
            "the target \(target) has \(found.count) files named \(name); another one is \(found[0].path)")
      }
      return found.first
    }
    configuration = try only("tracking-plan-generator.json")
    if let configuration, let (path, line) = try Self.plan(in: configuration) {
      plan = configuration.deletingLastPathComponent().appendingPathComponent(path).standardizedFileURL
      guard FileManager.default.fileExists(atPath: plan.path) else {
        throw Problem(
          file: configuration, line: line,
          reason: "the plan \(path) doesn't exist; the path is relative to this file's folder")
      }
    } else if let plan = try only("tracking-plan.json") {
      self.plan = plan
    } else {
      throw Problem(
        file: files.first ?? URL(fileURLWithPath: target),
        reason:
          "the target \(target) has no tracking-plan.json; add one, or a tracking-plan-generator.json whose \"plan\" is the path of the plan; a target also needs a Swift file, or SwiftPM ignores it and its plugins; if Xcode synchronizes the folder that has it, add the file by a group"
      )
    }
  }

  /// The plan's path in a configuration, with its line; the generator reads the other members.
  private static func plan(in configuration: URL) throws(Problem) -> (path: String, line: Int)? {
    guard let data = FileManager.default.contents(atPath: configuration.path) else {
      throw Problem(file: configuration, reason: "can't be read")
    }
    let object = try? JSONSerialization.jsonObject(with: data) as? [String: Any]
    guard let path = object?["plan"] as? String else { return nil }
    let lines = String(decoding: data, as: UTF8.self).split(separator: "\n", omittingEmptySubsequences: false)
    return (path, 1 + (lines.firstIndex { $0.contains("\"plan\"") } ?? 0))
  }

  /// The command with its inputs and output, so that the build runs it only if one of them changed.
  private func command(tool: URL, folder: URL) -> Command {
    let output = folder.appendingPathComponent("TrackingPlan.swift")
    return .buildCommand(
      displayName: "Generating the types of \(plan.lastPathComponent)", executable: tool,
      arguments: ([plan, output] + [configuration].compactMap { $0 }).map(\.path), inputFiles: inputs,
      outputFiles: [output])
  }

  /// The plan's file, or the files in its folder, and the configuration.
  private var inputs: [URL] {
    let inner =
      FileManager.default.enumerator(at: plan, includingPropertiesForKeys: nil)?.compactMap { $0 as? URL } ?? []
    // Iglu names its schemas by version, without an extension.
    let files = inner.filter { file in
      file.pathExtension == "json" || file.deletingLastPathComponent().lastPathComponent == "jsonschema"
    }
    return (files.isEmpty ? [plan] : files.sorted { $0.path < $1.path }) + [configuration].compactMap { $0 }
  }
}
