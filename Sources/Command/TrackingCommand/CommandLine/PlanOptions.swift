import Foundation
import TrackingPlan

/// The options for reading a plan, which most verbs have.
enum PlanOptions {
  static let format = VerbOption.value(
    "--format", "format", "The plan's format, if it can't be detected.",
    completion: .words(PlanFormat.Name.allCases.map(\.rawValue)))
  static let source = VerbOption.value("--source", "name", "Reads only events planned for this source, such as iOS.")

  static let all = [format, source]

  /// Reads the plan at a path, or from standard input for `-`.
  static func plan(at path: String, _ arguments: Arguments, source other: String? = nil) throws(PlanError)
    -> TrackingPlan
  {
    let format = arguments[format].flatMap(PlanFormat.Name.init).map(PlanFormat.init)
    let source = arguments[source] ?? other
    guard path == "-" else {
      return try TrackingPlan(contentsOf: URL(fileURLWithPath: path).relative(as: path), format: format, source: source)
    }
    let data = FileHandle.standardInput.readDataToEndOfFile()
    return try TrackingPlan(
      text: String(decoding: data, as: UTF8.self), name: "standard input", format: format, source: source)
  }
}

extension URL {
  /// The same file with the user's path, for messages.
  fileprivate func relative(as path: String) -> URL {
    path.hasPrefix("/")
      ? self : URL(fileURLWithPath: path, relativeTo: URL(fileURLWithPath: FileManager.default.currentDirectoryPath))
  }
}
