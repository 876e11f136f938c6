import TrackingModel

/// What the value at a path of an event must be like.
struct ParamCondition: Sendable {
  let path: ParamPath
  let value: ValueCondition

  /// Adds what is different about the param of an event.
  ///
  /// In place of a missing param, one of nearly its name is looked for that no other condition asks for, unless these are not given.
  func look(
    at params: [TrackingParam: TrackingValue], among others: [ParamCondition]?, _ reading: Reading,
    into differences: inout Differences
  ) {
    let trace = path.trace(in: params)
    let instead =
      differences.purpose == .decide || trace.value != nil ? nil : self.instead(trace, in: params, among: others)
    differences.at(param: path.param) { differences in
      value.look(at: trace.value, instead: instead, reading, into: &differences)
    }
  }

  /// Adds what is different about a member of an event's context.
  func look(atContext context: [String: TrackingValue], _ reading: Reading, into differences: inout Differences) {
    differences.at(param: "context") { differences in
      differences.at(member: path.param.key) {
        value.look(at: path.value(inMembers: context), reading, into: &$0)
      }
    }
  }

  private func instead(
    _ trace: ParamPath.Trace, in params: [TrackingParam: TrackingValue], among others: [ParamCondition]?
  ) -> EventDifference.Instead? {
    if let (path, value) = trace.deepest { return .container(path: path, value) }
    guard let others else { return nil }
    let asked = Set(others.compactMap { $0.path.trace(in: params).param })
    return params.sorted { $0.key < $1.key }
      .map { (param: $0.key, value: $0.value, share: EditDistance.share(ofNames: $0.key.key, path.param.key)) }
      .filter { !asked.contains($0.param) && $0.share <= EditDistance.misspelt }
      .min { $0.share < $1.share }
      .map { .misspelt($0.param, $0.value) }
  }
}

extension ParamCondition: CustomStringConvertible {
  var description: String { "\(path.param): \(value)" }
}
