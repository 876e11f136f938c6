import Foundation
import TrackingPlan
import TrackingPlanKit

/// Reads a team's plan files and converts them into this project's format.
///
/// `TrackingPlan` reads JSON. YAML and JSON5 files may contain any of its formats, or that of a tool that uses no other language:
/// RudderStack's rudder-cli, Mozilla's Glean, DuckDuckGo's pixel definitions.
package enum PlanSource {
  /// One file of a plan.
  struct File {
    /// Its path as the user called it.
    let name: String
    let relativePath: String
    let tree: PlanTree
  }

  private static let endings = ["json", "json5", "yaml", "yml"]
  /// As many bytes as `TrackingPlan` reads.
  private static let mostBytes = 16 * 1_024 * 1_024

  /// Converts a file, or all files of a folder, into the text of one plan in our own format.
  ///
  /// - Throws: ``PlanSourceError`` or `PlanError`, with the file, the line where it is known, and the reason.
  package static func converted(_ path: String, format: PlanFormat? = nil) throws -> String {
    let paths = try paths(at: path)
    guard paths.contains(where: { !$0.name.hasSuffix(".json") }) else {
      return PlanConverter(plan: try TrackingPlan(contentsOf: URL(fileURLWithPath: path), format: format)).text
    }
    let files = try read(paths)
    if let plan = try RudderCatalog(files)?.plan ?? GleanMetrics(files)?.plan ?? PixelDefinitions(files)?.plan {
      return PlanConverter(plan: try TrackingPlan(text: plan.json, name: path, format: .trackingPlan)).text
    }
    return PlanConverter(plan: try plan(of: files, at: path, format)).text
  }

  /// Files that hold a format of `TrackingPlan` in another language: it reads them as JSON.
  private static func plan(of files: [File], at path: String, _ format: PlanFormat?) throws -> TrackingPlan {
    if files.count == 1 { return try TrackingPlan(text: files[0].tree.json, name: files[0].name, format: format) }
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("tracking-plan-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: folder) }
    for file in files {
      let url = folder.appendingPathComponent(file.relativePath).deletingPathExtension().appendingPathExtension("json")
      try FileManager.default.createDirectory(at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
      try Data(file.tree.json.utf8).write(to: url)
    }
    return try TrackingPlan(contentsOf: folder, format: format)
  }

  // MARK: Files

  private static func paths(at path: String) throws -> [(name: String, relativePath: String)] {
    var isFolder: ObjCBool = false
    guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) else {
      throw PlanSourceError(path, "no such file or folder")
    }
    guard isFolder.boolValue else { return [(path, URL(fileURLWithPath: path).lastPathComponent)] }
    let found = FileManager.default.enumerator(atPath: path)?.compactMap { $0 as? String } ?? []
    let paths = found.filter { path in
      let parts = path.split(separator: "/")
      return !parts.contains { $0.hasPrefix(".") } && endings.contains { path.hasSuffix(".\($0)") }
    }
    guard !paths.isEmpty else {
      throw PlanSourceError(
        path, "the folder holds no plan; expected files of \(endings.map { ".\($0)" }.joined(separator: ", "))")
    }
    return paths.sorted().map { ("\(path)/\($0)", $0) }
  }

  private static func read(_ paths: [(name: String, relativePath: String)]) throws -> [File] {
    var rest = mostBytes
    return try paths.map { name, relativePath in
      let data: Data
      do {
        data = try Data(contentsOf: URL(fileURLWithPath: name))
      } catch {
        throw PlanSourceError(name, "can't be read: \(CommandLineTool.fileReason(of: error))")
      }
      rest -= data.count
      guard rest >= 0 else { throw PlanSourceError(name, "the plan is larger than \(mostBytes / 1_048_576) MiB") }
      let isYAML = name.hasSuffix(".yaml") || name.hasSuffix(".yml")
      guard isYAML else { return File(name: name, relativePath: relativePath, tree: try .json5(data, file: name)) }
      guard let text = String(validating: data, as: UTF8.self) else { throw PlanSourceError(name, "is not UTF-8") }
      return File(name: name, relativePath: relativePath, tree: try .yaml(text, file: name))
    }
  }
}

extension PlanSource.File {
  func error(_ reason: String) -> PlanSourceError { PlanSourceError(name, reason) }
}
