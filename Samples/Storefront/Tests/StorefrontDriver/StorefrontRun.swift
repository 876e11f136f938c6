import Foundation
import TrackingVerifier

/// How the suite is run.
package enum StorefrontRun {
  /// In which way the app is broken, so that the suite can prove that it notices; `nil` when it is not.
  package static let mutation = ProcessInfo.processInfo.environment["STOREFRONT_MUTATION"]
  /// The change of one event or param of the app, for the same reason; `nil` for none.
  package static let mutant = ProcessInfo.processInfo.environment["STOREFRONT_MUTANT"]
}

extension TrackingVerifier.Configuration {
  /// The suite's own: nobody waits long for an app that is known to be broken.
  package static var storefront: Self {
    Self(timeout: StorefrontRun.mutation == nil && StorefrontRun.mutant == nil ? 5 : 1)
  }
}
