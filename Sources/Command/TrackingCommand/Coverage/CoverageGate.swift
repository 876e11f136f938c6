import Foundation
import TrackingJSON
import TrackingModel
import TrackingPlan
import TrackingChecks

/// The requirements for a run's coverage: minimum percentages, and everything that an earlier report covers.
struct CoverageGate: Sendable {
  enum Measure: String, CaseIterable, Sendable {
    case events, matched, params, values, checked, pinned
  }

  /// The reason that the changes that tests would notice aren't known.
  static let noMutants = "no test was run with TRACKING_MUTATIONS=1 (xcodebuild: TEST_RUNNER_TRACKING_MUTATIONS=1)"

  private var minimums: [(measure: Measure, percent: Int)] = []
  private var baseline: Set<TextKey>?
  /// The lines of the app that tracked the baseline's events, by name.
  private var callSites: [TextKey: Set<CallSite>] = [:]

  init() {}

  /// Adds a minimum such as `events=90`, or `90` for events.
  mutating func add(minimum text: String) throws(UsageError) {
    let parts = text.split(separator: "=", maxSplits: 1).map(String.init)
    let name = parts.count == 2 ? parts[0] : Measure.events.rawValue
    guard let measure = Measure(rawValue: name) else {
      throw UsageError(
        "--minimum: \"\(name)\" is not a measure"
          + EditDistance.hint(for: name, among: Measure.allCases.map(\.rawValue), quote: "\""))
    }
    guard let percent = parts.last.flatMap({ Int($0) }), 0...100 ~= percent else {
      throw UsageError("--minimum: \"\(parts.last ?? "")\" is not a percentage from 0 to 100")
    }
    minimums.append((measure, percent))
  }

  mutating func read(baseline path: String) throws(UsageError) {
    guard let data = FileManager.default.contents(atPath: path) else {
      throw UsageError("--baseline: \(path) can't be read; write it with --output \(path) in a passing run")
    }
    guard let report = try? JSONTree(data), let covered = report["covered"]?.elements else {
      throw UsageError("--baseline: \(path) is not a JSON report of `coverage`")
    }
    baseline = Set(covered.compactMap(\.string).map(TextKey.init))
    for event in report["events"]?.elements ?? [] {
      guard let name = event["name"]?.string else { continue }
      callSites["event \(name)"] = Set(event["at"]?.elements?.compactMap(\.string).compactMap(CallSite.init) ?? [])
    }
  }

  struct Figures {
    /// The shares of a plan; empty without one.
    var shares: [Measure: CoverageShare] = [:]
    var noticed: NoticedChanges?
    /// Everything that can be covered.
    var items: [CoverageItem] = []
  }

  /// The requirements that a run doesn't meet.
  func failures(of figures: Figures) -> [String] {
    var failures: [String] = []
    for (measure, minimum) in minimums {
      guard let share = measure.share(of: figures) else {
        failures.append("\(measure.rawValue): not known, because \(measure.missing(in: figures))")
        continue
      }
      if share.percent < minimum {
        let unknown = share.unknown > 0 ? "; \(share.unknown) of \(share.all) aren't known" : ""
        failures.append("\(measure.rawValue): \(share.percent) % is below the minimum of \(minimum) %\(unknown)")
      }
    }
    guard let baseline else { return failures }
    if figures.noticed == nil, baseline.contains(where: { $0.text.hasPrefix("pinned ") }) {
      failures.append("the baseline has pinned params, and \(Self.noMutants)")
    }
    // Items that were removed from the plan can't be lost.
    let lost = figures.items.filter { !$0.isCovered && baseline.contains(TextKey($0.name)) }
    let names = CallSiteNames(of: callSites.values.lazy.flatMap(\.self))
    return failures
      + lost.map { item in
        let sites: ReportText = names.text(of: callSites[item.name] ?? [])
        let state = item.isKnown ? "not in this run" : "whether it is in this run isn't known"
        return "\(item.name) is covered in the baseline, but \(state)\(sites.plain)"
      }
  }
}

extension CoverageGate.Measure {
  /// The measure's share; `nil` if the run has none, or if there is nothing to cover, such as values in a plan without values.
  fileprivate func share(of figures: CoverageGate.Figures) -> CoverageShare? {
    switch self {
    case .events, .matched: figures.shares[self]?.unlessEmpty
    case .params, .values: figures.shares[self]
    case .checked: figures.noticed?.checked.unlessEmpty
    case .pinned: figures.noticed?.pinned.unlessEmpty
    }
  }

  /// The reason that a run has no share.
  fileprivate func missing(in figures: CoverageGate.Figures) -> String {
    switch self {
    case .events, .matched, .params, .values:
      figures.shares.isEmpty ? "there is no --plan to measure by" : "the plan has no events that count"
    case .checked:
      NoticedChanges.reasonForNone(figures.noticed) ?? "no event arrived in a test that was run with mutants"
    case .pinned:
      NoticedChanges.reasonForNone(figures.noticed)
        ?? "no changes of a param were tried, or `require` returned all params"
    }
  }
}

extension CoverageShare {
  fileprivate var unlessEmpty: CoverageShare? { all == 0 ? nil : self }
}

extension NoticedChanges {
  /// The reason that no test's mutants are known; `nil` if any test's are.
  static func reasonForNone(_ noticed: NoticedChanges?) -> String? {
    guard let noticed else { return CoverageGate.noMutants }
    guard noticed.areAllLeftOut else { return nil }
    let tests = noticed.leftOut.sorted { $0.key < $1.key }.map { "\($0) (\($1))" }
    return "all tests that were run with mutants were left out: \(tests.joined(separator: ", "))"
  }
}

extension Coverage {
  var figures: CoverageGate.Figures {
    CoverageGate.Figures(
      shares: [.events: arrived, .matched: matched, .params: params, .values: values], noticed: noticed, items: items)
  }
}
