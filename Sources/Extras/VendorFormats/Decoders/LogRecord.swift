import Foundation
import TrackingModel
import TrackingServer

/// An OTLP log record, with the attributes of its resource and the name of its scope.
struct LogRecord {
  var name = ""
  private var eventName: String?
  private var body: TrackingValue?
  var attributes: [String: TrackingValue] = [:]
  /// The time since 1970; `nil` if unknown.
  var nanoseconds: UInt64?
  var severity: String?
  var scope: String?
  var resource: [String: TrackingValue] = [:]

  var time: Date? { nanoseconds.map { Date(timeIntervalSince1970: Double($0) / 1e9) } }

  /// Sets the name: the event name or else the body.
  private mutating func takeName() throws(DecodedSubmission.Malformed) {
    let named = eventName ?? attributes.removeValue(forKey: "event.name")?.stringValue
    guard let name = named ?? body?.stringValue else {
      throw DecodedSubmission.Malformed(path: "", reason: "expected an event name, or a body that is a string")
    }
    self.name = name
    // Older conventions put an event's params in the body.
    if named != nil, let body = body?.objectValue { attributes.merge(body) { own, _ in own } }
  }
}

// MARK: - Protobuf

// The field numbers are those of opentelemetry/proto/collector/logs/v1 and common/v1.
extension LogRecord {
  static func records(in message: Data, _ submission: inout DecodedSubmission) throws -> [LogRecord] {
    var records: [LogRecord] = []
    try ProtobufReader.fields(of: message) { resourceLogs in
      guard resourceLogs.number == 1 else { return }
      let first = records.count
      var resource: [String: TrackingValue] = [:]
      try ProtobufReader.fields(of: resourceLogs.bytes()) { field in
        switch field.number {
        case 1: resource.merge(try attributes(in: field.bytes())) { $1 }
        // 1000 was `instrumentation_library_logs`.
        case 2, 1_000: try readScope(field.bytes(), into: &records, &submission)
        default: break
        }
      }
      // The fields of a message come in any order.
      for index in first..<records.count { records[index].resource = resource }
    }
    return records
  }

