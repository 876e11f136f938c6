import TrackingModel
import TrackingServer
import TrackingVerifier

/// The occasions at which the checks of a passed test are repeated on mutants of what it received.
///
/// A mutant is the timeline with one change, such as another value of a param. The changes that no check notices are in the observations that
/// `TRACKING_OBSERVATIONS` (`xcodebuild`: `TEST_RUNNER_TRACKING_OBSERVATIONS`) names, in `session.json` and on the inspector's page.
public struct MutationOccasion: Hashable, Sendable {
  private enum Occasion {
    case onRequest, always, never
  }

  private let occasion: Occasion
  private var runsClosures = true

  /// With `TRACKING_MUTATIONS=1` in the environment (`xcodebuild`: `TEST_RUNNER_TRACKING_MUTATIONS=1`).
  public static let onRequest = Self(occasion: .onRequest)
  /// At each stop.
  public static let always = Self(occasion: .always)
  /// Never, even if the environment requests it.
  public static let never = Self(occasion: .never)

  /// The same occasions without running closures of the test again, for closures that count their calls or change something.
  ///
  /// A check with a closure isn't repeated then, and mutants that only it could notice are counted as not tried.
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
  /// The occasions at which the test's checks are repeated on mutants of its timeline: by default, if the environment requests it.
  public var mutations: MutationOccasion {
    get { mutationDecision as? MutationOccasion ?? .onRequest }
    set { mutationDecision = newValue }
  }
}
