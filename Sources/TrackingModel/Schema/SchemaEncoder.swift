import Foundation

/// Encodes a typed event straight into values, with no JSON text in between.
struct SchemaEncoder: Encoder {
  let codingPath: [any CodingKey]
  let userInfo: [CodingUserInfoKey: Any] = [:]
  /// Where what is encoded goes.
  let node: SchemaNode

  /// The params of a typed event; what was encoded before an error stays, and the error is one param more.
  static func params(of schema: some TrackingSchema) -> [TrackingParam: TrackingValue] {
    let node = SchemaNode()
    var failure: String?
    do {
      try schema.encode(to: SchemaEncoder(codingPath: [], node: node))
    } catch EncodingError.invalidValue(_, let context) {
      failure = "\(text(of: context.codingPath)): \(context.debugDescription)"
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
    KeyedEncodingContainer(SchemaKeyedContainer<Key>(codingPath: codingPath, node: node))
  }

  func unkeyedContainer() -> any UnkeyedEncodingContainer {
    SchemaUnkeyedContainer(codingPath: codingPath, node: node)
  }

  func singleValueContainer() -> any SingleValueEncodingContainer {
    SchemaSingleValueContainer(codingPath: codingPath, node: node)
  }

  /// The value of anything encodable; what Foundation codes by a special rule has its own form on the wire.
  static func value(of value: some Encodable, at path: @autoclosure () -> [any CodingKey]) throws -> TrackingValue {
    switch value {
    case let value as TrackingValue: return value
    case let value as Date: return value.trackingValue
    case let value as URL: return value.trackingValue
    case let value as Data: return value.trackingValue
    case let value as Decimal: return value.trackingValue
    default:
      let node = SchemaNode()
      let path = path()
      do {
        try value.encode(to: SchemaEncoder(codingPath: path, node: node))
      } catch EncodingError.invalidValue(let value, let context) where context.codingPath.count >= path.count {
        throw EncodingError.invalidValue(value, context)
      } catch {
        // Here the place is still known. An error from further up would no longer say which param it is about.
        let reason =
          if case EncodingError.invalidValue(_, let context) = error { context.debugDescription } else { "\(error)" }
        throw EncodingError.invalidValue(
          value, .init(codingPath: path, debugDescription: reason, underlyingError: error))
      }
      return node.value.ordered(as: type(of: value))
    }
  }

  /// A path as text: `params.items[0].price`.
  private static func text(of path: [any CodingKey]) -> String {
    "params" + path.map { $0 is SchemaIndex ? "[\($0.stringValue)]" : ".\($0.stringValue)" }.joined()
  }
}

private struct SchemaKeyedContainer<Key: CodingKey>: KeyedEncodingContainerProtocol {
  let codingPath: [any CodingKey]
  let node: SchemaNode

  init(codingPath: [any CodingKey], node: SchemaNode) {
    self.codingPath = codingPath
    self.node = node
    node.becomeObject()
  }

  func encodeNil(forKey key: Key) { node.set(.null, for: key.stringValue) }
  func encode(_ value: Bool, forKey key: Key) { node.set(.bool(value), for: key.stringValue) }
  func encode(_ value: Int, forKey key: Key) { node.set(.int(value), for: key.stringValue) }
  func encode(_ value: String, forKey key: Key) { node.set(.string(value), for: key.stringValue) }
  func encode(_ value: Double, forKey key: Key) { node.set(.double(value), for: key.stringValue) }

  func encode(_ value: some Encodable, forKey key: Key) throws {
    node.set(try SchemaEncoder.value(of: value, at: codingPath + [key]), for: key.stringValue)
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

  private func superEncoder(for key: any CodingKey) -> SchemaEncoder {
    SchemaEncoder(codingPath: codingPath + [key], node: node.child(for: key.stringValue))
  }
}

private struct SchemaUnkeyedContainer: UnkeyedEncodingContainer {
  let codingPath: [any CodingKey]
  let node: SchemaNode
  var count: Int { node.count }

  init(codingPath: [any CodingKey], node: SchemaNode) {
    self.codingPath = codingPath
    self.node = node
    node.becomeArray()
  }

  func encodeNil() { node.append(.null) }
  func encode(_ value: Bool) { node.append(.bool(value)) }
  func encode(_ value: Int) { node.append(.int(value)) }
  func encode(_ value: String) { node.append(.string(value)) }
  func encode(_ value: Double) { node.append(.double(value)) }

  func encode(_ value: some Encodable) throws {
    node.append(try SchemaEncoder.value(of: value, at: codingPath + [SchemaIndex(count)]))
  }

  func nestedContainer<Nested: CodingKey>(keyedBy: Nested.Type) -> KeyedEncodingContainer<Nested> {
    nextEncoder().container(keyedBy: Nested.self)
  }

  func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer { nextEncoder().unkeyedContainer() }
  func superEncoder() -> any Encoder { nextEncoder() }

  private func nextEncoder() -> SchemaEncoder {
    SchemaEncoder(codingPath: codingPath + [SchemaIndex(count)], node: node.appendChild())
  }
}

private struct SchemaSingleValueContainer: SingleValueEncodingContainer {
  let codingPath: [any CodingKey]
  let node: SchemaNode

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
    node.become(try SchemaEncoder.value(of: value, at: codingPath))
  }
}

/// A collection whose elements have no order of their own.
private protocol Unordered {
  /// How many elements of its encoded list belong together: a dictionary whose keys are no names is a list of keys and values in turn.
  static var groupSize: Int { get }
}

extension Set: Unordered {
  fileprivate static var groupSize: Int { 1 }
}

extension Dictionary: Unordered {
  fileprivate static var groupSize: Int { 2 }
}

extension TrackingValue {
  /// What an unordered collection encoded itself as, in the order of the elements' texts: the app and its test hash differently, yet
  /// equal typed events are equal events.
  fileprivate func ordered(as type: Any.Type) -> TrackingValue {
    guard case .array(let values) = self, let type = type as? any Unordered.Type else { return self }
    let size = type.groupSize
    let groups = stride(from: 0, to: values.count, by: size).map { (text: values[$0].description, start: $0) }
    return .array(groups.sorted { $0.text < $1.text }.flatMap { values[$0.start..<min($0.start + size, values.count)] })
  }
}
