import TrackingModel

extension EventPattern {
  /// The parts of an event that the pattern looks at, in words that can follow "waits for the event": `by name and "currency"`.
  package var assertion: String { condition.assertion }
}

extension EventCondition {
  fileprivate var assertion: String {
    switch self {
    case .equal: "as a whole"
    case .event(let name, let params): Self.assertion(name, params)
    case .typed(let schema): "as \(schema.typeName)\(schema.condition == nil ? "" : " and by a closure")"
    case .satisfying: "by a closure"
    case .context: "by its context"
    case .process(let name, _): "from the process \"\(name)\""
    case .both(let left, let right): "\(left.assertion) and \(right.assertion)"
    case .either(let left, let right): "\(left.assertion) or \(right.assertion)"
    case .not: "by what it isn't"
    case .closed(let condition): "\(condition.assertion) and no other params"
    case .lenient(let condition): condition.assertion
    }
  }

  private static func assertion(_ name: String?, _ params: [ParamCondition]) -> String {
    let names = (name == nil ? [] : ["name"]) + params.map { "\"\($0.path.param.key)\"" }
    guard let last = names.last else { return "by nothing" }
    return "by " + (names.count == 1 ? last : "\(names.dropLast().joined(separator: ", ")) and \(last)")
  }
}
