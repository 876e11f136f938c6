import Foundation
import TrackingModel

/// Why a plan can't be used, with the place in its file.
public struct PlanError: Error, Hashable, Sendable {
  /// The file or folder, as it was named.
  public let file: String
  /// The line, if the reason has one.
  public let line: Int?
  /// The member of the plan, for example `"events.added_to_cart.params.quantity"`; empty for the file as a whole.
  public let path: String
  /// What is wrong and what to do about it.
  public let reason: String

  package init(file: String, line: Int? = nil, path: String = "", reason: String) {
    self.file = file
    self.line = line
    self.path = path
    self.reason = reason
  }
}

extension PlanError: CustomStringConvertible, LocalizedError {
  /// The error in one line: `tracking-plan.json:14: events.purchase.params.quantity: "intger" is not a type; the nearest is "integer"`.
  public var description: String {
    let place = line.map { "\(file):\($0)" } ?? file
    return path.isEmpty ? "\(place): \(reason)" : "\(place): \(path): \(reason)"
  }

  /// The same as `description`.
  public var errorDescription: String? { description }
}
