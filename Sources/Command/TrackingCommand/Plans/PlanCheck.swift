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
    if plan.content.entries.isEmpty {
      found.append(PlanError(file: plan.files.name, reason: "contains no events, so nothing was checked"))
    }
    for event in plan.events {
      found += problems(of: event)
      var check = SchemaCheck(plan: plan, entry: event.entry)
      check.look(at: event.entry.params, path: event.entry.path)
      found += check.problems
      // The check above has found what has no effect.
      switch plan.compiled(event.entry.params, of: event.entry, refusesIneffective: false) {
      case .failure(let error): found.append(error)
      case .success(let schema): found += examples(of: event, schema)
      }
      for limits in limits {
        found += limits.problems(ofName: event.name, params: event.params.map(\.name)).map {
          PlanError(at: event.place, path: event.entry.path, $0)
        }
      }
    }
    var check = SchemaCheck(plan: plan, entry: nil)
    for type in plan.content.types { check.look(at: type.value, path: "types.\(type.key)") }
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
    var problems: [PlanError] = []
    let path = event.entry.path
    if let day = event.entry.expires, PlanDay.today > day {
      problems.append(PlanError(at: event.place, path: path, "the event expired on \(day)"))
    }
    if event.entry.isDraft {
      problems.append(PlanError(at: event.place, path: path, "is a draft; review it and remove `draft`"))
    }
    return problems
  }

  /// Returns the examples that are invalid and the counterexamples that are valid.
  private func examples(of event: PlannedEvent, _ schema: JSONSchema) -> [PlanError] {
    var problems: [PlanError] = []
    for (index, example) in event.entry.examples.enumerated() {
      for finding in plan.findings(in: event.name, params: example) where finding.isFailure {
        problems.append(plan.files.error(at: example, path: "events.\(event.name).examples[\(index)]", "\(finding)"))
      }
    }
    for (index, example) in event.entry.counterexamples.enumerated() where schema.isValid(example.value) {
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
