import TestSupport
import VendorFormats

/// OTLP's log records as protobuf, which are read as the JSON that they map to.
final class OpenTelemetryTests: XCTestCase {
  private func protobuf(_ message: [UInt8]) -> ReceivedRequest {
    var request = request("/v1/logs", type: "application/x-protobuf")
    request.body = Data(message)
    return request
  }

  func testAMessageIsReadLikeItsJSON() throws {
    var samples = Samples(generator: RandomCases.generator(seed: 66))
    for _ in 0..<RandomCases.count(2_000) {
      let (message, json) = samples.message()
      let body = String(decoding: try JSONEncoder().encode(json), as: UTF8.self)
      let read = try AcceptedFormat.openTelemetry.submission(in: protobuf(message))
      let expected = try AcceptedFormat.openTelemetry.submission(in: request("/v1/logs", body))
      XCTAssertEqual(read?.facts, expected?.facts, body)
    }
  }

  func testInvalidBytesAreRefusedWithTheirPlace() throws {
    func record(_ fields: [UInt8]) -> [UInt8] { field(1, field(2, field(2, fields))) }
    func attribute(_ fields: [UInt8]) -> [UInt8] { record(field(6, fields)) }
    let cases: [([UInt8], String)] = [
      (record([12 << 3 | 2, 9, 97]), "the protobuf message ends in the middle of a field, at byte 8"),
      (record([1 << 3, 0x80]), "the protobuf message ends in the middle of a field, at byte 8"),
      (record([8 << 3 | 7, 0]), "field 8 of the protobuf message has the wire type 7"),
      (record([0, 0]), "the protobuf message has a field of the number 0, at byte 6"),
      (record([12 << 3, 1]), "field 12 of the protobuf message has the wire type 0"),
      (record([8 << 3 | 3]), "field 8 of the protobuf message has the wire type 3"),
      (record(field(1, [1])), "field 1 of the protobuf message has the wire type 2"),
      (record(field(12, [0xFF])), "field 12 of the protobuf message is not UTF-8"),
      (attribute(field(2, field(3, [1]))), "field 3 of the protobuf message has the wire type 2"),
      (
        attribute(field(1, Array(("e" + String(repeating: "\u{301}", count: 31)).utf8))),
        "in field 1 of the protobuf message, a key, more than 30 combining characters follow one another"
      ),
    ]
    for (message, problem) in cases {
      XCTAssertThrowsError(try AcceptedFormat.openTelemetry.lines(protobuf(message))) {
        XCTAssertEqual("\($0)", problem)
      }
    }
  }

  func testValuesNestedToTheLimitAreReadOnASmallStack() {
    let (list, object) = (
      { (value: [UInt8]) in field(5, field(1, value)) },
      { (value: [UInt8]) in field(6, field(1, text(1, "k") + field(2, value))) }
    )
    for wrap in [list, object] {
      let bodies = [64, 65].map { depth in
        let value = (1..<depth).reduce(text(1, "x")) { value, _ in wrap(value) }
        return protobuf(field(1, field(2, field(2, text(12, "paid") + field(6, text(1, "a") + field(2, value))))))
      }
      runOnASmallStack {
        let results = bodies.map { body in Result { try AcceptedFormat.openTelemetry.lines(body) ?? [] } }
        XCTAssertEqual((try? results[0].get())?.count, 1)
        guard case .failure(let error) = results[1] else { return XCTFail("65 levels are read") }
        XCTAssertEqual("\(error)", "the protobuf message is nested deeper than 64 levels")
      }
    }
  }

  func testOfARepeatedFieldTheLastCountsAndARepeatedResourceAddsUp() throws {
    func attribute(_ name: String, _ values: String...) -> [UInt8] {
      text(1, name) + values.flatMap { field(2, text(1, $0)) }
    }
    let resources = field(1, field(1, attribute("a", "1"))) + field(1, field(1, attribute("b", "2")))
    let list = field(1, text(1, "old")) + field(5, field(1, text(1, "new")))
    let record =
      text(12, "old") + text(12, "paid") + field(6, attribute("plan", "free", "pro"))
      + field(6, text(1, "l") + field(2, list)) + field(6, field(2, text(1, "no key")))
    let submission = try AcceptedFormat.openTelemetry.submission(
      in: protobuf(field(1, resources + field(2, field(2, record)))))
    XCTAssertEqual(submission?.lines, [#"track paid(: "no key", l: ["new"], plan: "pro")"#])
    XCTAssertEqual(submission?.items.first?.context, ["a": "1", "b": "2"])
  }

  func testARecordWithoutANameIsNotedAtItsPlace() throws {
    let records = field(2, text(12, "paid")) + field(2, text(3, "INFO"))
    XCTAssertEqual(
      try AcceptedFormat.openTelemetry.lines(protobuf(field(1, field(2, []) + field(2, records)))),
      [
        "track paid()",
        "malformed resourceLogs[0].scopeLogs[1].logRecords[1]: expected an event name, or a body that is a string",
      ])
  }
}

// MARK: - Messages

private func varint(_ value: UInt64) -> [UInt8] {
  value < 0x80 ? [UInt8(value)] : [UInt8(value & 0x7F | 0x80)] + varint(value >> 7)
}

private func field(_ number: UInt64, _ content: [UInt8]) -> [UInt8] {
  varint(number << 3 | 2) + varint(UInt64(content.count)) + content
}

private func text(_ number: UInt64, _ text: String) -> [UInt8] { field(number, Array(text.utf8)) }

private func fixed(_ number: UInt64, _ value: UInt64) -> [UInt8] {
  varint(number << 3 | 1) + (0..<8).map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) }
}

