import Foundation
import TrackingModel

/// The reason why a plan can't be used, with its place in the file.
public struct PlanError: Error, Hashable, Sendable {
  /// The path of the file or folder, as the caller gave it.
  public let file: String
  /// The line, if the problem is on one.
  public let line: Int?
  /// The member of the plan, for example `"events.added_to_cart.params.quantity"`; empty if the problem is the file as a whole.
  public let path: String
  /// The problem and how to fix it.
  public let reason: String

  package init(file: String, line: Int? = nil, path: String = "", reason: String) {
    self.file = file
    self.line = line
    self.path = path
    self.reason = reason
  }
}

extension PlanError: CustomStringConvertible, LocalizedError {
  /// The error on one line: `tracking-plan.json:14: events.purchase.params.quantity: "intger" is not a type; the nearest is "integer"`.
  public var description: String {
    let place = line.map { "\(file):\($0)" } ?? file
    return path.isEmpty ? "\(place): \(reason)" : "\(place): \(path): \(reason)"
  }

  /// The same as `description`.
  public var errorDescription: String? { description }
}
