import Foundation
import TrackingModel
import TrackingPatterns
import TrackingRules
import TrackingServer
import TrackingSockets

// The plan is a module of its own, which this one doesn't import: who has no plan doesn't compile it. What is known here is that a plan is a rule
// about events, and that a source can load it. The variables of the environment lead to it by the name of a class.

extension TrackingVerifier {
  /// What the tracking plan says about the events that were received so far, in the order of arrival; only events about which it says anything.
  ///
  /// Fails no test. Also deprecated and expired events are there. Empty if no plan is set, or if it can't be used.
  public var planFindings: [(event: TrackingEvent, findings: [PlanFinding])] {
    guard case .success(let plan?) = plan else { return [] }
    return events.map { ($0, plan.findings(in: $0)) }.filter { !$0.findings.isEmpty }
  }

  /// The plan of the configuration, else that of the environment; `nil` if there is none.
  var plan: Result<(any EventRule)?, PlanProblem> {
    do {
      if let source = configuration.plan { return .success(try source.load()) }
      guard let path = PlanEnvironment.plan else { return .success(nil) }
      guard let support = PlanEnvironment.support else {
        throw PlanProblem(
          description:
            "\(PlanEnvironment.planVariable) names \(path), but the test target doesn't link the product TrackingPlan: add it to the target's dependencies"
        )
      }
      return .success(try support.plan(at: path).load())
    } catch {
      return .failure(PlanProblem(description: "\(error)"))
    }
  }

  /// Why the plan can't be used, once a verifier.
  func planProblem(at location: CodeLocation) -> VerificationFailure? {
    guard case .failure(let problem) = plan else { return nil }
    let isFirst = state.withLock { state in
      defer { state.hasReportedPlan = true }
      return !state.hasReportedPlan
    }
    guard isFirst else { return nil }
    return VerificationFailure(
      kind: .unusablePlan, message: Excerpt.wrapped("The tracking plan can't be used: \(problem)."), location: location)
  }

  /// What was received since the beginning or a mark, for checks in other modules; empty for a mark of another server.
  package func timeline(since mark: Mark?) -> [TimelineStep] {
    guard let origin = origin(mark) else { return [] }
    return journal.entries(since: origin).compactMap { entry in
      switch entry {
      case .event(let recorded): .event(recorded.event)
      case .request(let recorded): .request(method: recorded.method, target: recorded.target)
      case .rejection: nil
      }
    }
  }

  /// Why a wait can't ask about the plan.
  func noPlan(at location: CodeLocation) -> VerificationFailure {
    let reason =
      if case .failure(let problem) = plan {
        "The tracking plan can't be used: \(problem)."
      } else {
        "There is no tracking plan to ask about: set the configuration's `plan`, or the variable \(PlanEnvironment.planVariable)."
      }
    return VerificationFailure(kind: .unusablePlan, message: Excerpt.wrapped(reason), location: location)
  }

  /// Writes down what was received since the last stop, for the coverage of a plan, where the environment asks for it.
  func observe(since mark: JournalMark) {
    guard let folder = PlanEnvironment.observations else { return }
    guard let support = PlanEnvironment.support else {
      PlanEnvironment.reportMissingSupport()
      return
    }
    let entries = journal.entries(since: mark).filter { $0.event != nil }
    let unmatched = Set(ledger.unmatched(Array(entries)).map(\.number))
    let events = entries.compactMap { entry in
      entry.event.map { (event: $0.event, isMatched: !unmatched.contains(entry.number)) }
    }
    support.observe(events, in: testName ?? "a test without a name", to: folder)
  }
}

/// An event or a request, for checks in other modules.
package enum TimelineStep {
  case event(TrackingEvent)
  case request(method: String, target: String)
}

/// Why there is no plan although one was asked for.
struct PlanProblem: Error, CustomStringConvertible {
  let description: String
}

/// What the environment says about plans.
enum PlanEnvironment {
  static let planVariable = "TRACKING_PLAN"
  static let observationsVariable = "TRACKING_OBSERVATIONS"

  static var plan: String? { value(of: planVariable) }
  static var observations: String? { value(of: observationsVariable) }

  private static func value(of name: String) -> String? {
    ProcessInfo.processInfo.environment[name].flatMap { $0.isEmpty ? nil : $0 }
  }

  /// The module TrackingPlan, if the process has it.
  static var support: (any PlanSupport.Type)? {
    NSClassFromString("TrackingPlan.EnvironmentPlanSupport") as? any PlanSupport.Type
  }

  private static let hasReported = Locked(false)

  static func reportMissingSupport() {
    let isFirst = hasReported.withLock { hasReported in
      defer { hasReported = true }
      return !hasReported
    }
    guard isFirst else { return }
    let text =
      "\(observationsVariable) is set, but the test target doesn't link the product TrackingPlan: no observations are recorded\n"
    StandardError.write(text)
  }
}
