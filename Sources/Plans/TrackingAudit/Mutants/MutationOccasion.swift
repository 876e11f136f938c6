import TrackingModel
import TrackingServer
import TrackingVerifier

/// The occasions at which the questions of a passed test are asked again, of mutants of what it received.
///
/// A mutant is the timeline with one change, such as another value of a param. The changes that no question notices are in the observations that
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
  /// Never, also if the environment asks for it.
  public static let never = Self(occasion: .never)

  /// The same occasions without running closures of the test again, for closures that count their calls or change something.
  ///
  /// A question with a closure isn't asked again then, and mutants that only it could notice are counted as not tried.
  public func withoutClosures() -> Self { Self(occasion: occasion, runsClosures: false) }
}

extension MutationOccasion: MutationDecision {
  package func makeLog(of journal: Journal) -> (any QuestionLog)? {
    let isWanted =
      switch occasion {
      case .onRequest: TestVariable.mutations.isOn
      case .always: true
      case .never: false
      }
    return isWanted ? KeptQuestions(of: journal, runsClosures: runsClosures) : nil
  }
}

extension TrackingVerifier.Configuration {
  /// The occasions at which the test's questions are asked again of mutants of its timeline: by default, if the environment asks for it.
  public var mutations: MutationOccasion {
    get { mutationDecision as? MutationOccasion ?? .onRequest }
    set { mutationDecision = newValue }
  }
}
