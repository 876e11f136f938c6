import Foundation

extension TrackingEvent {
  /// Creates an event from a dictionary of any values, as an app's own tracking protocol and most analytics SDKs have it.
  ///
  /// ```swift
  /// func track(_ name: String, _ parameters: [String: Any], fileID: String, line: Int) {
  ///   tracker.track(TrackingEvent(name: name, parameters: parameters), fileID: fileID, line: line)
  /// }
  /// ```
  ///
  /// Values are any ``TrackingValueConvertible``, enums by their raw values, Foundation's classes such as `NSNumber`, `NSNull` and `NSDate`, and
  /// optionals, lists, sets and dictionaries of these. Never throws and never loses the event: anything else, such as a view, is left out, and
  /// ``TrackingParam/encodingError`` names it (`order.view: UIView isn't a value`).
  public init(name: String, parameters: [String: Any]?) {
    var reader = AnyValueReader()
    self.init(name: name, params: reader.params(of: parameters ?? [:]))
  }
}

extension TrackingValue {
  /// Converts a value of any type, as ``TrackingEvent/init(name:parameters:)`` does; `nil` if it, or a part of it, isn't a value.
  public init?(any value: Any) {
    var reader = AnyValueReader()
    guard let value = reader.value(of: value), reader.faults.isEmpty else { return nil }
    self = value
  }
}

/// Converts values of any type, and collects the places of those that aren't values.
private struct AnyValueReader {
  /// `order.items[0].view: UIView isn't a value`.
  private(set) var faults: [String] = []
  private var path: [any CodingKey] = []
  /// The objects on the path: collections of Foundation may contain themselves.
  private var ancestors: Set<ObjectIdentifier> = []

  /// The maximum number of faults in an event.
  private static let mostFaults = 5
  /// The maximum depth.
  private static let deepest = 100

  mutating func params(of values: [String: Any]) -> [TrackingParam: TrackingValue] {
    var params: [TrackingParam: TrackingValue] = [:]
    for (name, value) in values {
      let param = TrackingParam.custom(key: name)
      params[param] = part(value, at: param)
    }
    guard !faults.isEmpty else { return params }
    let more = faults.count - Self.mostFaults
    let shown = faults.sorted { $0.precedes($1) }.prefix(Self.mostFaults) + (more > 0 ? ["\(more) more"] : [])
    params[.encodingError] = .string(shown.joined(separator: "; "))
    return params
  }

  /// Returns `nil` for what isn't a value.
  mutating func value(of value: Any) -> TrackingValue? {
    guard type(of: value) is AnyClass else { return content(of: value) }
    let object = ObjectIdentifier(value as AnyObject)
    guard ancestors.insert(object).inserted else { return fault("contains itself") }
    defer { ancestors.remove(object) }
    return content(of: value)
  }

  private mutating func content(of value: Any) -> TrackingValue? {
    guard path.count < Self.deepest else { return fault("nested deeper than \(Self.deepest)") }
    // Dictionaries first: integers are coding keys, but a key that isn't text is a fault.
    if let members = value as? [AnyHashable: Any] { return object(members) }
    if let list = value as? [Any] { return array(list) }
    if let convertible = value as? any TrackingValueConvertible { return convertible.trackingValue }
    if let converted = Self.foundation(value) { return converted }
    if let set = value as? Set<AnyHashable> {
      return array(set.map(\.base)).map {
        .array(($0.arrayValue ?? []).sorted { $0.description.precedes($1.description) })
      }
    }
    switch value {
    case let value as any RawRepresentable: return self.value(of: value.rawValue)
    case let value as any BinaryInteger: return .double(Double(value))
    case let value as any BinaryFloatingPoint: return .double(Double(value))
    default: break
    }
    let mirror = Mirror(reflecting: value)
    guard mirror.displayStyle == .optional else { return fault("\(type(of: value)) isn't a value") }
    return mirror.children.first.map { self.value(of: $0.value) } ?? .null
  }

  private mutating func object(_ members: [AnyHashable: Any]) -> TrackingValue {
    var values: [String: TrackingValue] = [:]
    for (key, value) in members {
      guard let name = Self.name(of: key) else {
        _ = fault("the key \(key) isn't text")
        continue
      }
      values[name] = part(value, at: TrackingParam.custom(key: name))
    }
    return .object(values)
  }

  private mutating func array(_ elements: [Any]) -> TrackingValue? {
    .array(elements.enumerated().compactMap { part($1, at: TypedEventIndex($0)) })
  }

  private mutating func part(_ value: Any, at key: any CodingKey) -> TrackingValue? {
    path.append(key)
    defer { path.removeLast() }
    return self.value(of: value)
  }

  private mutating func fault(_ reason: String) -> TrackingValue? {
    let place = TypedEventEncoder.text(of: path).drop { $0 == "." }
    faults.append(place.isEmpty ? reason : "\(place): \(reason)")
    return nil
  }

  private static func name(of key: AnyHashable) -> String? {
    switch key.base {
    case let key as String: key
    case let key as Substring: String(key)
    case let key as TrackingParam: key.key
    case let key as any RawRepresentable: key.rawValue as? String
    default: nil
    }
  }

  private static func foundation(_ value: Any) -> TrackingValue? {
    switch value {
    case is NSNull: .null
    case let value as NSNumber: value.exactValue
    case let value as String: value.trackingValue
    case let value as Date: value.trackingValue
    case let value as URL: value.trackingValue
    case let value as UUID: value.trackingValue
    case let value as Data: value.trackingValue
    default: nil
    }
  }
}

extension NSNumber {
  fileprivate var exactValue: TrackingValue {
    // A boolean's class is no other number's; `as? Bool` also takes the number 1.
    if type(of: self) == type(of: NSNumber(value: true)) { return .bool(boolValue) }
    if let decimal = self as? NSDecimalNumber { return decimal.decimalValue.trackingValue }
    return switch UInt8(bitPattern: objCType.pointee) {
    case UInt8(ascii: "d"): doubleValue.trackingValue
    case UInt8(ascii: "f"): floatValue.trackingValue
    case UInt8(ascii: "Q"), UInt8(ascii: "L"), UInt8(ascii: "I"): uint64Value.trackingValue
    default: int64Value.trackingValue
    }
  }
}
