import TrackingModel

/// What the value at a path must be like.
struct ParamCondition: Sendable {
  let path: ParamPath
  let value: ValueCondition

  init(_ param: TrackingParam, _ value: ValueCondition) {
    path = ParamPath(param)
    self.value = value
  }

  /// Conditions in the order of their params, so that a text about them is the same on every run.
  static func sorted(_ params: [TrackingParam: ValueMatcher]) -> [ParamCondition] {
    params.sorted { $0.key < $1.key }.map { ParamCondition($0.key, $0.value.condition) }
  }

  /// Adds what is different about the param of an event of which `others` ask for further params.
  func look(
    at params: [TrackingParam: TrackingValue], among others: [ParamCondition], _ reading: Reading,
    into differences: inout Differences
  ) {
    let trace = path.trace(in: params)
    let instead =
      differences.purpose == .decide || trace.value != nil ? nil : self.instead(trace, in: params, among: others)
    differences.at(param: path.param) { differences in
      value.look(at: trace.value, instead: instead, reading, into: &differences)
    }
  }

  /// Adds what is different about the member of an object.
  func look(atMembers members: [String: TrackingValue], _ reading: Reading, into differences: inout Differences) {
    let trace = path.trace(inMembers: members)
    differences.at(member: path.param.key) { differences in
      value.look(at: trace.value, reading, into: &differences)
    }
  }

  private func instead(
    _ trace: ParamPath.Trace, in params: [TrackingParam: TrackingValue], among others: [ParamCondition]
  ) -> EventDifference.Instead? {
    if let (path, value) = trace.deepest { return .container(path: path, value) }
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
