import Foundation
import TrackingVerifier

/// The settings of a run of the suite.
package enum StorefrontRun {
  /// The mutation that breaks the app, so that the suite can prove that it notices; `nil` if the app isn't broken.
  package static let mutation = ProcessInfo.processInfo.environment["STOREFRONT_MUTATION"]
  /// The change of one event or param of the app, for the same reason; `nil` for none.
  package static let mutant = ProcessInfo.processInfo.environment["STOREFRONT_MUTANT"]
}

extension TrackingVerifier.Configuration {
  /// The suite's configuration; waits are short if the app is known to be broken.
  package static var storefront: Self {
    Self(timeout: StorefrontRun.mutation == nil && StorefrontRun.mutant == nil ? 5 : 1)
  }
}
