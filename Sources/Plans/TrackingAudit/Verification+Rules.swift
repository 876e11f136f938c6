// One import provides the verifier, the plan and these checks.
@_exported import TrackingPlan
@_exported import TrackingVerifier

extension Verification {
  /// Every event follows a rule that you write.
  public static func following(_ rule: any EventRule, ignoring patterns: [EntryPattern] = []) -> Verification {
    .rule(rule, ignoring: patterns)
  }

  /// No event contains personal data: neither the test user's own data, in any common encoding, nor values and names that look personal.
  ///
  /// ```swift
  /// verifier.wait(for: .noPersonalData(of: [anna.email, anna.name]))
  /// configuration.checksAtStop += [.noPersonalData(of: [anna.email], allowing: ["email_hash"])]
  /// ```
  ///
  /// Params of the names in `allowing` may hold anything.
  public static func noPersonalData(
    of texts: [String] = [], detecting detectors: PersonalData.Detectors = .all, allowing params: [TrackingParam] = [],
    ignoring patterns: [EntryPattern] = []
  ) -> Verification {
    .rule(PersonalData(of: texts, detecting: detectors, allowing: params), ignoring: patterns)
  }

  /// Every event is within the limits of a provider: `.limits(of: .firebase)`.
  public static func limits(of limits: ProviderLimits, ignoring patterns: [EntryPattern] = []) -> Verification {
    .rule(limits, ignoring: patterns)
  }
}

extension TrackingVerifier {
  /// The received events about which the tracking plan has findings, in the order of arrival.
  ///
  /// Fails no test, and includes deprecated and expired events. Empty if no plan is set, or if it can't be used.
  public var planFindings: [EventFindings] {
    guard let plan = usablePlan else { return [] }
    return events.map { EventFindings(event: $0, findings: plan.findings(in: $0)) }.filter { !$0.findings.isEmpty }
  }

  /// An event and what the tracking plan says about it.
  public struct EventFindings: Sendable {
    /// The event.
    public let event: TrackingEvent
    /// The findings, at least one.
    public let findings: [PlanFinding]
  }
}
