// One import provides the verifier, the plan and these checks.
@_exported import TrackingPlan
@_exported import TrackingVerifier

extension TrackingCheck<CheckOutcome> {
  /// Passes if every event follows a custom rule.
  public static func following(_ rule: any EventRule, ignoring patterns: [EntryPattern] = []) -> TrackingCheck<
    CheckOutcome
  > {
    .rule(rule, ignoring: patterns)
  }

  /// Passes if no event contains personal data: neither the test user's own data, in any common encoding, nor values and names that look personal.
  ///
  /// ```swift
  /// verifier.wait(for: .noPersonalData(of: [anna.email, anna.name]))
  /// configuration.checksAtStop += [.noPersonalData(of: [anna.email], allowing: ["email_hash"])]
  /// ```
  ///
  /// Params named in `allowing` may contain anything.
  public static func noPersonalData(
    of texts: [String] = [], detecting detectors: PersonalData.Detectors = .all, allowing params: [TrackingParam] = [],
    ignoring patterns: [EntryPattern] = []
  ) -> TrackingCheck<CheckOutcome> {
    .rule(PersonalData(of: texts, detecting: detectors, allowing: params), ignoring: patterns)
  }

  /// Passes if every event is within the limits of a provider: `.limits(of: .firebase)`.
  public static func limits(of limits: ProviderLimits, ignoring patterns: [EntryPattern] = []) -> TrackingCheck<
    CheckOutcome
  > {
    .rule(limits, ignoring: patterns)
  }
}
