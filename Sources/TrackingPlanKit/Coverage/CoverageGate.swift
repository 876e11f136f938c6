import Foundation
import TrackingModel
import TrackingPlan

/// What a run must reach: minimums in percent, and all that an earlier report had covered.
package struct CoverageGate: Sendable {
  package enum Measure: String, CaseIterable, Sendable {
    case events, verified, params, values
  }

  private var minimums: [(measure: Measure, percent: Int)] = []
  private var baseline: Set<String>?

  package init() {}

  /// Adds `events=90`, or `90` for events.
  package mutating func add(minimum text: String) throws(UsageError) {
    let parts = text.split(separator: "=", maxSplits: 1).map(String.init)
    let name = parts.count == 2 ? parts[0] : Measure.events.rawValue
    guard let measure = Measure(rawValue: name) else {
      let names = Measure.allCases.map(\.rawValue)
      let nearest =
        NearestName.of(name, among: names).map { "; the nearest is \"\($0)\"" }
        ?? "; expected one of \(names.joined(separator: ", "))"
      throw UsageError("--minimum: \"\(name)\" can't be measured\(nearest)")
    }
    guard let percent = parts.last.flatMap({ Int($0) }), 0...100 ~= percent else {
      throw UsageError("--minimum: \"\(parts.last ?? "")\" is not a percentage from 0 to 100")
    }
    minimums.append((measure, percent))
  }

  /// Reads a JSON report of an earlier run.
  package mutating func read(baseline path: String) throws(UsageError) {
    guard let data = FileManager.default.contents(atPath: path) else {
      throw UsageError("--baseline: \(path) can't be read; write it with --json \(path) in a run that is good")
    }
    guard let report = try? PlanNode(parsing: [UInt8](data)), let covered = report["covered"]?.elements else {
      throw UsageError("--baseline: \(path) is not a JSON report of `tracking-plan coverage`")
    }
    baseline = Set(covered.compactMap(\.string))
  }

  /// Why a run isn't good enough; empty if it is.
  package func failures(of coverage: Coverage) -> [String] {
    var failures: [String] = []
    for (measure, minimum) in minimums {
      let share = measure.share(of: coverage)
      if share.percent < minimum {
        failures.append("\(measure.rawValue) \(share.percent) % are below the minimum of \(minimum) %")
      }
    }
    guard let baseline else { return failures }
    // What has left the plan is not among the items and can't be lost.
    let lost = coverage.items.filter { !$0.isCovered && baseline.contains($0.name) }
    return failures + lost.map { "\($0.name) was covered by the baseline and no longer is" }
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

/// A command line that can't be understood.
package struct UsageError: Error, CustomStringConvertible {
  package let description: String

  package init(_ description: String) {
    self.description = description
  }
}
