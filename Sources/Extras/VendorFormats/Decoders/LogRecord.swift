import Foundation
import TrackingModel
import TrackingServer

/// An OTLP log record, with the attributes of its resource and the name of its scope.
struct LogRecord {
  var eventName: String?
  var body: TrackingValue?
  var attributes: [String: TrackingValue] = [:]
  /// The time in nanoseconds since 1970.
  var nanoseconds: UInt64?
  var severity: String?
  var scope: String?
  var resource: [String: TrackingValue] = [:]

  var time: Date? { nanoseconds.map { Date(timeIntervalSince1970: Double($0) / 1e9) } }
}

// MARK: - Protobuf

// The field numbers are those of opentelemetry/proto/collector/logs/v1 and common/v1.
extension LogRecord {
  /// Reads the records of an `ExportLogsServiceRequest`.
  static func records(in message: Data) throws -> [LogRecord] {
    var records: [LogRecord] = []
    try ProtobufReader.fields(of: message) { resourceLogs in
      guard resourceLogs.number == 1 else { return }
      var resource: [String: TrackingValue] = [:]
      try ProtobufReader.fields(of: resourceLogs.bytes()) { field in
        switch field.number {
        case 1: resource = try attributes(in: field.bytes())
        case 2: try readScope(field.bytes(), resource, into: &records)
        default: break
        }
      }
    }
    return records
  }

  private static func readScope(
    _ message: Data, _ resource: [String: TrackingValue], into records: inout [LogRecord]
  ) throws {
    var scope: String?
    try ProtobufReader.fields(of: message) { field in
      switch field.number {
      case 1:
        try ProtobufReader.fields(of: field.bytes()) { if $0.number == 1 { scope = try $0.text() } }
      case 2:
        var record = try LogRecord(field.bytes())
        record.scope = scope
        record.resource = resource
        records.append(record)
      default: break
      }
    }
  }

  private init(_ message: Data) throws {
    try ProtobufReader.fields(of: message) { field in
      switch field.number {
      case 1:
        // 0 is an unknown time (logs.proto).
        let number = try field.number64()
        nanoseconds = number == 0 ? nil : number
      case 3: severity = try field.text()
      case 5: body = try Self.value(in: field.bytes())
      case 6:
        let (key, value) = try Self.keyValue(in: field.bytes())
        attributes[key] = value
      case 12:
        let name = try field.text()
        eventName = name.isEmpty ? nil : name
      default: break
      }
    }
  }

  private static func attributes(in message: Data, depth: Int = 0) throws -> [String: TrackingValue] {
    var attributes: [String: TrackingValue] = [:]
    try ProtobufReader.fields(of: message) { field in
      guard field.number == 1 else { return }
      let (key, value) = try keyValue(in: field.bytes(), depth: depth)
      attributes[key] = value
    }
    return attributes
  }

  private static func keyValue(in message: Data, depth: Int = 0) throws -> (String, TrackingValue) {
    var (key, value) = ("", TrackingValue.null)
    try ProtobufReader.fields(of: message) { field in
      switch field.number {
      case 1: key = try field.key()
      case 2: value = try self.value(in: field.bytes(), depth: depth)
      default: break
      }
    }
    return (key, value)
  }

  /// Reads an `AnyValue`.
  private static func value(in message: Data, depth: Int = 0) throws -> TrackingValue {
    guard depth < 64 else { throw ProtobufError.tooDeep }
    var value = TrackingValue.null
    try ProtobufReader.fields(of: message) { field in
      switch field.number {
      case 1: value = .string(try field.text())
      case 2: value = .bool(try field.number64() != 0)
      case 3: value = .int(Int(truncatingIfNeeded: try field.number64()))
      case 4: value = TrackingValue.double(Double(bitPattern: try field.number64())).canonical
      case 5:
        var elements: [TrackingValue] = []
        try ProtobufReader.fields(of: field.bytes()) {
          if $0.number == 1 { elements.append(try self.value(in: $0.bytes(), depth: depth + 1)) }
        }
        value = .array(elements)
      case 6: value = .object(try attributes(in: field.bytes(), depth: depth + 1))
      case 7: value = .string(try field.bytes().base64EncodedString())
      default: break
      }
    }
    return value
  }
}

// MARK: - JSON

extension LogRecord {
  /// Reads the records of the same message in JSON, where 64-bit integers are strings; returns `nil` for another message.
  static func records(inJSON message: TrackingValue) throws -> [LogRecord]? {
    guard let resources = message.members?["resourceLogs"]?.elements else { return nil }
    var records: [LogRecord] = []
    for resourceLogs in resources {
      let resource = attributes(inJSON: resourceLogs.members?["resource"]?.members?["attributes"])
      for scopeLogs in resourceLogs.members?["scopeLogs"]?.elements ?? [] {
        let scope = scopeLogs.members?["scope"]?.members?["name"]?.text
        for record in scopeLogs.members?["logRecords"]?.elements ?? [] {
          let members = record.members ?? [:]
          records.append(
            LogRecord(
              eventName: members["eventName"]?.text.flatMap { $0.isEmpty ? nil : $0 },
              body: members["body"].map(value(inJSON:)), attributes: attributes(inJSON: members["attributes"]),
              nanoseconds: members["timeUnixNano"]?.id.flatMap { UInt64($0) }.flatMap { $0 == 0 ? nil : $0 },
              severity: members["severityText"]?.text,
              scope: scope, resource: resource))
        }
      }
    }
    return records
  }

  private static func attributes(inJSON list: TrackingValue?) -> [String: TrackingValue] {
    (list?.elements ?? []).reduce(into: [:]) { attributes, attribute in
      guard let members = attribute.members, let key = members["key"]?.word else { return }
      attributes[key] = members["value"].map(value(inJSON:)) ?? .null
    }
  }

  private static func value(inJSON value: TrackingValue) -> TrackingValue {
    guard let (kind, content) = value.members?.first else { return .null }
    switch kind {
    case "intValue": return content.text.flatMap(Int.init).map(TrackingValue.int) ?? content
    case "doubleValue": return content.text.flatMap(Double.init).map(TrackingValue.double) ?? content
    case "arrayValue": return .array((content.members?["values"]?.elements ?? []).map(self.value(inJSON:)))
    case "kvlistValue": return .object(attributes(inJSON: content.members?["values"]))
    default: return content
    }
  }
}
