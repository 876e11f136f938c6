import Foundation
import TrackingModel

/// Typed events as Swift source, for a test to copy: `AddedToCart(productID: "42", quantity: 1)`.
enum SwiftSource {
  /// The source of an event whose type is known; `nil` if it isn't equal to any value of that type, or if its initializer isn't known.
  static func of<S: TrackingSchema>(_ event: TrackingEvent, as type: S.Type) -> String? {
    guard let value = try? event.decode(as: type), TrackingEvent(value).params == event.params else { return nil }
    return literal(value)
  }

  /// The source of a value: of literals, of collections, and of structures through the initializer that Swift makes for them.
  static func literal(_ value: Any) -> String? {
    switch value {
    case let value as String: return value.swiftLiteral
    case let value as Bool: return "\(value)"
    case let value as any BinaryInteger: return "\(value)"
    case let value as Double: return value.isFinite ? "\(value)" : nil
    case let value as Float: return value.isFinite ? "\(value)" : nil
    case let value as Decimal: return "Decimal(string: \"\(value)\")!"
    case let value as Date: return "Date(timeIntervalSince1970: \(value.timeIntervalSince1970))"
    case let value as URL: return "URL(string: \(value.absoluteString.swiftLiteral))!"
    case let value as UUID: return "UUID(uuidString: \"\(value)\")!"
    default: return composed(value)
    }
  }

  private static func composed(_ value: Any) -> String? {
    let mirror = Mirror(reflecting: value)
    switch mirror.displayStyle {
    case .optional: return mirror.children.isEmpty ? "nil" : mirror.children.first.flatMap { literal($0.value) }
    case .collection, .set: return list(mirror.children.map(\.value), literal)
    case .dictionary: return mirror.children.isEmpty ? "[:]" : list(mirror.children.map(\.value), pair)
    case .enum: return enumCase(value, mirror)
    case .struct:
      guard let name = name(of: mirror.subjectType) else { return nil }
      return arguments(mirror.children).map { "\(name)(\($0))" }
    default: return nil
    }
  }

  private static func list(_ values: [Any], _ text: (Any) -> String?) -> String? {
    let texts = values.compactMap(text)
    return texts.count == values.count ? "[\(texts.joined(separator: ", "))]" : nil
  }

  private static func pair(_ element: Any) -> String? {
    let parts = Mirror(reflecting: element).children.map(\.value)
    guard parts.count == 2, let key = literal(parts[0]), let value = literal(parts[1]) else { return nil }
    return "\(key): \(value)"
  }

  private static func enumCase(_ value: Any, _ mirror: Mirror) -> String? {
    guard let payload = mirror.children.first else {
      let name = "\(value)"
      return isIdentifier(name) ? ".\(name)" : nil
    }
    guard let name = payload.label else { return nil }
    let values = Mirror(reflecting: payload.value)
    let texts = values.displayStyle == .tuple ? arguments(values.children) : literal(payload.value)
    return texts.map { ".\(name)(\($0))" }
  }

  private static func arguments(_ children: Mirror.Children) -> String? {
    var texts: [String] = []
    for child in children {
      guard let text = literal(child.value), let label = child.label else { return nil }
      texts.append(label.hasPrefix(".") ? text : "\(label): \(text)")
    }
    return texts.joined(separator: ", ")
  }

  /// The name as a test writes it: without its module, and none for a type that is declared in a function.
  private static func name(of type: Any.Type) -> String? {
    let parts = String(reflecting: type).split(separator: ".").dropFirst()
    return !parts.isEmpty && parts.allSatisfy { isIdentifier(String($0)) } ? parts.joined(separator: ".") : nil
  }

  private static func isIdentifier(_ text: String) -> Bool {
    !text.isEmpty && text.allSatisfy { $0.isLetter || $0.isNumber || $0 == "_" } && text.first?.isNumber == false
  }
}
