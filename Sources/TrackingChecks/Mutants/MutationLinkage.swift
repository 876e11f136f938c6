import TrackingModel
import TrackingRules
import TrackingVerifier

/// The class that a verifier looks up by name when mutants are asked for; see `MutationSupport`.
final class MutationLinkage: MutationSupport {
  static func nearest(of event: TrackingEvent) -> [TrackingEvent] { Mutant.nearest(of: event) }

  static func report(on test: AskedTest) -> MutationReport {
    var analysis = MutationAnalysis(of: test)
    return analysis.run()
  }
}
