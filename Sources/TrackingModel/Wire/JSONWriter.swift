/// Writes events and values as JSON text (RFC 8259): canonical values, objects in the order of their names, no white space.
///
/// The one writer of the wire, of messages and of reports, so that an event reads the same everywhere and on every run.
package struct JSONWriter {
  /// The UTF-8 text written so far.
  package private(set) var bytes: [UInt8] = []

  package init() {}

  /// Writes one event as `{"name": ..., "params": {...}}`.
  package mutating func write(_ event: TrackingEvent) {
    raw(#"{"name":"#)
    write(string: event.name)
    raw(#","params":"#)
    writeObject(event.params.map { ($0.key, $1) })
    raw("}")
  }

  /// Writes several events as one array.
  package mutating func write(_ events: some Collection<TrackingEvent>) {
    writeList(events) { $0.write($1) }
  }

  /// Writes one value.
  package mutating func write(_ value: TrackingValue) {
    switch value.canonicalScalar {
    case .null: raw("null")
    case .bool(let value): raw(value ? "true" : "false")
    case .int(let value): raw(value.description)
    case .unsigned(let value): raw(value.description)
    case .double(let value): raw(value.description)
    case .string(let value): write(string: value)
    case .array(let values): writeList(values) { $0.write($1) }
    case .object(let members): writeObject(members.map { ($0, $1) })
    }
  }

  /// Writes a string with its quotes.
  ///
  /// RFC 8259 7: the quotation mark, the reverse solidus and the control characters are escaped, and nothing else.
  package mutating func write(string: String) {
    bytes.append(UInt8(ascii: "\""))
    var string = string
    string.withUTF8 { utf8 in
      bytes.reserveCapacity(bytes.count + utf8.count + 1)
      for byte in utf8 {
        if byte >= 0x20, byte != UInt8(ascii: "\""), byte != UInt8(ascii: "\\") {
          bytes.append(byte)
        } else {
          writeEscape(byte)
        }
      }
    }
    bytes.append(UInt8(ascii: "\""))
  }

  private mutating func writeEscape(_ byte: UInt8) {
    switch byte {
    case UInt8(ascii: "\""): raw(#"\""#)
    case UInt8(ascii: "\\"): raw(#"\\"#)
    case UInt8(ascii: "\n"): raw(#"\n"#)
    case UInt8(ascii: "\r"): raw(#"\r"#)
    case UInt8(ascii: "\t"): raw(#"\t"#)
    default:
      let digits = Array("0123456789abcdef".utf8)
      raw(#"\u00"#)
      bytes.append(digits[Int(byte >> 4)])
      bytes.append(digits[Int(byte & 0xF)])
    }
  }

  private mutating func writeList<Element>(
    _ elements: some Collection<Element>, _ element: (inout JSONWriter, Element) -> Void
  ) {
    raw("[")
    var isFirst = true
    for item in elements {
      if !isFirst { raw(",") }
      isFirst = false
      element(&self, item)
    }
    raw("]")
  }

  private mutating func writeObject(_ members: [(name: String, value: TrackingValue)]) {
    raw("{")
    var isFirst = true
    for (name, value) in members.sorted(by: { $0.name < $1.name }) {
      if !isFirst { raw(",") }
      isFirst = false
      write(string: name)
      raw(":")
      write(value)
    }
    raw("}")
  }

  private mutating func raw(_ text: String) {
    bytes.append(contentsOf: text.utf8)
  }
}
