import TrackingModel
import TrackingServer
import TrackingVerifier

/// Controls mutation analysis, which finds changes to the received events that a passed test wouldn't notice.
///
/// When the test ends, its checks are repeated on mutants: copies of the timeline with one change each, such as another value of a param. Changes
/// that no check notices are reported in the observations file (`TRACKING_OBSERVATIONS`; `xcodebuild`: `TEST_RUNNER_TRACKING_OBSERVATIONS`), in
/// `session.json` and on the inspector's page. They fail no test.
public struct MutationOccasion: Hashable, Sendable {
  private enum Occasion {
    case onRequest, always, never
  }

  private let occasion: Occasion
  private var runsClosures = true

  /// Runs the analysis if the environment has `TRACKING_MUTATIONS=1` (`xcodebuild`: `TEST_RUNNER_TRACKING_MUTATIONS=1`).
  public static let onRequest = Self(occasion: .onRequest)
  /// Runs the analysis each time a verifier stops.
  public static let always = Self(occasion: .always)
  /// Never runs the analysis, even if the environment requests it.
  public static let never = Self(occasion: .never)

  /// Returns a copy that doesn't run closures of the test again, for closures that count their calls or have other side effects.
  ///
  /// Checks with closures aren't repeated, and mutants that only they could notice count as not tried.
  public func withoutClosures() -> Self { Self(occasion: occasion, runsClosures: false) }
}

extension MutationOccasion: MutationDecision {
  package func makeLog(of journal: TrackingJournal) -> (any CheckLog)? {
    let isWanted =
      switch occasion {
      case .onRequest: TestVariable.mutations.isOn
      case .always: true
      case .never: false
      }
    return isWanted ? KeptChecks(of: journal, runsClosures: runsClosures) : nil
  }
}

extension TrackingVerifier.Configuration {
  /// Controls mutation analysis, which finds changes that the test wouldn't notice; ``MutationOccasion/onRequest`` by default.
  public var mutations: MutationOccasion {
    get { mutationDecision as? MutationOccasion ?? .onRequest }
    set { mutationDecision = newValue }
  }
}
