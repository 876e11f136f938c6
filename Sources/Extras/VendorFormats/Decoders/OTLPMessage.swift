import Foundation
import TrackingModel

/// The protobuf messages of OTLP's logs, with the fields that this package reads.
///
/// Sources: opentelemetry/proto/collector/logs/v1, logs/v1, resource/v1 and common/v1.
enum OTLPMessage {
  case logs, resourceLogs, resource, scopeLogs, scope, record, attribute, value, list, attributes

  /// Decodes a message to the value of its JSON form (protobuf.dev, ProtoJSON Format), except that 64-bit integers stay numbers.
  func json(_ message: Data) throws -> TrackingValue {
    var members = Members()
    try read(message, into: &members, depth: 0)
    return members.json
  }

  private enum Content {
    case bool, integer, unsigned, double, text, key, bytes
    case one(OTLPMessage)
    case several(OTLPMessage)
  }

  /// The JSON member for a field's number; `nil` for fields that aren't read.
  private func member(_ field: Int) -> (name: String, content: Content)? {
    switch (self, field) {
    case (.logs, 1): ("resourceLogs", .several(.resourceLogs))
    case (.resourceLogs, 1): ("resource", .one(.resource))
    // 1000 was `instrumentation_library_logs`.
    case (.resourceLogs, 2), (.resourceLogs, 1_000): ("scopeLogs", .several(.scopeLogs))
    case (.resource, 1): ("attributes", .several(.attribute))
    case (.scopeLogs, 1): ("scope", .one(.scope))
    case (.scopeLogs, 2): ("logRecords", .several(.record))
    case (.scope, 1): ("name", .text)
    case (.record, 1): ("timeUnixNano", .unsigned)
    case (.record, 3): ("severityText", .text)
    case (.record, 5): ("body", .one(.value))
    case (.record, 6): ("attributes", .several(.attribute))
    case (.record, 12): ("eventName", .text)
    case (.attribute, 1): ("key", .key)
    case (.attribute, 2): ("value", .one(.value))
    case (.value, 1): ("stringValue", .text)
    case (.value, 2): ("boolValue", .bool)
    case (.value, 3): ("intValue", .integer)
    case (.value, 4): ("doubleValue", .double)
    case (.value, 5): ("arrayValue", .one(.list))
    case (.value, 6): ("kvlistValue", .one(.attributes))
    case (.value, 7): ("bytesValue", .bytes)
    case (.list, 1): ("values", .several(.value))
    case (.attributes, 1): ("values", .several(.attribute))
    default: nil
    }
  }

  /// The members that a message has even without their fields, because the reader of the JSON requires them.
  private var defaults: [String: TrackingValue] {
    switch self {
    case .logs: ["resourceLogs": []]
    case .attribute: ["key": ""]
    default: [:]
    }
  }

  /// A message's JSON object while its fields are read, which come in any order.
  private struct Members {
    var values: [String: TrackingValue] = [:]
    var lists: [String: [TrackingValue]] = [:]
    var objects: [String: Members] = [:]

    var json: TrackingValue {
      var members = values
      for (name, elements) in lists { members[name] = .array(elements) }
      for (name, object) in objects { members[name] = object.json }
      return .object(members)
    }
  }

  /// Adds the fields of a message.
  ///
  /// If a field occurs twice, the last one counts, but the parts of a resource or a scope are merged.
  private func read(_ message: Data, into members: inout Members, depth: Int) throws {
    guard self != .value || depth < 64 else { throw ProtobufError.tooDeep }
    if members.values.isEmpty { members.values = defaults }
    let inner = self == .value ? depth + 1 : depth
    try ProtobufReader.fields(of: message) { field in
      guard let (name, content) = member(field.number) else { return }
      // A value has one of its members.
      if self == .value { members = Members() }
      switch content {
      case .bool: members.values[name] = .bool(try field.number64() != 0)
      case .integer: members.values[name] = .int(Int(truncatingIfNeeded: try field.number64()))
      case .unsigned: members.values[name] = .unsigned(try field.number64())
      case .double: members.values[name] = TrackingValue.double(Double(bitPattern: try field.number64())).canonical
      case .text: members.values[name] = .string(try field.text())
      case .key: members.values[name] = .string(try field.key())
      case .bytes: members.values[name] = .string(try field.bytes().base64EncodedString())
      case .one(let message):
        if message == .value { members.objects[name] = nil }
        try message.read(field.bytes(), into: &members.objects[name, default: Members()], depth: inner)
      case .several(let message):
        var element = Members()
        try message.read(field.bytes(), into: &element, depth: inner)
        members.lists[name, default: []].append(element.json)
      }
    }
  }
}
