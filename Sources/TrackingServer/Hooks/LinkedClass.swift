import Foundation
import TrackingModel

/// A class found by its name, in a module that the process may not link.
///
/// Importing the module would make each target compile it. Xcode and SwiftPM link a package's module whole; Bazel does so with `alwayslink`.
package final class LinkedClass<Link: Sendable>: Sendable {
  /// The class; `nil` if the process doesn't have its module.
  package let type: Link?
  private let product: String
  /// Whether a class of this name conforms to the protocol of another copy of this package.
  private let isLinkedTwice: Bool
  private let isReported = Locked(false)

  /// - Parameter name: The class with its module, which has the name of its product: `TrackingPlan.EnvironmentPlanSupport`.
  package init(_ name: String) {
    let found: AnyClass? = NSClassFromString(name)
    type = found as? Link
    isLinkedTwice = found != nil && type == nil
    product = String(name.prefix { $0 != "." })
  }

  /// A sentence about the missing module: `a plan is set, but this test target doesn't link the product TrackingPlan: add it to its dependencies`.
  package func missing(_ wish: String) -> String {
    isLinkedTwice
      ? "\(wish), but the product \(product) is linked twice: the app that hosts the tests has a copy, too, which they can't use; link it to one of them"
      : "\(wish), but this test target doesn't link the product \(product): add it to its dependencies"
  }

  /// Returns the class, or `nil` after a message on standard error, which is written once per process.
  package func required(for wish: @autoclosure () -> String) -> Link? {
    if type == nil, !isReported.withLock({ exchange(&$0, with: true) }) {
      StandardError.write(missing(wish()) + "\n")
    }
    return type
  }
}
