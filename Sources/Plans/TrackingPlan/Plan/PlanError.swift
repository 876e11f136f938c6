import Foundation
import TrackingJSON
import TrackingRules

/// The reason that a plan can't be used, with its place in the file.
public struct PlanError: Error, Hashable, Sendable {
  /// The path of the file or folder, as the caller gave it.
  public let file: String
  /// The line of the problem; `nil` if it isn't on one line.
  public let line: Int?
  /// The path in the plan, for example `"events.added_to_cart.params.quantity"`; empty if the problem is the whole file.
  public let path: String
  /// The problem and its remedy.
  public let reason: String

  package init(file: String, line: Int? = nil, path: String = "", reason: String) {
    self.file = file
    self.line = line
    self.path = path
    self.reason = reason
  }

  package init(at place: PlanPlace, path: String = "", _ reason: String) {
    self.init(file: place.file, line: place.line, path: path, reason: reason)
  }

  /// Creates the error for a file that isn't JSON.
  package init(_ error: JSONError, in bytes: [UInt8], of file: String) {
    let lines = bytes.withUnsafeBufferPointer { LineTable($0) }
    self.init(file: file, line: lines.position(of: error.offset).line, path: error.path, reason: error.reason)
  }
}

extension PlanError: CustomStringConvertible, LocalizedError {
  /// The error on one line: `tracking-plan.json:14: events.purchase.params.quantity: "intger" is not a type; the nearest is "integer"`.
  public var description: String {
    let place = line.map { "\(file):\($0)" } ?? file
    return path.isEmpty ? "\(place): \(reason)" : "\(place): \(path): \(reason)"
  }

  /// The error on one line: `tracking-plan.json:14: events.purchase.params.quantity: "intger" is not a type; the nearest is "integer"`.
  public var errorDescription: String? { description }

  /// The error in the form of compilers, which Xcode shows at the line: `plan.json:14: error: ...`.
  package var compilerMessage: String {
    let text = path.isEmpty ? reason : "\(path): \(reason)"
    return line.map { "\(file):\($0): error: \(text)" } ?? "error: \(file): \(text)"
  }
}
