// One import brings the verifier, the plan and these checks.
@_exported import TrackingPlan
@_exported import TrackingVerifier

extension Verification {
  /// No event holds personal data: neither the texts that the test knows of its user, in any form in which they travel, nor what is personal by
  /// its form or its name.
  ///
  /// ```swift
  /// verifier.wait(for: .noPersonalData(of: [anna.email, anna.name]))
  /// configuration.checksAtStop += [.noPersonalData(of: [anna.email], allowing: ["email_hash"])]
  /// ```
  ///
  /// Params of the names in `allowing` may hold anything.
  public static func noPersonalData(
    of texts: [String] = [], detecting detectors: PersonalData.Detectors = .all, allowing params: [String] = [],
    ignoring patterns: [EntryPattern] = []
  ) -> Verification {
    .following(PersonalData(of: texts, detecting: detectors, allowing: params), ignoring: patterns)
  }

  /// Every event keeps within what a provider accepts: `.limits(of: .firebase)`.
  public static func limits(of limits: ProviderLimits, ignoring patterns: [EntryPattern] = []) -> Verification {
    .following(limits, ignoring: patterns)
  }
}
