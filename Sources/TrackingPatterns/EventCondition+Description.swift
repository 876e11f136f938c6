extension EventCondition: CustomStringConvertible {
  /// What is asked for, in words that may follow "waited for".
  var description: String {
    switch self {
    case .equal(let event): return "\(event)"
    case .event(let name, let params):
      let event = name.map { "an event named \"\($0)\"" } ?? (params.isEmpty ? "any event" : "an event")
      return params.isEmpty ? event : "\(event) with \(params.map(\.description).joined(separator: ", "))"
    case .schema(let schema): return "\(schema)"
    case .satisfying(let description, _): return "an event with \(description)"
    case .context(let conditions): return "an event with \(conditions.map { "context.\($0)" }.joined(separator: ", "))"
    case .both(let left, let right): return "\(left.operand(in: self)) and \(right.operand(in: self))"
    case .either(let left, let right): return "\(left.operand(in: self)) or \(right.operand(in: self))"
    case .not(let condition): return "anything but \(condition.operand(in: self))"
    case .closed(let condition): return "\(condition.operand(in: self)) and no other params"
    case .lenient(let condition): return "\(condition.operand(in: self)), numbers and texts alike"
    }
  }

  /// As part of a longer text: in parentheses where it would run into the rest.
  private func operand(in outer: EventCondition) -> String {
    switch (self, outer) {
    case (.both, .both), (.either, .either), (.closed, .lenient): description
    case (.both, _), (.either, _), (.closed, _), (.lenient, _): "(\(self))"
    case (.event(_, let params), .both), (.event(_, let params), .either), (.event(_, let params), .not):
      params.isEmpty ? description : "(\(self))"
    case (.equal, _), (.event, _), (.schema, _), (.satisfying, _), (.context, _), (.not, _): description
    }
  }
}
