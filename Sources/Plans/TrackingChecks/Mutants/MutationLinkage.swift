import TrackingServer
import TrackingVerifier

/// The class that a verifier looks up by name when mutants are asked for; see `MutationSupport`.
final class MutationLinkage: MutationSupport {
  static func makeLog(of journal: Journal, runsClosures: Bool) -> any QuestionLog {
    KeptQuestions(of: journal, runsClosures: runsClosures)
  }
}
