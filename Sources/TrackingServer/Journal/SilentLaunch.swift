/// A double that was created in an app and has sent no event.
package struct SilentLaunch: Hashable, Sendable {
  package let launch: String
  package let hello: ContinuousClock.Instant
  /// The time at which the app closed its connection; `nil` while it is open.
  package let closed: ContinuousClock.Instant?
}
