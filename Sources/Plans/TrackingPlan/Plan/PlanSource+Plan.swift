import Foundation
import TrackingModel
import TrackingRules

extension PlanSource {
  /// Returns a plan among a bundle's resources: `.bundle(.module, "tracking-plan.json")`.
  ///
  /// With `isStrict`, deprecated and expired events fail the test, too.
  public static func bundle(
    _ bundle: Bundle, _ name: String, format: PlanFormat? = nil, source: String? = nil,
    allowsUnplannedParams: Bool = false, isStrict: Bool = false
  ) -> PlanSource {
    let url = bundle.url(forResource: name, withExtension: nil) ?? bundle.bundleURL.appendingPathComponent(name)
    return file(url, format: format, source: source, allowsUnplannedParams: allowsUnplannedParams, isStrict: isStrict)
  }

  /// Returns a plan in a file or a folder.
  ///
  /// With `isStrict`, deprecated and expired events fail the test, too.
  public static func file(
    _ url: URL, format: PlanFormat? = nil, source: String? = nil,
    allowsUnplannedParams: Bool = false, isStrict: Bool = false
  ) -> PlanSource {
    PlanSource {
      let plan = try PlanCache.plan(
        .init(path: url.path, format: format, source: source, allowsUnplannedParams: allowsUnplannedParams))
      return isStrict ? StrictRule(rule: plan) : plan
    }
  }

  /// Returns a plan that the test has already read.
  public static func plan(_ plan: TrackingPlan) -> PlanSource {
    PlanSource { plan }
  }
}

/// A rule whose findings all fail the test, even those that would only be reported.
private struct StrictRule: OutlinedRule {
  let rule: TrackingPlan
  var expectation: String { rule.expectation }
  var identity: PlanIdentity { rule.identity }
  var outline: TrackingValue { rule.outline }

  func findings(in event: TrackingEvent) -> [PlanFinding] {
    rule.findings(in: event).map { finding in
      PlanFinding(
        kind: finding.kind, path: finding.path, value: finding.value, reason: finding.reason, place: finding.place,
        isFailure: true)
    }
  }
}

/// The plans that this process has read, which hundreds of tests share.
private enum PlanCache {
  struct Key: Hashable {
    let path: String
    let format: PlanFormat?
    let source: String?
    let allowsUnplannedParams: Bool
  }

  private static let known = Locked([Key: Result<TrackingPlan, PlanError>]())

  static func plan(_ key: Key) throws(PlanError) -> TrackingPlan {
    let result = known.withLock { known in
      if let result = known[key] { return result }
      let result = Result { () throws(PlanError) in
        try TrackingPlan(
          contentsOf: URL(fileURLWithPath: key.path), format: key.format, source: key.source,
          allowsUnplannedParams: key.allowsUnplannedParams)
      }
      known[key] = result
      return result
    }
    return try result.get()
  }
}

/// The class that a verifier finds by name when the environment requests a plan; see `PlanSupport`.
package final class EnvironmentPlanSupport: PlanSupport {
  package static func plan(at path: String) -> PlanSource {
    .file(URL(fileURLWithPath: path))
  }

  package static func observe(_ test: ObservedTest, to folder: String?) -> String {
    let collector = ObservationCollector()
    for (event, isMatched) in test.events { collector.add(event, isMatched: isMatched) }
    var observation = collector.observation(id: ObservationFolder.nextID(), test: test.name)
    observation.attempt = test.attempt
    observation.hasFailed = test.hasFailed
    observation.plan = test.plan
    observation.mutants = test.mutants.flatMap { MutationReport($0) }
    observation.run = ObservationFolder.run
    observation.time = Int(Date().timeIntervalSince1970 * 1_000)
    if let folder { ObservationFolder(URL(fileURLWithPath: folder)).appendOrReport(observation) }
    return String(decoding: observation.line, as: UTF8.self)
  }
}
