import Foundation
import TrackingModel
import TrackingRules

/// The part of the module TrackingChecks that a verifier needs to make mutants.
///
/// The verifier doesn't import that module. It looks for the class `TrackingChecks.MutationLinkage`, which is there when the module is linked.
package protocol MutationSupport: AnyObject, Sendable {
  /// The mutants of an event that a closure of the test can read if it could read the event.
  static func nearest(of event: TrackingEvent) -> [TrackingEvent]

  /// Asks the questions of a test again.
  static func report(on test: AskedTest) -> MutationReport
}

/// The environment's variable for mutants.
enum MutationEnvironment {
  private static let variable = "TRACKING_MUTATIONS"
  private static let hasReported = Locked(false)

  static var isRequested: Bool { ![nil, "", "0"].contains(ProcessInfo.processInfo.environment[variable]) }

  /// The module TrackingChecks; `nil` after a message if the process doesn't have it.
  static var support: (any MutationSupport.Type)? {
    if let support = NSClassFromString("TrackingChecks.MutationLinkage") as? any MutationSupport.Type { return support }
    let isFirst = hasReported.withLock { hasReported in
      defer { hasReported = true }
      return !hasReported
    }
    if isFirst {
      StandardError.write(
        "Mutants are wanted (\(variable)), but this test target doesn't link the product TrackingChecks: add it to its dependencies\n"
      )
    }
    return nil
  }
}
