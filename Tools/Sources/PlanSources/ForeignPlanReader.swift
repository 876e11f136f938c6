import Foundation
import TrackingPlan
import TrackingPlanKit

/// Reads plans in YAML and JSON5, and those of tools with their own language.
///
/// YAML and JSON5 files may contain any format that TrackingPlan reads as JSON, or a catalogue of RudderStack's rudder-cli, Mozilla's Glean or
/// DuckDuckGo's pixel definitions.
package enum ForeignPlanReader {
  /// One file of a plan.
  struct File {
    /// The path in messages.
    let name: String
    let relativePath: String
    let tree: JSONTree
  }

  private static let endings = ["json", "json5", "yaml", "yml"]
  /// The largest total size of a plan's files in bytes, as TrackingPlan has it.
  private static let mostBytes = 16 * 1_024 * 1_024

  /// Reads a file, or all files of a folder; returns `nil` if all of them are JSON.
  ///
  /// - Throws: `PlanError` with the file, the line if it is known, and the reason.
  package static func plan(at path: String, format: PlanFormat? = nil) throws -> ForeignPlan? {
    let paths = try paths(at: path)
    guard paths.contains(where: { !$0.name.hasSuffix(".json") }) else { return nil }
    let files = try read(paths)
    if var catalog = try RudderCatalog(files) { return try plan(catalog.plan(), catalog.losses, at: path) }
    if let metrics = try GleanMetrics(files)?.plan { return try plan(metrics, [], at: path) }
    if var pixels = PixelDefinitions(files) { return try plan(pixels.plan(), pixels.losses, at: path) }
    return ForeignPlan(try plan(of: files, at: path, format))
  }

  private static func plan(_ tree: JSONTree, _ losses: [String], at path: String) throws -> ForeignPlan {
    ForeignPlan(try TrackingPlan(text: tree.text(.compact), name: path, format: .trackingPlan), losses: losses)
  }

  /// Files that hold a format of `TrackingPlan` in another language: it reads them as JSON.
  private static func plan(of files: [File], at path: String, _ format: PlanFormat?) throws -> TrackingPlan {
    if files.count == 1 {
      return try TrackingPlan(text: files[0].tree.text(.compact), name: files[0].name, format: format)
    }
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("tracking-plan-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: folder) }
    for file in files {
      let url = folder.appendingPathComponent(file.relativePath).deletingPathExtension().appendingPathExtension("json")
      try FileManager.default.createDirectory(at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
      try Data(file.tree.text(.compact).utf8).write(to: url)
    }
    return try TrackingPlan(contentsOf: folder, format: format)
  }

  // MARK: Files

  private static func paths(at path: String) throws -> [(name: String, relativePath: String)] {
    var isFolder: ObjCBool = false
    guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) else {
      throw PlanError(inForeign: path, "no such file or folder")
    }
    guard isFolder.boolValue else { return [(path, URL(fileURLWithPath: path).lastPathComponent)] }
    let found = FileManager.default.enumerator(atPath: path)?.compactMap { $0 as? String } ?? []
    let paths = found.filter { path in
      let parts = path.split(separator: "/")
      // The generator's configuration may be in a plan's folder.
      guard parts.last != "tracking-plan-generator.json" else { return false }
      return !parts.contains { $0.hasPrefix(".") } && endings.contains { path.hasSuffix(".\($0)") }
    }
    guard !paths.isEmpty else {
      throw PlanError(
        inForeign:
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
        throw PlanError(inForeign: name, "can't be read: \(CommandLineTool.fileReason(of: error))")
      }
      rest -= data.count
      guard rest >= 0 else { throw PlanError(inForeign: name, "the plan is larger than \(mostBytes / 1_048_576) MiB") }
      let isYAML = name.hasSuffix(".yaml") || name.hasSuffix(".yml")
      guard isYAML else { return File(name: name, relativePath: relativePath, tree: try .json5(data, file: name)) }
      guard let text = String(validating: data, as: UTF8.self) else { throw PlanError(inForeign: name, "is not UTF-8") }
      return File(name: name, relativePath: relativePath, tree: try .yaml(text, file: name))
    }
  }
}

extension ForeignPlanReader.File {
  func error(_ reason: String) -> PlanError { PlanError(inForeign: name, reason) }
}