/// Random messages, as protobuf and as the JSON that an exporter writes (opentelemetry.io, OTLP 1.x, JSON Protobuf Encoding).
private struct Samples {
  typealias Sample = (wire: [UInt8], json: TrackingValue)

  var generator: SeededGenerator

  private mutating func one<Element>(of elements: [Element]) -> Element {
    elements[Int.random(in: elements.indices, using: &generator)]
  }

  /// Up to three samples: their fields, and the list of their values.
  private mutating func several(_ number: UInt64, _ sample: (inout Samples) -> Sample) -> Sample {
    let samples = (0..<Int.random(in: 0...3, using: &generator)).map { _ in sample(&self) }
    return (samples.flatMap { field(number, $0.wire) }, .array(samples.map(\.json)))
  }

  mutating func message() -> Sample {
    let resources = several(1) { samples in
      let (attributes, scopes) = (samples.attributes(1), samples.several(2) { $0.scope() })
      return (
        field(1, attributes.wire) + scopes.wire,
        ["resource": ["attributes": attributes.json], "scopeLogs": scopes.json]
      )
    }
    return (resources.wire, ["resourceLogs": resources.json])
  }

  private mutating func scope() -> Sample {
    let (name, records) = (one(of: ["", "shop"]), several(2) { $0.record() })
    return (field(1, text(1, name)) + records.wire, ["scope": ["name": .string(name)], "logRecords": records.json])
  }

  private mutating func record() -> Sample {
    let (time, severity) = (one(of: [0, 1, 1_795_260_164_901_000_001, UInt64.max]), one(of: ["", "INFO"]))
    let (body, attributes) = (value(), attributes(6))
    var (wire, json): ([UInt8], [String: TrackingValue]) = (
      fixed(1, time) + text(3, severity) + field(5, body.wire) + attributes.wire,
      [
        "timeUnixNano": .string("\(time)"), "severityText": .string(severity), "body": body.json,
        "attributes": attributes.json,
      ]
    )
    if Bool.random(using: &generator) {
      wire += text(12, "paid")
      json["eventName"] = "paid"
    }
    return (wire, .object(json))
  }

  private mutating func attributes(_ number: UInt64, depth: Int = 0) -> Sample {
    several(number) { samples in
      let key = samples.one(of: ["", "total", "event.name", "session.id", "ü"])
      let value = samples.value(depth: depth)
      return (text(1, key) + field(2, value.wire), ["key": .string(key), "value": value.json])
    }
  }

  private mutating func value(depth: Int = 0) -> Sample {
    switch Int.random(in: depth < 3 ? 0..<8 : 0..<6, using: &generator) {
    case 0: return ([], [:])
    case 1:
      let value = one(of: ["", "paid", "1"])
      return (text(1, value), ["stringValue": .string(value)])
    case 2:
      let value = Bool.random(using: &generator)
      return ([2 << 3, value ? 1 : 0], ["boolValue": .bool(value)])
    case 3:
      let value = one(of: [0, 3, -1, Int.max, .min])
      return ([3 << 3] + varint(UInt64(bitPattern: Int64(value))), ["intValue": .string("\(value)")])
    case 4:
      // JSON has no NaN and no infinities; the encoder writes their names.
      let value = one(of: [0, -0.0, 3, 12.5, 1e300, 0x1p63, .nan, .infinity, -.infinity])
      return (fixed(4, value.bitPattern), ["doubleValue": .double(value)])
    case 5:
      let value = Data(one(of: [[], [1], [0xFB, 0xFF]]) as [UInt8])
      return (field(7, Array(value)), ["bytesValue": .string(value.base64EncodedString())])
    case 6:
      let values = several(1) { $0.value(depth: depth + 1) }
      return (field(5, values.wire), ["arrayValue": ["values": values.json]])
    default:
      let attributes = attributes(1, depth: depth + 1)
      return (field(6, attributes.wire), ["kvlistValue": ["values": attributes.json]])
    }
  }
}

extension DecodedSubmission {
  /// All that is read, one text for each item and each problem.
  fileprivate var facts: [String] {
    items.map { item in
      let context = TrackingValue.object(item.context)
      return "\(item.kind) \(item.event) \(context) \(item.addedParams.sorted()) \(item.id ?? "-") \(item.time as Any)"
    } + malformed.map { "malformed \($0)" }
  }
}
