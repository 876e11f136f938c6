import Foundation
import TrackingModel

/// Writes events as values of the types that are generated from a plan: `AddedToCart(productID: "42", quantity: 1)`.
struct SwiftValues: Sendable {
  private let events: [TextKey: Call]
  private let sharedTypes: [String: Form]

  /// The initializer of a type.
  fileprivate struct Call: Sendable {
    let type: String
    let params: [Param]
  }

  fileprivate struct Param: Sendable {
    let key: TextKey
    let label: String
    let isOptional: Bool
    let isNullable: Bool
    let form: Form
  }

  /// How values are written; names are made once, because that takes the most time.
  fileprivate indirect enum Form: Sendable {
    case string(format: String?)
    case integer, number, boolean, any
    /// The cases by their values.
    case choice([TextKey: String])
    case object(Call)
    case array(Form)
    case shared(String)
    case nullable(Form)
  }

  init(of plan: TrackingPlan, _ configuration: GeneratorConfiguration) {
    let planned = plan.events.filter { event in
      let sources = event.entry.sources
      guard let source = configuration.source, !sources.isEmpty else { return configuration.includes(event.name) }
      return configuration.includes(event.name)
        && sources.contains { $0.caseInsensitiveCompare(source) == .orderedSame }
    }
    let types = planned.sharedTypes
    let reader = FormReader(configuration: configuration, sharedTypes: Set(types.map(\.name)))
    events = Dictionary(planned.map { (TextKey($0.name), reader.call(of: $0)) }) { first, _ in first }
    sharedTypes = Dictionary(uniqueKeysWithValues: types.map { ($0.name, reader.form(ofShared: $0.name, $0.shape)) })
  }

  /// The source of an event; `nil` if it isn't equal to any value of its type.
  func source(of event: TrackingEvent) -> String? {
    events[TextKey(event.name)].flatMap { source(of: $0, event.params.lazy.map { ($0.key.key, $0.value) }) }
  }

  private func source(of call: Call, _ members: some Sequence<(key: String, value: TrackingValue)>) -> String? {
    var values = Dictionary(members.map { (TextKey($0.key), $0.value) }) { $1 }
    var arguments: [String] = []
    for param in call.params {
      guard let value = values.removeValue(forKey: param.key) else {
        guard param.isOptional else { return nil }
        continue
      }
      // The generated type leaves out an optional param that is `nil`, so none of its values has `null` there.
      if param.isOptional, param.isNullable, value == .null { return nil }
      guard let text = literal(value, param.form) else { return nil }
      arguments.append("\(param.label): \(text)")
    }
    // The remaining params have no property.
    return values.isEmpty ? "\(call.type)(\(arguments.joined(separator: ", ")))" : nil
  }

  private func literal(_ value: TrackingValue, _ form: Form) -> String? {
    switch (form, value.canonicalScalar) {
    case (.nullable, .null): return "nil"
    case (.nullable(let form), _): return literal(value, form)
    case (.shared(let name), _): return sharedTypes[name].flatMap { literal(value, $0) }
    case (.any, _): return Self.literal(value)
    case (.string(let format), .string(let text)): return Self.literal(text, format: format)
    case (.integer, .int), (.boolean, .bool): return Self.literal(value)
    case (.number, .int(let number)): return Double(exactly: number).map { _ in "\(number)" }
    case (.number, .unsigned(let number)): return Double(exactly: number).map { "\($0)" }
    case (.number, .double(let number)): return "\(number)"
    case (.choice(let cases), .string(let text)): return cases[TextKey(text)]
    case (.object(let call), .object(let members)): return source(of: call, members)
    case (.array(let element), .array(let values)):
      let texts = values.compactMap { literal($0, element) }
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

/// Reads the forms of values from a plan's shapes.
private struct FormReader {
  let configuration: GeneratorConfiguration
  let sharedTypes: Set<String>

  /// The place of a value: its path in the plan, and the name of its type if it needs one.
  private struct Place {
    let path: String
    let type: String
  }

  func call(of event: PlannedEvent) -> SwiftValues.Call {
    call(Place(path: event.name, type: qualified(configuration.typeName(of: event))), event.params)
  }

  func form(ofShared name: String, _ shape: PlanShape) -> SwiftValues.Form {
    form(of: shape, Place(path: "types.\(name)", type: qualified(configuration.typeName(ofShared: name))))
  }

  private func qualified(_ type: String) -> String { configuration.namespace.map { "\($0).\(type)" } ?? type }

  private func call(_ place: Place, _ params: [PlannedParam]) -> SwiftValues.Call {
    SwiftValues.Call(
      type: place.type,
      params: params.requiredFirst.map { param in
        let inner = Place(
          path: "\(place.path).\(param.name)",
          type: "\(place.type).\(configuration.typeName(of: param, path: place.path))")
        return SwiftValues.Param(
          key: TextKey(param.name), label: SwiftName.label(configuration.memberName(of: param, path: place.path)),
          isOptional: param.isOptional, isNullable: param.shape.isNullable, form: form(of: param.shape, inner))
      })
  }

  private func form(of shape: PlanShape, _ place: Place) -> SwiftValues.Form {
    switch shape {
    case .string(let format): .string(format: format)
    case .integer: .integer
    case .number: .number
    case .boolean: .boolean
    case .any: .any
    case .choice(let values):
      .choice(
        Dictionary(values.map { (TextKey($0), ".\(configuration.caseName(of: $0, path: place.path))") }) { $1 })
    case .object(let params, _): .object(call(place, params))
    case .array(let element): .array(form(of: element, place))
    case .shared(let name, let inner): sharedTypes.contains(name) ? .shared(name) : form(of: inner, place)
    case .nullable(let inner): .nullable(form(of: inner, place))
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
  /// Guarded by `lock`; `.some(nil)` if the generator's configuration can't be read.
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
