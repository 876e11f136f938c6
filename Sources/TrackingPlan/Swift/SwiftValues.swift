import Foundation
import TrackingModel

/// Writes events as values of the types that are generated from a plan: `AddedToCart(productID: "42", quantity: 1)`.
struct SwiftValues: Sendable {
  private let configuration: GeneratorConfiguration
  private let events: [TextKey: PlannedEvent]
  private let sharedTypes: [String: PlanShape]

  init(of plan: TrackingPlan, _ configuration: GeneratorConfiguration) {
    self.configuration = configuration
    let planned = plan.events.filter { event in
      let sources = event.entry.sources
      guard let source = configuration.source, !sources.isEmpty else { return configuration.includes(event.name) }
      return configuration.includes(event.name)
        && sources.contains { $0.caseInsensitiveCompare(source) == .orderedSame }
    }
    events = Dictionary(planned.map { (TextKey($0.name), $0) }) { first, _ in first }
    sharedTypes = Dictionary(uniqueKeysWithValues: planned.sharedTypes.map { ($0.name, $0.shape) })
  }

  /// The source of an event; `nil` if it isn't equal to any value of its type.
  func source(of event: TrackingEvent) -> String? {
    guard let planned = events[TextKey(event.name)] else { return nil }
    let place = Place(path: planned.name, type: qualified(configuration.typeName(of: planned)))
    return call(place, planned.params, event.params.map { ($0.key.key, $0.value) })
  }

  /// Where a value is: the path of its names in the plan, and the type that it has if it needs one.
  private struct Place {
    let path: String
    let type: String
  }

  private func qualified(_ type: String) -> String { configuration.namespace.map { "\($0).\(type)" } ?? type }

  /// The call of a type's initializer.
  private func call(
    _ place: Place, _ params: [PlannedParam], _ members: some Sequence<(key: String, value: TrackingValue)>
  ) -> String? {
    var values = Dictionary(members.map { (TextKey($0.key), $0.value) }) { $1 }
    var arguments: [String] = []
    for param in params.requiredFirst {
      guard let value = values.removeValue(forKey: TextKey(param.name)) else {
        guard param.isOptional else { return nil }
        continue
      }
      // What may be absent is absent when it is `nil`, so it is never sent as `null`.
      if value == .null, param.isOptional, param.shape.isNullable { return nil }
      let inner = Place(
        path: "\(place.path).\(param.name)",
        type: "\(place.type).\(configuration.typeName(of: param, path: place.path))")
      guard let text = literal(value, param.shape, inner) else { return nil }
      arguments.append("\(SwiftName.label(configuration.memberName(of: param, path: place.path))): \(text)")
    }
    // What is left has no property.
    return values.isEmpty ? "\(place.type)(\(arguments.joined(separator: ", ")))" : nil
  }

  private func literal(_ value: TrackingValue, _ shape: PlanShape, _ place: Place) -> String? {
    switch (shape, value.canonicalScalar) {
    case (.nullable, .null): return "nil"
    case (.nullable(let shape), _): return literal(value, shape, place)
    case (.shared(let name, let shape), _):
      guard let type = sharedTypes[name] else { return literal(value, shape, place) }
      return literal(
        value, type, Place(path: "types.\(name)", type: qualified(configuration.typeName(ofShared: name))))
    case (.any, _): return Self.literal(value)
    case (.string(let format), .string(let text)): return Self.literal(text, format: format)
    case (.integer, .int), (.boolean, .bool): return Self.literal(value)
    case (.number, .int(let number)): return Double(exactly: number).map { _ in "\(number)" }
    case (.number, .unsigned(let number)): return Double(exactly: number).map { "\($0)" }
    case (.number, .double(let number)): return "\(number)"
    case (.choice(let values), .string(let text)):
      return values.first { $0.isSameText(as: text) }.map { ".\(configuration.caseName(of: $0, path: place.path))" }
    case (.object(let params, _), .object(let members)): return call(place, params, members)
    case (.array(let element), .array(let values)):
      let texts = values.compactMap { literal($0, element, place) }
      return texts.count == values.count ? "[\(texts.joined(separator: ", "))]" : nil
    case (.string, _), (.integer, _), (.number, _), (.boolean, _), (.choice, _), (.object, _), (.array, _): return nil
    }
  }

  /// A text as a value of the type that its format has in Swift, if that is tracked as the same text.
  private static func literal(_ text: String, format: String?) -> String? {
    switch format {
    case "date-time":
      guard let date = WireDate.date(from: text), WireDate.string(from: date) == text else { return nil }
      return "Date(timeIntervalSince1970: \(date.timeIntervalSince1970))"
    case "uuid": return UUID(uuidString: text)?.uuidString == text ? "UUID(uuidString: \(text.swiftLiteral))!" : nil
    case "uri": return URL(string: text)?.absoluteString == text ? "URL(string: \(text.swiftLiteral))!" : nil
    default: return text.swiftLiteral
    }
  }

  /// The literal of a `TrackingValue`.
  private static func literal(_ value: TrackingValue) -> String {
    switch value.canonicalScalar {
    case .null: ".null"
    case .bool(let value): "\(value)"
    case .int(let number): "\(number)"
    case .unsigned(let number): ".unsigned(\(number))"
    case .double(let number): "\(number)"
    case .string(let text): text.swiftLiteral
    case .array(let values): "[\(values.map(literal).joined(separator: ", "))]"
    case .object(let members) where members.isEmpty: "[:]"
    case .object(let members):
      "[\(members.sorted { $0.key.precedes($1.key) }.map { "\($0.key.swiftLiteral): \(literal($0.value))" }.joined(separator: ", "))]"
    }
  }
}

extension TrackingPlan: SwiftTypedRule {
  /// The event as a value of its generated type, with the names that the generator's configuration beside the plan gives.
  package func swiftSource(of event: TrackingEvent) -> String? { swiftValues.of(self)?.source(of: event) }
}

/// How a plan's events are written in Swift; made when the first one is asked for.
final class LazySwiftValues: @unchecked Sendable {
  private let lock = NSLock()
  /// Guarded by `lock`; `nil` inside if the generator's configuration can't be read.
  private var values: SwiftValues??

  func of(_ plan: TrackingPlan) -> SwiftValues? {
    lock.lock()
    defer { lock.unlock() }
    if let values { return values }
    let configuration =
      plan.files.url.map { url in try? GeneratorConfiguration.beside(url) } ?? GeneratorConfiguration()
    let made = configuration.map { SwiftValues(of: plan, $0) }
    values = .some(made)
    return made
  }
}
