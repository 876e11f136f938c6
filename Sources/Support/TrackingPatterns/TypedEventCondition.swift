import TrackingModel

struct TypedEventCondition: Sendable {
  enum Outcome {
    case accepted(params: () -> Set<TrackingParam>)
    /// The event can be decoded, but the closure returned `false`.
    case refused
    /// Decoding failed; the closure returns the first reason.
    case undecodable(reason: () -> Difference)
  }

  let name: String
  let typeName: String
  /// The closure's description; `nil` without a closure.
  let condition: String?
  /// Decides with the closure, or with an assumed result.
  private let decide: @Sendable (TrackingEvent, _ assumed: Bool?) -> Outcome
  /// The assumed result of the closure; `nil` to run it.
  private var assumed: Bool?
  /// Whether the type conforms to the protocol of another copy of TrackingModel.
  var isLinkedTwice: Bool

  init<S: TrackingSchema>(_ type: S.Type, _ description: String, _ condition: (@Sendable (S) -> Bool)?) {
    name = S.eventName
    typeName = "\(S.self)"
    self.condition = condition == nil ? nil : description
    isLinkedTwice = !Self.isKnown(type)
    decide = { event, assumed in
      do {
        let schema = try event.decode(as: S.self)
        if let condition, !(assumed ?? condition(schema)) { return .refused }
        return .accepted {
          // A `nil` property isn't encoded, but JSON's null may represent it.
          let nulls = event.params.filter { $0.value == .null }.keys
          let encoded = Set(TrackingEvent(schema).params.keys)
          return nulls.isEmpty ? encoded : encoded.union(event.params(readBy: S.self).intersection(nulls))
        }
      } catch {
        return .undecodable { Difference(error, in: event, named: event.params(readBy: S.self)) }
      }
    }
  }

  private func outcome(_ event: TrackingEvent) -> Outcome { decide(event, assumed) }

  /// Whether a cast at run time finds the conformance that the compiler has seen.
  ///
  /// In a process with two copies of TrackingModel, each has its own protocol. Not inlined, so that the compiler can't decide it.
  @inline(never)
  static func isKnown(_ type: Any.Type) -> Bool { type is any TrackingSchema.Type }

  /// The description of a closure for which the test gives none.
  private static let undescribed = "the condition of the closure"

  /// Assumes the closure's result instead of running it.
  func assuming(_ holds: Bool) -> TypedEventCondition {
    var copy = self
    copy.assumed = holds
    return copy
  }

  func look(at event: TrackingEvent, into differences: inout Differences) {
    guard event.name.isSameText(as: name) else {
      return differences.add { _ in .name(expected: name, found: event.name) }
    }
    switch outcome(event) {
    case .accepted: break
    case .refused: differences.add { _ in .condition(condition ?? Self.undescribed) }
    case .undecodable(let reason):
      differences.add { _ in reason().ofTypedEvent }
      guard isLinkedTwice else { return }
      differences.add { _ in
        Difference.condition(
          """
          the type is linked twice: the app and the tests that it hosts have a copy of TrackingModel each, and no cast between \
          them succeeds
          """
        ).ofTypedEvent
      }
    }
  }

  /// The params that the type names; all params of an event that isn't of the type.
  func namedParams(of event: TrackingEvent) -> Set<TrackingParam> {
    guard event.name.isSameText(as: name), case .accepted(let params) = outcome(event) else {
      return Set(event.params.keys)
    }
    return params()
  }
}

extension TypedEventCondition: CustomStringConvertible {
  var description: String {
    let words = condition == Self.undescribed ? " satisfying the closure" : condition.map { " with \($0)" }
    return "an event of the type \(typeName) (\"\(name)\")\(words ?? "")"
  }
}

extension Difference {
  /// The reason why an event can't be decoded, as a difference of a param if possible; `named` are the params read so far.
  fileprivate init(_ error: any Error, in event: TrackingEvent, named: Set<TrackingParam>) {
    let prefix = "params."
    guard let error = error as? TypedEventDecodingError, error.path.hasPrefix(prefix) else {
      self = .condition("\(error)")
      return
    }
    let path = String(error.path.dropFirst(prefix.count))
    let param = TrackingParam(stringLiteral: path)
    let trace = ParamPath(param).trace(in: event.params)
    switch (error.kind, trace.value) {
    case (.missing(let expected), _):
      self = .missing(
        path: path, expected: .words(expected),
        instead: trace.deepest.map { .container(path: $0.path, $0.value) }
          ?? param.similar(in: event.params.filter { !named.contains($0.key) }).map { .misspelt($0.param, $0.value) })
    case (.mismatch(let expected, _), let found?):
      self = .unmet(
        path: path, expected: expected, found: found, note: "it is \(found.kind)", weight: MismatchWeight.type)
    case (.custom(let reason), let found?):
      self = .unmet(
        path: path, expected: "a value that \(error.typedEvent) can be made of", found: found, note: reason,
        weight: MismatchWeight.type)
    default: self = .condition("\(error)")
    }
  }
}
