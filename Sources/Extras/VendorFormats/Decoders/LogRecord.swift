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

extension LogRecord {
  /// Reads the records of a message in JSON, where 64-bit integers may be strings, and notes what can't be read; `nil` for another message.
  static func records(in message: TrackingValue, _ submission: inout DecodedSubmission) -> [LogRecord]? {
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
        let attributes = try attributes(in: resource["attributes"], at: "resource.attributes")
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
          var record = try LogRecord(record)
          try record.takeName()
          record.scope = scope
          records.append(record)
        }
      }
    }
  }

  private init(_ value: TrackingValue) throws(DecodedSubmission.Malformed) {
    let members = try Optional(value).members()
    eventName = members["eventName"]?.stringValue.flatMap { $0.isEmpty ? nil : $0 }
    body = try members["body"].map { value throws(DecodedSubmission.Malformed) in
      try Self.value(in: value, at: "body")
    }
    attributes = try Self.attributes(in: members["attributes"], at: "attributes")
    nanoseconds = members["timeUnixNano"]?.id.flatMap { UInt64($0) }.flatMap { $0 == 0 ? nil : $0 }
    severity = members["severityText"]?.stringValue
  }

  private static func attributes(
    in list: TrackingValue?, at path: String
  ) throws(DecodedSubmission.Malformed) -> [String: TrackingValue] {
    var attributes: [String: TrackingValue] = [:]
    for (index, attribute) in try list.elements(at: path).enumerated() {
      let path = "\(path)[\(index)]"
      let members = try Optional(attribute).members(at: path)
      guard let key = members["key"]?.word else {
        throw DecodedSubmission.Malformed(
          path: "\(path).key", reason: "expected a name, found \(members["key"]?.kind ?? "nothing")")
      }
      attributes[key] = try value(in: members["value"], at: "\(path).value")
    }
    return attributes
  }

  /// The members of an `AnyValue`, which has one of them; versions of opentelemetry-rust wrap the value in another object, `value`.
  private static let kinds = [
    "stringValue", "boolValue", "intValue", "doubleValue", "arrayValue", "kvlistValue", "bytesValue", "value",
  ]

  /// Reads an `AnyValue`; an object without members counts as `null`.
  private static func value(
    in value: TrackingValue?, at path: String
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
      if kind == "kvlistValue" { return .object(try attributes(in: list, at: path)) }
      var values: [TrackingValue] = []
      for (index, element) in try list.elements(at: path).enumerated() {
        values.append(try self.value(in: element, at: "\(path)[\(index)]"))
      }
      return .array(values)
    case ("value", _): return try self.value(in: content, at: path)
    case ("boolValue", _): throw expected("a boolean")
    default: throw expected("a string")
    }
  }
}
