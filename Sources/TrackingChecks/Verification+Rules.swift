// One import provides the verifier, the plan and these checks.
@_exported import TrackingPlan
@_exported import CommonRules
@_exported import TrackingVerifier

extension Verification {
  /// No event contains personal data: neither the test user's own data, in any common encoding, nor values and names that look personal.
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

  /// Every event is within the limits of a provider: `.limits(of: .firebase)`.
  public static func limits(of limits: ProviderLimits, ignoring patterns: [EntryPattern] = []) -> Verification {
    .following(limits, ignoring: patterns)
  }
}
