/// Writes events and values as JSON text (RFC 8259): canonical values, objects in the order of their names.
///
/// The one writer of the wire, of messages and of reports, so that an event reads the same everywhere and on every run.
package struct JSONWriter {
  /// The spaces between tokens.
  package enum Spacing {
    /// Nothing: the wire's form.
    case none
    /// A space after each comma and colon: for people.
    case readable
  }

  /// The UTF-8 text written so far.
  package private(set) var bytes: [UInt8] = []
  private let spacing: Spacing
  /// The open arrays and objects: an explicit stack, because a delivery thread's may be small.
  private var open: [Container] = []

  package init(spacing: Spacing = .none) {
    self.spacing = spacing
  }

  /// Writes one event as `{"name": ..., "params": {...}}`.
  package mutating func write(_ event: TrackingEvent) {
    character("{")
    writeName("name")
    write(string: event.name)
    separate(",")
    writeName("params")
    write(event.params)
    character("}")
  }

  /// Writes several events as one array.
  package mutating func write(_ events: some Collection<TrackingEvent>) {
    character("[")
    var isFirst = true
    for event in events {
      if !isFirst { separate(",") }
      isFirst = false
      write(event)
    }
    character("]")
  }

  /// Writes one value.
  package mutating func write(_ value: TrackingValue) {
    begin(value)
    writeOpenContainers()
  }

  /// Writes the params of an event as an object.
  package mutating func write(_ params: [TrackingParam: TrackingValue]) {
    var members = params.map { (name: $0.key, value: $1) }
    begin(&members)
    writeOpenContainers()
  }

  /// Writes a text as it is, for documents that are written member by member.
  package mutating func write(raw text: StaticString) { raw(text) }

  /// Removes the last byte, such as the bracket that closes a document to which members are added.
  package mutating func removeLast() { bytes.removeLast() }

  /// Makes room, so that a long document isn't copied while it grows.
  package mutating func reserve(_ count: Int) { bytes.reserveCapacity(bytes.count + count) }

  /// Writes a number of thousandths: 1500 is `1.5`, and 2000 is `2`.
  package mutating func write(thousandths: Int) {
    if thousandths < 0 { character("-") }
    let (whole, rest) = thousandths.magnitude.quotientAndRemainder(dividingBy: 1_000)
    write(digitsOf: whole)
    guard rest > 0 else { return }
    character(".")
    var (place, left) = (UInt(100), rest)
    while left > 0 {
      bytes.append(UInt8(ascii: "0") + UInt8(left / place))
      left %= place
      place /= 10
    }
  }

  /// Writes a whole number.
  package mutating func write(number: Int) {
    if number < 0 { character("-") }
    write(digitsOf: number.magnitude)
  }

  /// Without a string in between: a session has several numbers for each event.
  private mutating func write(digitsOf number: UInt) {
    let start = bytes.count
    var rest = number
    repeat {
      bytes.append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10))
      rest /= 10
    } while rest > 0
    // Digit by digit: `reverse()` on a slice would copy it.
    var (first, last) = (start, bytes.count - 1)
    while first < last {
      bytes.swapAt(first, last)
      (first, last) = (first + 1, last - 1)
    }
  }

  /// Writes a string with its quotes.
  ///
  /// RFC 8259 7: only the quotation mark, the reverse solidus and the control characters are escaped.
  package mutating func write(string: String) {
    character("\"")
    var string = string
    string.withUTF8 { utf8 in
      // Runs without escapes are copied in one piece; nearly always that is the whole string.
      var start = 0
      for index in utf8.indices where needsEscape(utf8[index]) {
        bytes.append(contentsOf: UnsafeBufferPointer(rebasing: utf8[start..<index]))
        writeEscape(utf8[index])
        start = index + 1
      }
      bytes.append(contentsOf: UnsafeBufferPointer(rebasing: utf8[start...]))
    }
    character("\"")
  }

  /// Writes a value whole if it is a scalar, else its opening bracket.
  private mutating func begin(_ value: TrackingValue) {
    switch value.canonicalScalar {
    case .null: raw("null")
    case .bool(let value): raw(value ? "true" : "false")
    case .int(let value): write(number: value)
    case .unsigned(let value): bytes.append(contentsOf: value.description.utf8)
    case .double(let value): bytes.append(contentsOf: value.description.utf8)
    case .string(let value): write(string: value)
    case .array(let values):
      character("[")
      open.append(Container(children: .elements(values)))
    case .object(let members):
      var members = members.map { (name: $0, value: $1) }
      begin(&members)
    }
  }

  /// Sorts the members where they lie, and writes the beginning of an object.
  private mutating func begin(_ members: inout [(name: String, value: TrackingValue)]) {
    members.sort { $0.name.precedes($1.name) }
    character("{")
    guard members.allSatisfy({ !$0.value.isContainer }) else {
      open.append(Container(children: .members(members)))
      return
    }
    // As the params of most events are: nothing has to be remembered.
    for index in members.indices {
      if index > 0 { separate(",") }
      writeName(members[index].name)
      begin(members[index].value)
    }
    character("}")
  }

  private mutating func writeOpenContainers() {
    while let last = open.indices.last {
      let index = open[last].next
      open[last].next += 1
      switch open[last].children {
      case .elements(let values) where index < values.count:
        if index > 0 { separate(",") }
        begin(values[index])
      case .members(let members) where index < members.count:
        if index > 0 { separate(",") }
        writeName(members[index].name)
        begin(members[index].value)
      case .elements:
        character("]")
        open.removeLast()
      case .members:
        character("}")
        open.removeLast()
      }
    }
  }

  private mutating func writeName(_ name: String) {
    write(string: name)
    separate(":")
  }

  private func needsEscape(_ byte: UInt8) -> Bool {
    byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\")
  }

  private mutating func writeEscape(_ byte: UInt8) {
    switch byte {
    case UInt8(ascii: "\""): raw(#"\""#)
    case UInt8(ascii: "\\"): raw(#"\\"#)
    case UInt8(ascii: "\n"): raw(#"\n"#)
    case UInt8(ascii: "\r"): raw(#"\r"#)
    case UInt8(ascii: "\t"): raw(#"\t"#)
    default:
      raw(#"\u00"#)
      bytes.append(hexDigit(byte >> 4))
      bytes.append(hexDigit(byte & 0xF))
    }
  }

  private func hexDigit(_ value: UInt8) -> UInt8 {
    value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "a") + value - 10
  }

  private mutating func separate(_ separator: Unicode.Scalar) {
    character(separator)
    if spacing == .readable { character(" ") }
  }

  private mutating func character(_ ascii: Unicode.Scalar) {
    bytes.append(UInt8(ascii: ascii))
  }

  private mutating func raw(_ text: StaticString) {
    text.withUTF8Buffer { bytes.append(contentsOf: $0) }
  }
}

extension TrackingValue: CustomStringConvertible {
  /// The value as JSON, with a space after each comma and colon: `{"id": "42", "price": 9.5}`.
  public var description: String {
    var writer = JSONWriter(spacing: .readable)
    writer.write(self)
    return String(decoding: writer.bytes, as: UTF8.self)
  }
}

extension TrackingValue {
  fileprivate var isContainer: Bool {
    switch self {
    case .array, .object: true
    case .null, .bool, .int, .unsigned, .double, .string: false
    }
  }
}

/// An array or an object that is partly written.
private struct Container {
  enum Children {
    case elements([TrackingValue])
    case members([(name: String, value: TrackingValue)])
  }

  let children: Children
  var next = 0
}
