/// Writes events and values as JSON text (RFC 8259): canonical values, objects sorted by their names.
///
/// The only writer of the wire, of messages and of reports, so that an event reads the same everywhere and on every run.
///
/// Not copyable: checking a shared array's uniqueness before each piece took a third of the time of an event.
package struct JSONWriter: ~Copyable {
  package enum Spacing {
    case none
    /// A space after each comma and colon.
    case readable
  }

  package private(set) var count = 0
  private var capacity = 256
  private var start = UnsafeMutablePointer<UInt8>.allocate(capacity: 256)
  private let spacing: Spacing
  /// An explicit stack of open arrays and objects, because a delivery thread's may be small.
  private var open: [Container] = []
  private var spare: [(name: String, value: TrackingValue)] = []

  package init(spacing: Spacing = .none) {
    self.spacing = spacing
  }

  deinit { start.deallocate() }

  package var bytes: [UInt8] { Array(UnsafeBufferPointer(start: start, count: count)) }

  /// Writes `{"name": ..., "params": {...}}`, with the call site as `at` if there is one.
  package mutating func write(_ event: TrackingEvent) {
    character("{")
    writeName("name")
    write(string: event.name)
    separate(",")
    writeName("params")
    write(event.params)
    if let site = event.sharedCallSite {
      separate(",")
      raw(#""at""#)
      separate(":")
      site.json.withUnsafeBufferPointer { append($0) }
    }
    character("}")
  }

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

  package mutating func write(_ value: TrackingValue) {
    begin(value)
    writeOpenContainers()
  }

  package mutating func write(_ params: [TrackingParam: TrackingValue]) {
    // One allocation for all events of a document.
    var members = spare
    spare = []
    members.reserveCapacity(params.count)
    for (param, value) in params { members.append((param.key, value)) }
    begin(&members)
    writeOpenContainers()
    members.removeAll(keepingCapacity: true)
    spare = members
  }

  // MARK: Documents that are written part by part

  package mutating func object(_ body: (inout JSONWriter) -> Void) {
    character("{")
    body(&self)
    character("}")
  }

  /// Writes an array with one line per element; `body` begins each with ``beginLine()``.
  package mutating func lines(_ body: (inout JSONWriter) -> Void) {
    raw("[\n")
    body(&self)
    raw("\n]")
  }

  package mutating func array(_ body: (inout JSONWriter) -> Void) {
    character("[")
    body(&self)
    character("]")
  }

  /// Begins an element of an array whose elements are written one by one.
  package mutating func beginElement() {
    if start[count - 1] != UInt8(ascii: "[") { character(",") }
  }

  package mutating func beginLine() {
    if start[count - 1] != UInt8(ascii: "\n") { raw(",\n") }
  }

  package mutating func endDocument() { character("\n") }

  package mutating func member(_ name: StaticString, _ body: (inout JSONWriter) -> Void) {
    beginMember()
    name.withUTF8Buffer { appendQuoted($0) }
    character(":")
    body(&self)
  }

  /// Writes nothing for `nil`.
  package mutating func member(_ name: StaticString, _ value: TrackingValue?) {
    if let value { member(name) { $0.write(value) } }
  }

  /// Writes nothing for `nil`.
  package mutating func member(_ name: StaticString, _ value: String?) {
    if let value { member(name) { $0.write(string: value) } }
  }

  /// Writes nothing for `nil`.
  package mutating func member(_ name: StaticString, _ value: Int?) {
    if let value { member(name) { $0.write(number: value) } }
  }

  package mutating func members(_ members: [String: TrackingValue]) {
    for (name, value) in members.sorted(by: { $0.key.precedes($1.key) }) {
      beginMember()
      writeName(name)
      write(value)
    }
  }

  private mutating func beginMember() {
    if start[count - 1] != UInt8(ascii: "{") { character(",") }
  }

  /// Reserves memory, so that a long document isn't copied while it grows.
  package mutating func reserve(_ more: Int) {
    guard capacity - count < more else { return }
    capacity = max(count + more, 2 * capacity)
    let larger = UnsafeMutablePointer<UInt8>.allocate(capacity: capacity)
    larger.moveInitialize(from: start, count: count)
    start.deallocate()
    start = larger
  }

  /// Writes 1500 as `1.5`, and 2000 as `2`.
  package mutating func write(thousandths: Int) {
    if thousandths < 0 { character("-") }
    let (whole, rest) = thousandths.magnitude.quotientAndRemainder(dividingBy: 1_000)
    write(digitsOf: whole)
    guard rest > 0 else { return }
    character(".")
    var (place, left) = (UInt(100), rest)
    while left > 0 {
      character(UInt8(ascii: "0") + UInt8(left / place))
      left %= place
      place /= 10
    }
  }

  package mutating func write(number: Int) {
    if number < 0 { character("-") }
    write(digitsOf: number.magnitude)
  }

  /// Avoids an intermediate string: a session has several numbers for each event.
  private mutating func write(digitsOf number: UInt) {
    var (length, rest) = (1, number)
    while rest > 9 { (length, rest) = (length + 1, rest / 10) }
    reserve(length)
    rest = number
    for place in stride(from: count + length - 1, through: count, by: -1) {
      start[place] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10)
      rest /= 10
    }
    count += length
  }

  /// Writes a quoted string; only the quotation mark, the reverse solidus and control characters are escaped (RFC 8259 7).
  package mutating func write(string: String) {
    string.withBytes { utf8 in
      // Usually the whole string is written at once.
      guard !isPlain(utf8) else { return appendQuoted(utf8) }
      character("\"")
      for byte in utf8 { if needsEscape(byte) { writeEscape(byte) } else { character(byte) } }
      character("\"")
    }
  }

  /// Whether no byte needs an escape, in steps of eight bytes.
  private func isPlain(_ utf8: UnsafeBufferPointer<UInt8>) -> Bool {
    guard utf8.count >= 8 else { return utf8.allSatisfy { !needsEscape($0) } }
    let bytes = UnsafeRawBufferPointer(utf8)
    var offset = 0
    while offset < bytes.count - 8 {
      guard !hasEscape(bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self)) else { return false }
      offset += 8
    }
    // The last eight bytes, some of them for the second time.
    return !hasEscape(bytes.loadUnaligned(fromByteOffset: bytes.count - 8, as: UInt64.self))
  }

  /// Whether one of eight bytes needs an escape.
  ///
  /// A byte minus a limit borrows if it is less: the zero-byte test of "Bit Twiddling Hacks" (S. E. Anderson). A borrow can give a false hit in the
  /// byte above, but only if there is a true one below.
  private func hasEscape(_ bytes: UInt64) -> Bool {
    let ones: UInt64 = 0x0101_0101_0101_0101
    let (quotes, slashes) = (bytes ^ (ones &* 0x22), bytes ^ (ones &* 0x5C))
    let found = (bytes &- ones &* 0x20) & ~bytes | (quotes &- ones) & ~quotes | (slashes &- ones) & ~slashes
    return found & (ones &* 0x80) != 0
  }

  /// Writes a scalar, or the opening bracket of an array or object.
  private mutating func begin(_ value: TrackingValue) {
    switch value.canonicalScalar {
    case .null: raw("null")
    case .bool(let value): raw(value ? "true" : "false")
    case .int(let value): write(number: value)
    case .unsigned(let value): value.description.withBytes { append($0) }
    case .double(let value): value.description.withBytes { append($0) }
    case .string(let value): write(string: value)
    case .array(let values):
      character("[")
      open.append(Container(children: .elements(values)))
    case .object(let members):
      var members = members.map { (name: $0, value: $1) }
      begin(&members)
    }
  }

  /// Sorts the members in place and opens the object.
  private mutating func begin(_ members: inout [(name: String, value: TrackingValue)]) {
    members.sort { $0.name.precedes($1.name) }
    character("{")
    guard members.allSatisfy({ !$0.value.isContainer }) else {
      open.append(Container(children: .members(members)))
      return
    }
    // Flat params, the usual case: nothing has to be remembered.
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
      character(hexDigit(byte >> 4))
      character(hexDigit(byte & 0xF))
    }
  }

  private func hexDigit(_ value: UInt8) -> UInt8 {
    value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "a") + value - 10
  }

  private mutating func separate(_ separator: Unicode.Scalar) {
    character(separator)
    if spacing == .readable { character(" ") }
  }

  private mutating func character(_ ascii: Unicode.Scalar) { character(UInt8(ascii: ascii)) }

  private mutating func character(_ byte: UInt8) {
    reserve(1)
    start[count] = byte
    count += 1
  }

  private mutating func raw(_ text: StaticString) {
    text.withUTF8Buffer { append($0) }
  }

  private mutating func appendQuoted(_ piece: UnsafeBufferPointer<UInt8>) {
    reserve(piece.count + 2)
    start[count] = UInt8(ascii: "\"")
    if let first = piece.baseAddress { (start + count + 1).initialize(from: first, count: piece.count) }
    start[count + piece.count + 1] = UInt8(ascii: "\"")
    count += piece.count + 2
  }

  private mutating func append(_ piece: UnsafeBufferPointer<UInt8>) {
    guard let first = piece.baseAddress else { return }
    reserve(piece.count)
    (start + count).initialize(from: first, count: piece.count)
    count += piece.count
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

/// An array or object that is partly written.
private struct Container {
  enum Children {
    case elements([TrackingValue])
    case members([(name: String, value: TrackingValue)])
  }

  let children: Children
  var next = 0
}