  private static func readScope(
    _ message: Data, into records: inout [LogRecord], _ submission: inout DecodedSubmission
  ) throws {
    let first = records.count
    var scope: String?
    try ProtobufReader.fields(of: message) { field in
      switch field.number {
      case 1:
        try ProtobufReader.fields(of: field.bytes()) { if $0.number == 1 { scope = try $0.text() } }
      case 2:
        var record = try LogRecord(field.bytes())
        let number = records.count + submission.malformed.count + 1
        submission.read("log record \(number)") { _ in
          try record.takeName()
          records.append(record)
        }
      default: break
      }
    }
    for index in first..<records.count { records[index].scope = scope }
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
  /// Reads the records of the same message in JSON, where 64-bit integers are strings, and notes what can't be read; `nil` for another message.
  static func records(inJSON message: TrackingValue, _ submission: inout DecodedSubmission) -> [LogRecord]? {
    guard let resources = message.objectValue?["resourceLogs"]?.arrayValue else { return nil }
    var records: [LogRecord] = []
    for (index, resourceLogs) in resources.enumerated() {
      submission.read("resourceLogs[\(index)]") { submission in
        let members = try resourceLogs.itemMembers()
        let first = records.count
        // The second is the name in older versions.
        for list in ["scopeLogs", "instrumentationLibraryLogs"] {
          for (index, scopeLogs) in try members[list].elements(at: list).enumerated() {
            submission.read("\(list)[\(index)]") { try readScope(scopeLogs, into: &records, &$0) }
          }
        }
        let resource = try members["resource"].members(at: "resource")
        let attributes = try attributes(inJSON: resource["attributes"], at: "resource.attributes")
        for index in first..<records.count { records[index].resource = attributes }
      }
    }
    return records
  }

  private static func readScope(
    _ value: TrackingValue, into records: inout [LogRecord], _ submission: inout DecodedSubmission
  ) throws {
    let members = try value.itemMembers()
    // The second names are those of older versions.
    let scope = (members["scope"] ?? members["instrumentationLibrary"])?.objectValue?["name"]?.stringValue
    for list in ["logRecords", "logs"] {
      for (index, record) in try members[list].elements(at: list).enumerated() {
        submission.read("\(list)[\(index)]") { _ in
          var record = try LogRecord(inJSON: record)
          try record.takeName()
          record.scope = scope
          records.append(record)
        }
      }
    }
  }

  private init(inJSON value: TrackingValue) throws(DecodedSubmission.Malformed) {
    let members = try Optional(value).members()
    eventName = members["eventName"]?.stringValue.flatMap { $0.isEmpty ? nil : $0 }
    body = try members["body"].map { value throws(DecodedSubmission.Malformed) in
      try Self.value(inJSON: value, at: "body")
    }
    attributes = try Self.attributes(inJSON: members["attributes"], at: "attributes")
    nanoseconds = members["timeUnixNano"]?.id.flatMap { UInt64($0) }.flatMap { $0 == 0 ? nil : $0 }
    severity = members["severityText"]?.stringValue
  }

  private static func attributes(
    inJSON list: TrackingValue?, at path: String
  ) throws(DecodedSubmission.Malformed) -> [String: TrackingValue] {
    var attributes: [String: TrackingValue] = [:]
    for (index, attribute) in try list.elements(at: path).enumerated() {
      let path = "\(path)[\(index)]"
      let members = try Optional(attribute).members(at: path)
      guard let key = members["key"]?.word else {
        throw DecodedSubmission.Malformed(
          path: "\(path).key", reason: "expected a name, found \(members["key"]?.kind ?? "nothing")")
      }
      attributes[key] = try value(inJSON: members["value"], at: "\(path).value")
    }
    return attributes
  }

  /// The members of an `AnyValue`, which has one of them; versions of opentelemetry-rust wrap the value in another object, `value`.
  private static let kinds = [
    "stringValue", "boolValue", "intValue", "doubleValue", "arrayValue", "kvlistValue", "bytesValue", "value",
  ]

  /// Reads an `AnyValue`; an object without members counts as `null`.
  private static func value(
    inJSON value: TrackingValue?, at path: String
  ) throws(DecodedSubmission.Malformed) -> TrackingValue {
    let members = try value.members(at: path).filter { $1 != .null }
    guard let kind = kinds.first(where: { members[$0] != nil }), let content = members[kind] else {
      guard members.isEmpty else {
        throw DecodedSubmission.Malformed(path: path, reason: "expected a member such as stringValue or intValue")
      }
      return .null
    }
    let path = "\(path).\(kind)"
    func expected(_ what: String) -> DecodedSubmission.Malformed {
      DecodedSubmission.Malformed(path: path, reason: "expected \(what), found \(content.kind)")
    }
    switch (kind, content) {
    case ("stringValue", .string), ("bytesValue", .string), ("boolValue", .bool), ("intValue", .int),
      ("intValue", .unsigned), ("doubleValue", .int), ("doubleValue", .unsigned), ("doubleValue", .double):
      return content
    case ("intValue", _):
      guard let number = content.stringValue.flatMap(Int.init) else { throw expected("an integer") }
      return .int(number)
    case ("doubleValue", _):
      guard let number = content.stringValue.flatMap(Double.init) else { throw expected("a number") }
      return TrackingValue.double(number).canonical
    case ("arrayValue", _), ("kvlistValue", _):
      // The example of events in opentelemetry-proto has the list without `values`.
      let isBare = content.arrayValue != nil
      let list = isBare ? content : try Optional(content).members(at: path)["values"]
      let path = isBare ? path : "\(path).values"
      if kind == "kvlistValue" { return .object(try attributes(inJSON: list, at: path)) }
      var values: [TrackingValue] = []
      for (index, element) in try list.elements(at: path).enumerated() {
        values.append(try self.value(inJSON: element, at: "\(path)[\(index)]"))
      }
      return .array(values)
    case ("value", _): return try self.value(inJSON: content, at: path)
    case ("boolValue", _): throw expected("a boolean")
    default: throw expected("a string")
    }
  }
}
