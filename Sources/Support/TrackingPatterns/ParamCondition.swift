import TrackingModel

struct ParamCondition: Sendable {
  let path: ParamPath
  let value: ValueCondition

  /// Adds the differences of an event's param; for a missing param, looks for a similar name that no other condition names, unless `others` is
  /// `nil`.
  func look(
    at params: [TrackingParam: TrackingValue], among others: [ParamCondition]?, _ leniency: Leniency,
    into differences: inout Differences
  ) {
    let trace = path.trace(in: params)
    let instead =
      differences.purpose == .decide || trace.value != nil ? nil : self.instead(trace, in: params, among: others)
    differences.at(param: path.param) { differences in
      value.look(at: trace.value, instead: instead, leniency, into: &differences)
    }
  }

  func look(atContext context: [String: TrackingValue], _ leniency: Leniency, into differences: inout Differences) {
    let found = path.value(inMembers: context)
    let instead = differences.purpose == .decide || found != nil ? nil : members(of: context)
    differences.at(param: "context") { differences in
      differences.at(member: path.param.key) {
        value.look(at: found, instead: instead, leniency, into: &$0)
      }
    }
  }

  /// The members of the object at which the path ends.
  private func members(of context: [String: TrackingValue]) -> Difference.Instead {
    let params = Dictionary(uniqueKeysWithValues: context.map { (TrackingParam.custom(key: $0), $1) })
    guard let (path, value) = path.trace(in: params).deepest else {
      return .members(path: "context", context.keys.sorted())
    }
    guard case .object(let members) = value else { return .container(path: "context.\(path)", value) }
    return .members(path: "context.\(path)", members.keys.sorted())
  }

  private func instead(
    _ trace: ParamPath.Trace, in params: [TrackingParam: TrackingValue], among others: [ParamCondition]?
  ) -> Difference.Instead? {
    if let (path, value) = trace.deepest { return .container(path: path, value) }
    guard let others else { return nil }
    let named = Set(others.compactMap { $0.path.trace(in: params).param })
    return path.param.similar(in: params.filter { !named.contains($0.key) }).map { .misspelt($0.param, $0.value) }
  }
}

extension TrackingParam {
  func similar(in params: [TrackingParam: TrackingValue]) -> (param: TrackingParam, value: TrackingValue)? {
    params.sorted { $0.key < $1.key }
      .map { (param: $0.key, value: $0.value, share: EditDistance.share(ofNames: $0.key.key, key)) }
      .filter { $0.share <= EditDistance.misspelt }
      .min { $0.share < $1.share }
      .map { ($0.param, $0.value) }
  }
}

extension ParamCondition {
  /// Replaces all closures so that the condition holds for as many values as possible, or for as few as possible.
  func assuming(_ holds: Bool) -> ParamCondition { ParamCondition(path: path, value: value.assuming(holds)) }
}

extension ParamCondition: CustomStringConvertible {
  var description: String { "\(path.param): \(value)" }
}
