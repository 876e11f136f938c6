import TrackingPlan
import TrackingJSON
import TrackingModel
import TrackingRules

/// Checks a plan as a whole, where a test checks only the events that it receives.
struct PlanCheck {
  private let plan: TrackingPlan
  private let limits: [ProviderLimits]

  init(plan: TrackingPlan, limits: [ProviderLimits] = []) {
    self.plan = plan
    self.limits = limits
  }

  /// Returns the plan's mistakes, in the order of the plan.
  func problems() -> [PlanError] {
    var found: [PlanError] = []
    if plan.events.isEmpty {
      found.append(PlanError(file: plan.files.name, reason: "contains no events, so nothing was checked"))
    }
    for event in plan.events {
      found += problems(of: event)
      var check = SchemaCheck(plan: plan, event: event)
      check.look(at: event.schema, path: event.path)
      found += check.problems
      // The check above has found what has no effect.
      switch plan.compiled(event.schema, of: event, refusesIneffective: false) {
      case .failure(let error): found.append(error)
      case .success(let schema): found += examples(of: event, schema)
      }
      for limits in limits {
        found += limits.problems(ofName: event.name, params: event.params.map(\.name)).map {
          PlanError(at: event.place, path: event.path, $0)
        }
      }
    }
    var check = SchemaCheck(plan: plan, event: nil)
    for type in plan.types { check.look(at: type.value, path: "types.\(type.key)") }
    found += check.problems
    do throws(PlanError) {
      let configuration = try plan.files.url.map { url throws(PlanError) in try GeneratorConfiguration.beside(url) }
      found += SwiftGenerator(plan: plan, configuration: configuration ?? GeneratorConfiguration()).problems
    } catch {
      found.append(error)
    }
    return found
  }

  private func problems(of event: PlannedEvent) -> [PlanError] {
    // A plan may keep deprecated events for the apps that still send them.
    var problems = event.findings.filter { $0.kind != .deprecated }.map {
      PlanError(at: event.place, path: event.path, $0.reason)
    }
    if event.isDraft {
      problems.append(PlanError(at: event.place, path: event.path, "is a draft; review it and remove `draft`"))
    }
    return problems
  }

  /// Returns the examples that are invalid and the counterexamples that are valid.
  private func examples(of event: PlannedEvent, _ schema: JSONSchema) -> [PlanError] {
    var problems: [PlanError] = []
    for (index, example) in event.examples.enumerated() {
      for finding in plan.findings(in: event.name, params: example) where finding.isFailure {
        problems.append(plan.files.error(at: example, path: "events.\(event.name).examples[\(index)]", "\(finding)"))
      }
    }
    for (index, example) in event.counterexamples.enumerated() where schema.isValid(example.value) {
      problems.append(
        plan.files.error(
          at: example, path: "events.\(event.name).counterexamples[\(index)]", "is valid, expected an invalid one"))
    }
    return problems
  }
}

extension TrackingPlan {
  fileprivate func findings(in name: String, params: JSONTree) -> [PlanFinding] {
    guard case .object(let members) = params.value else {
      return [
        PlanFinding(kind: .mismatch(keyword: "type"), reason: "an example must be an object, found \(params.kind)")
      ]
    }
    let params = [TrackingParam: TrackingValue](members.map { (.custom(key: $0), $1) }) { first, _ in first }
    return findings(in: TrackingEvent(name: name, params: params)).filter { $0.kind != .unusable }
  }
}
