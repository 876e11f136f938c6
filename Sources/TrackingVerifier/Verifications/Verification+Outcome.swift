import TrackingModel
import TrackingPatterns

extension Verification {
  /// What became of a question.
  public struct Outcome: Sendable {
    /// The events that answer the question, or that break it: in the order of the patterns where there are several, else of arrival.
    public let events: [TrackingEvent]
    /// What is wrong; `nil` when nothing is.
    public let failure: VerificationFailure?

    /// Whether all is as it was asked for.
    public var isVerified: Bool { failure == nil }
  }
}

extension Verification.Outcome: CustomStringConvertible {
  /// What is wrong, in words, or that nothing is.
  public var description: String { failure?.message ?? "verified" }
}
