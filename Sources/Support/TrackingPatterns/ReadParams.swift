import TrackingModel

extension TrackingEvent {
  /// The params, present or missing, that a schema reads when it is decoded from this event.
  package func params<S: TrackingSchema>(readBy: S.Type) -> Set<TrackingParam> {
    let reads = Reads()
    _ = try? TypedEventDecoder.decoder(of: self).map { try S(from: RecordingDecoder(base: $0, reads: reads)) }
    return reads.params
  }
}

/// The keys that a type has read; not thread-safe.
private final class Reads {
  var params: Set<TrackingParam> = []
}

/// Forwards to a decoder and records the keys that are read at its top level.
private struct RecordingDecoder: Decoder {
  let base: any Decoder
  let reads: Reads
  var codingPath: [any CodingKey] { base.codingPath }
  var userInfo: [CodingUserInfoKey: Any] { base.userInfo }

  func container<Key: CodingKey>(keyedBy: Key.Type) throws -> KeyedDecodingContainer<Key> {
    KeyedDecodingContainer(RecordingContainer(base: try base.container(keyedBy: Key.self), reads: reads))
  }

  func unkeyedContainer() throws -> any UnkeyedDecodingContainer { try base.unkeyedContainer() }
  func singleValueContainer() throws -> any SingleValueDecodingContainer { try base.singleValueContainer() }
}

private struct RecordingContainer<Key: CodingKey>: KeyedDecodingContainerProtocol {
  let base: KeyedDecodingContainer<Key>
  let reads: Reads
  var codingPath: [any CodingKey] { base.codingPath }
  var allKeys: [Key] { base.allKeys }

  private func note(_ key: Key) -> Key {
    reads.params.insert(.custom(key: key.stringValue))
    return key
  }

  func contains(_ key: Key) -> Bool { base.contains(note(key)) }
  func decodeNil(forKey key: Key) throws -> Bool { try base.decodeNil(forKey: note(key)) }
  func decode<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T { try base.decode(type, forKey: note(key)) }

  func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type, forKey key: Key
  ) throws -> KeyedDecodingContainer<Nested> {
    try base.nestedContainer(keyedBy: type, forKey: note(key))
  }

  func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
    try base.nestedUnkeyedContainer(forKey: note(key))
  }

  func superDecoder() throws -> any Decoder { try base.superDecoder() }
  func superDecoder(forKey key: Key) throws -> any Decoder { try base.superDecoder(forKey: note(key)) }
}
