import TrackingModel

/// What a typed event must be like, for any type of typed events.
struct SchemaCondition: Sendable {
  /// What an event is as a typed one.
  enum Outcome {
    /// It is one; these are the params that make it up.
    case accepted(params: () -> Set<TrackingParam>)
    /// It is one, but the condition does not hold.
    case refused
    case undecodable(String)
  }

  let name: String
  let typeName: String
  /// What the condition asks for, in words; `nil` when there is none.
  let condition: String?
  let outcome: @Sendable (TrackingEvent) -> Outcome

  init<S: TrackingSchema>(_ type: S.Type, _ description: String, _ condition: (@Sendable (S) -> Bool)?) {
    name = S.eventName
    typeName = "\(S.self)"
    self.condition = condition == nil ? nil : description
    outcome = { event in
      do {
        let schema = try event.decode(as: S.self)
        guard condition?(schema) ?? true else { return .refused }
        return .accepted { Set(TrackingEvent(schema).params.keys) }
      } catch {
        return .undecodable("\(error)")
      }
    }
  }

  func look(at event: TrackingEvent, into differences: inout Differences) {
    guard event.name == name else {
      return differences.add { _ in .name(expected: name, found: event.name) }
    }
    switch outcome(event) {
    case .accepted: break
    case .refused: differences.add { _ in .condition(condition ?? "the condition of the closure") }
    case .undecodable(let reason): differences.add { _ in .schema(reason) }
    }
  }

  /// The params that the type has a place for; a `nil` property has left no other trace than JSON's null.
  func params(of event: TrackingEvent) -> Set<TrackingParam> {
    guard event.name == name, case .accepted(let params) = outcome(event) else { return Set(event.params.keys) }
    return params().union(event.params.filter { $0.value == .null }.keys)
  }
}

extension SchemaCondition: CustomStringConvertible {
  var description: String {
    "an event of the type \(typeName) (\"\(name)\")\(condition.map { " with \($0)" } ?? "")"
  }
}
