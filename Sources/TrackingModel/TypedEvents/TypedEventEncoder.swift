import Foundation

extension TrackingEvent {
  /// Creates the event of a typed value: every field becomes a param under its coding key.
  ///
  /// Never throws and never loses the event. If a field can't be encoded, the event has the params of the fields before it and
  /// ``TrackingParam/encodingError``, which names the field and the reason.
  public init(_ schema: some TrackingSchema) {
    self.init(name: type(of: schema).eventName, params: TypedEventEncoder.params(of: schema))
  }
}

/// Encodes a typed event directly into values, without intermediate JSON text.
struct TypedEventEncoder: Encoder {
  let codingPath: [any CodingKey]
  let userInfo: [CodingUserInfoKey: Any] = [:]
  let node: TypedEventNode

  /// After an error, the params encoded before it and the error.
  static func params(of schema: some TrackingSchema) -> [TrackingParam: TrackingValue] {
    let node = TypedEventNode()
    let encoder = TypedEventEncoder(codingPath: [], node: node)
    var failure: String?
    do {
      try schema.encode(to: encoder)
      encoder.sortSets(of: schema)
    } catch EncodingError.invalidValue(_, let context) {
      failure = "params\(text(of: context.codingPath)): \(context.debugDescription)"
    } catch {
      failure = "params: \(error)"
    }
    let value = node.value
    var params: [TrackingParam: TrackingValue] = [:]
    if case .object(let members) = value {
      params = [TrackingParam: TrackingValue](
        uniqueKeysWithValues: members.map { (TrackingParam.custom(key: $0), $1) })
    } else {
      params["value"] = value
      failure = failure ?? "\(type(of: schema)) encodes itself as \(value.kind), so its fields have no names"
    }
    params[.encodingError] = failure.map(TrackingValue.string)
    return params
  }

  func container<Key: CodingKey>(keyedBy: Key.Type) -> KeyedEncodingContainer<Key> {
    KeyedEncodingContainer(TypedEventKeyedContainer<Key>(encoder: self))
  }

  func unkeyedContainer() -> any UnkeyedEncodingContainer {
    TypedEventUnkeyedContainer(encoder: self)
  }

  func singleValueContainer() -> any SingleValueEncodingContainer {
    TypedEventSingleValueContainer(encoder: self)
  }

  /// Encodes a value; types that Foundation's encoders treat specially have their own form on the wire.
  func value(of value: some Encodable, at path: @autoclosure () -> [any CodingKey]) throws -> TrackingValue {
    switch value {
    case let value as TrackingValue: return value
    case let value as Date: return value.trackingValue
    case let value as URL: return value.trackingValue
    case let value as Data: return value.trackingValue
    case let value as Decimal: return value.trackingValue
    default:
      let node = TypedEventNode()
      let path = path()
      let encoder = TypedEventEncoder(codingPath: path, node: node)
      do {
        try value.encode(to: encoder)
        encoder.sortSets(of: value)
      } catch EncodingError.invalidValue(let value, let context) where context.codingPath.count >= path.count {
        throw EncodingError.invalidValue(value, context)
      } catch {
        // The path is known only here; without it the error wouldn't name the param.
        let reason =
          if case EncodingError.invalidValue(_, let context) = error { context.debugDescription } else { "\(error)" }
        throw EncodingError.invalidValue(
          value, .init(codingPath: path, debugDescription: reason, underlyingError: error))
      }
      return node.value.ordered(as: type(of: value))
    }
  }

  /// `.items[0].price`.
  static func text(of path: [any CodingKey]) -> String {
    path.map { $0 is TypedEventIndex ? "[\($0.stringValue)]" : ".\($0.stringValue)" }.joined()
  }
}

private struct TypedEventKeyedContainer<Key: CodingKey>: KeyedEncodingContainerProtocol {
  let encoder: TypedEventEncoder
  var codingPath: [any CodingKey] { encoder.codingPath }
  private var node: TypedEventNode { encoder.node }

  init(encoder: TypedEventEncoder) {
    self.encoder = encoder
    encoder.node.becomeObject()
  }

  func encodeNil(forKey key: Key) { node.set(.null, for: key.stringValue) }
  func encode(_ value: Bool, forKey key: Key) { node.set(.bool(value), for: key.stringValue) }
  func encode(_ value: Int, forKey key: Key) { node.set(.int(value), for: key.stringValue) }
  func encode(_ value: String, forKey key: Key) { node.set(.string(value), for: key.stringValue) }
  func encode(_ value: Double, forKey key: Key) { node.set(.double(value), for: key.stringValue) }

  func encode(_ value: some Encodable, forKey key: Key) throws {
    node.set(try encoder.value(of: value, at: codingPath + [key]), for: key.stringValue)
  }

  func nestedContainer<Nested: CodingKey>(
    keyedBy: Nested.Type, forKey key: Key
  ) -> KeyedEncodingContainer<Nested> {
    superEncoder(for: key).container(keyedBy: Nested.self)
  }

  func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
    superEncoder(for: key).unkeyedContainer()
  }

  func superEncoder() -> any Encoder { superEncoder(for: TrackingParam.custom(key: "super")) }
  func superEncoder(forKey key: Key) -> any Encoder { superEncoder(for: key) }

  private func superEncoder(for key: any CodingKey) -> TypedEventEncoder {
    TypedEventEncoder(codingPath: codingPath + [key], node: node.child(for: key.stringValue))
  }
}

