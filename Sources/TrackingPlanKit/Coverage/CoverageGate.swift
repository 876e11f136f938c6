import Foundation
import TrackingJSON
import TrackingModel
import TrackingPlan

/// The requirements for a run's coverage: minimum percentages, and everything that an earlier report covers.
package struct CoverageGate: Sendable {
  package enum Measure: String, CaseIterable, Sendable {
    case events, verified, params, values
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

  /// Returns the requirements that a run doesn't meet; empty if it meets all.
  package func failures(of coverage: Coverage) -> [String] {
    var failures: [String] = []
    for (measure, minimum) in minimums {
      let share = measure.share(of: coverage)
      if share.percent < minimum {
        failures.append("\(measure.rawValue): \(share.percent) % is below the minimum of \(minimum) %")
      }
    }
    guard let baseline else { return failures }
    // Items that were removed from the plan can't be lost.
    let lost = coverage.items.filter { !$0.isCovered && baseline.contains($0.name) }
    return failures + lost.map { "\($0.name) is covered in the baseline, but not in this run" }
  }
}

extension CoverageGate.Measure {
  fileprivate func share(of coverage: Coverage) -> Coverage.Share {
    switch self {
    case .events: coverage.arrived
    case .verified: coverage.verified
    case .params: coverage.params
    case .values: coverage.values
    }
  }
}
