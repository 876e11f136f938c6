import Foundation
import TrackingJSON
import TrackingModel
import TrackingPlan

/// The requirements for a run's coverage: minimum percentages, and everything that an earlier report covers.
package struct CoverageGate: Sendable {
  package enum Measure: String, CaseIterable, Sendable {
    case events, verified, params, values, asked, pinned
  }

  private var minimums: [(measure: Measure, percent: Int)] = []
  private var baseline: Set<String>?

  package init() {}

  /// Adds a minimum such as `events=90`, or `90` for events.
  package mutating func add(minimum text: String) throws(UsageError) {
    let parts = text.split(separator: "=", maxSplits: 1).map(String.init)
    let name = parts.count == 2 ? parts[0] : Measure.events.rawValue
    guard let measure = Measure(rawValue: name) else {
      let names = Measure.allCases.map(\.rawValue)
      let nearest =
        EditDistance.nearest(to: name, among: names).map { "; the nearest is \"\($0)\"" }
        ?? "; expected one of \(names.joined(separator: ", "))"
      throw UsageError("--minimum: \"\(name)\" is not a measure\(nearest)")
    }
    guard let percent = parts.last.flatMap({ Int($0) }), 0...100 ~= percent else {
      throw UsageError("--minimum: \"\(parts.last ?? "")\" is not a percentage from 0 to 100")
    }
    minimums.append((measure, percent))
  }

  /// Reads the JSON report of an earlier run.
  package mutating func read(baseline path: String) throws(UsageError) {
    guard let data = FileManager.default.contents(atPath: path) else {
      throw UsageError("--baseline: \(path) can't be read; write it with --output \(path) in a passing run")
    }
    guard let report = try? JSONTree(data), let covered = report["covered"]?.elements else {
      throw UsageError("--baseline: \(path) is not a JSON report of `coverage`")
    }
    baseline = Set(covered.compactMap(\.string))
  }

  /// The figures of a run.
  package struct Figures {
    /// The shares of a plan; empty without one.
    package var shares: [Measure: Coverage.Share] = [:]
    package var noticed: NoticedChanges?
    /// Everything that can be covered.
    package var items: [(name: String, isCovered: Bool)] = []
  }

  /// Returns the requirements that a run doesn't meet; empty if it meets all.
  package func failures(of figures: Figures) -> [String] {
    var failures: [String] = []
    for (measure, minimum) in minimums {
      guard let share = measure.share(of: figures) else {
        failures.append("\(measure.rawValue): not known, because \(measure.missing)")
        continue
      }
      if share.percent < minimum {
        failures.append("\(measure.rawValue): \(share.percent) % is below the minimum of \(minimum) %")
      }
    }
    guard let baseline else { return failures }
    if figures.noticed == nil, baseline.contains(where: { $0.hasPrefix("pinned ") }) {
      failures.append("the baseline has pinned params, and \(Measure.pinned.missing)")
    }
    // Items that were removed from the plan can't be lost.
    let lost = figures.items.filter { !$0.isCovered && baseline.contains($0.name) }
    return failures + lost.map { "\($0.name) is covered in the baseline, but not in this run" }
  }
}

extension CoverageGate.Measure {
  /// The measure's share; `nil` if the run has none.
  fileprivate func share(of figures: CoverageGate.Figures) -> Coverage.Share? {
    switch self {
    case .events, .verified, .params, .values: figures.shares[self]
    case .asked: figures.noticed?.asked
    case .pinned: figures.noticed?.pinned
    }
  }

  /// The reason why a run has no share.
  fileprivate var missing: String {
    switch self {
    case .events, .verified, .params, .values: "there is no --plan to measure by"
    case .asked, .pinned: "no test was run with TRACKING_MUTATIONS=1 (xcodebuild: TEST_RUNNER_TRACKING_MUTATIONS=1)"
    }
  }
}

extension Coverage {
  /// The figures that requirements are about.
  package var figures: CoverageGate.Figures {
    CoverageGate.Figures(
      shares: [.events: arrived, .verified: verified, .params: params, .values: values], noticed: noticed, items: items)
  }
}
