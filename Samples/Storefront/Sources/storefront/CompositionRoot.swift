import StorefrontKit
import TrackerDouble
import TrackingModel

/// The parts of the app, chosen once at launch; nothing else in the app knows which tracker it has.
///
/// One line chooses it, and that line is safe: `TrackerDouble(launchFolder:)` is `nil` only if no test handed anything over, to this process or to
/// another one of the app. A launch environment that is malformed, or whose server is gone, still gives a double, which says what it could not deliver.
/// So whatever goes wrong in a test, none of its events reaches the provider.
///
/// An app that ships keeps the double out of its release builds altogether: either with `#if DEBUG` around that line and the
/// import, or with a composition root for tests in a separate app target, the only one that links `TrackerDouble`.
struct CompositionRoot {
  let storefront: Storefront
  /// `nil` when the arguments ask for none.
  let agent: BeaconAgent?
  private let double: TrackerDouble?
  /// `nil` when the arguments name no SDK.
  private let analytics: AnalyticsTracker?

  /// - Throws: `MutationError` if the app can't be broken as its arguments ask for.
  init(environment: [String: String], arguments: [String]) throws(MutationError) {
    double = TrackerDouble(launchFolder: .group(in: environment))
    var tracker: any TrackerProtocol = double ?? LoggingTracker()
    analytics = AnalyticsTracker(arguments: arguments)
    if let analytics { tracker = analytics }
    if let mutation = try Mutation(arguments: arguments) {
      guard let endpoint = TrackingEndpoint(environment: environment) else { throw .notUnderTest(mutation) }
      tracker = MutatedTracker(mutation, of: tracker, endpoint: endpoint)
    }
    if let mutant = Mutant(arguments: arguments) { tracker = MutantTracker(mutant: mutant, tracker: tracker) }
    agent = BeaconAgent(arguments: arguments)
    let backend = Backend(environment: environment, arguments: arguments)
    storefront = Storefront(catalogue: backend.catalogue(observer: agent), tracker: tracker)
  }

  /// Waits at most two seconds until what was tracked has arrived; to be called before the process ends.
  func finish() async {
    await analytics?.finish()
    _ = double?.flush(timeout: 2)
  }
}