private struct TypedEventUnkeyedContainer: UnkeyedEncodingContainer {
  let encoder: TypedEventEncoder
  var codingPath: [any CodingKey] { encoder.codingPath }
  var count: Int { node.count }
  private var node: TypedEventNode { encoder.node }

  init(encoder: TypedEventEncoder) {
    self.encoder = encoder
    encoder.node.becomeArray()
  }

  func encodeNil() { node.append(.null) }
  func encode(_ value: Bool) { node.append(.bool(value)) }
  func encode(_ value: Int) { node.append(.int(value)) }
  func encode(_ value: String) { node.append(.string(value)) }
  func encode(_ value: Double) { node.append(.double(value)) }

  func encode(_ value: some Encodable) throws {
    node.append(try encoder.value(of: value, at: codingPath + [TypedEventIndex(count)]))
  }

  func nestedContainer<Nested: CodingKey>(keyedBy: Nested.Type) -> KeyedEncodingContainer<Nested> {
    nextEncoder().container(keyedBy: Nested.self)
  }

  func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer { nextEncoder().unkeyedContainer() }
  func superEncoder() -> any Encoder { nextEncoder() }

  private func nextEncoder() -> TypedEventEncoder {
    TypedEventEncoder(codingPath: codingPath + [TypedEventIndex(count)], node: node.appendChild())
  }
}

private struct TypedEventSingleValueContainer: SingleValueEncodingContainer {
  let encoder: TypedEventEncoder
  var codingPath: [any CodingKey] { encoder.codingPath }
  private var node: TypedEventNode { encoder.node }

  func encodeNil() { node.become(.null) }
  func encode(_ value: Bool) { node.become(value.trackingValue) }
  func encode(_ value: String) { node.become(value.trackingValue) }
  func encode(_ value: Double) { node.become(value.trackingValue) }
  func encode(_ value: Float) { node.become(value.trackingValue) }
  func encode(_ value: Int) { node.become(value.trackingValue) }
  func encode(_ value: Int8) { node.become(value.trackingValue) }
  func encode(_ value: Int16) { node.become(value.trackingValue) }
  func encode(_ value: Int32) { node.become(value.trackingValue) }
  func encode(_ value: Int64) { node.become(value.trackingValue) }
  func encode(_ value: UInt) { node.become(value.trackingValue) }
  func encode(_ value: UInt8) { node.become(value.trackingValue) }
  func encode(_ value: UInt16) { node.become(value.trackingValue) }
  func encode(_ value: UInt32) { node.become(value.trackingValue) }
  func encode(_ value: UInt64) { node.become(value.trackingValue) }

  func encode(_ value: some Encodable) throws {
    node.become(try encoder.value(of: value, at: codingPath))
  }
}

// MARK: - Sets

/// A collection whose elements have no order.
private protocol Unordered {
  /// The number of consecutive encoded elements that belong together: a dictionary with other keys than names is a list of alternating keys and
  /// values.
  static var groupSize: Int { get }
}

extension Set: Unordered {
  fileprivate static var groupSize: Int { 1 }
}

extension Dictionary: Unordered {
  fileprivate static var groupSize: Int { 2 }
}

extension TypedEventEncoder {
  /// Sorts the lists that a type's own `encode(to:)` made of its sets, as `tags.encode(to: encoder)` does.
  ///
  /// Nothing marks such a list as a set, so it is found by its elements among the stored properties. A list that is stored as well keeps its order.
  fileprivate func sortSets(of value: some Encodable) {
    guard !(value is any Collection), node.hasList else { return }
    var sets: [TrackingValue] = []
    var lists: [TrackingValue] = []
    func find(in mirror: Mirror, depth: Int) {
      for child in mirror.children {
        if let set = child.value as? any Encodable & Unordered {
          (try? self.value(of: set, at: codingPath)).map { sets.append($0) }
        } else if let list = child.value as? any Encodable & Collection {
          (try? self.value(of: list, at: codingPath)).map { lists.append($0) }
        } else if depth < 3 {
          find(in: Mirror(reflecting: child.value), depth: depth + 1)
        }
      }
      mirror.superclassMirror.map { find(in: $0, depth: depth) }
    }
    find(in: Mirror(reflecting: value), depth: 0)
    guard !sets.isEmpty else { return }
    node.sortLists { list in
      let list = TrackingValue.array(list)
      guard !lists.contains(list) else { return nil }
      for size in [1, 2] {
        if let set = sets.first(where: { $0 == list.sorted(groups: size) }), case .array(let values) = set {
          return values
        }
      }
      return nil
    }
  }
}

extension TrackingValue {
  /// Sorts an unordered collection by its elements' texts: app and test hash differently, but equal typed events must be equal events.
  fileprivate func ordered(as type: Any.Type) -> TrackingValue {
    guard let type = type as? any Unordered.Type else { return self }
    return sorted(groups: type.groupSize)
  }

  fileprivate func sorted(groups size: Int) -> TrackingValue {
    guard case .array(let values) = self else { return self }
    let groups = stride(from: 0, to: values.count, by: size).map { (text: values[$0].description, start: $0) }
    return .array(
      groups.sorted { $0.text.precedes($1.text) }.flatMap { values[$0.start..<min($0.start + size, values.count)] })
  }
}
