import Foundation
import TrackingModel

/// A strict JSON reader (RFC 8259) that parses bytes in place.
///
/// Refuses what it can't represent, with path and offset. Takes linear time and limits the depth. Must not outlive the memory that it reads.
package struct JSONReader {
  let bytes: UnsafePointer<UInt8>
  let count: Int
  package internal(set) var offset = 0
  package private(set) var keyOffset = 0
  private var depth = 0
  private let maximumDepth: Int
  /// The reading of a number that no value holds exactly.
  package enum LargeNumber {
    case refused
    /// The nearest double.
    case rounded
    /// For an integer a text with its digits, which no other integer equals; for another number the nearest double.
    case spelled
  }
  package var largeNumber = LargeNumber.refused

  package init(_ text: UnsafeBufferPointer<UInt8>, maximumDepth: Int) {
    // An empty buffer may have no address. Then no byte is ever read.
    bytes = text.baseAddress ?? UnsafePointer(bitPattern: 1)!
    count = text.count
    self.maximumDepth = maximumDepth
  }

  package static func read<Value>(
    _ text: some Collection<UInt8>, maximumDepth: Int, _ body: (inout JSONReader) throws(JSONError) -> Value
  ) throws(JSONError) -> Value {
    // A collection's own methods rethrow untyped.
    func read(_ bytes: UnsafeBufferPointer<UInt8>) -> Result<Value, JSONError> {
      Result { () throws(JSONError) in
        var reader = JSONReader(bytes, maximumDepth: maximumDepth)
        let value = try body(&reader)
        try reader.end()
        return value
      }
    }
    return try (text.withContiguousStorageIfAvailable(read) ?? Array(text).withUnsafeBufferPointer(read)).get()
  }

  /// The next byte that isn't white space, without consuming it; `nil` at the end.
  package mutating func peek() -> UInt8? {
    while offset < count {
      switch bytes[offset] {
      // RFC 8259 2: no other white space.
      case UInt8(ascii: " "), UInt8(ascii: "\n"), UInt8(ascii: "\r"), UInt8(ascii: "\t"): offset += 1
      case let byte: return byte
      }
    }
    return nil
  }

  /// Skips a byte order mark at the beginning, which a reader may ignore (RFC 8259 8.1).
  package mutating func skipByteOrderMark() {
    if offset == 0, count > 2, bytes[0] == 0xEF, bytes[1] == 0xBB, bytes[2] == 0xBF { offset = 3 }
  }

  /// Checks that only white space is left.
  package mutating func end() throws(JSONError) {
    guard peek() == nil else { throw failure("expected the end of the text, found \(found())") }
  }

  package mutating func value() throws(JSONError) -> TrackingValue {
    switch peek() {
    case UInt8(ascii: "\""):
      return .string(try string())
    case UInt8(ascii: "{"):
      return .object(try members())
    case UInt8(ascii: "["):
      var values: [TrackingValue] = []
      try array { (reader) throws(JSONError) in values.append(try reader.value()) }
      return .array(values)
    case .some(UInt8(ascii: "0")...UInt8(ascii: "9")), UInt8(ascii: "-"):
      return try number()
    case UInt8(ascii: "t"):
      try literal("true")
      return .bool(true)
    case UInt8(ascii: "f"):
      try literal("false")
      return .bool(false)
    case UInt8(ascii: "n"):
      try literal("null")
      return .null
    default:
      throw failure("expected a value, found \(found())")
    }
  }

  /// Skips a value, checking syntax and depth, but not whether a `TrackingValue` can hold it.
  package mutating func skipCheckedValue() throws(JSONError) {
    switch peek() {
    case UInt8(ascii: "\""):
      _ = try string()
    case UInt8(ascii: "{"):
      try object { (reader, _) throws(JSONError) in
        try reader.skipCheckedValue()
        return true
      }
    case UInt8(ascii: "["):
      try array { (reader) throws(JSONError) in try reader.skipCheckedValue() }
    case .some(UInt8(ascii: "0")...UInt8(ascii: "9")), UInt8(ascii: "-"):
      try skipNumber()
    default:
      _ = try value()
    }
  }

  /// Reads an object's members; `capacity` is the expected number.
  package mutating func members(capacity: Int = 0) throws(JSONError) -> [String: TrackingValue] {
    var members = [String: TrackingValue](minimumCapacity: capacity)
    try object { (reader, key) throws(JSONError) in
      let offset = reader.keyOffset
      let value = try reader.value()
      guard members.updateValue(value, forKey: key) != nil else { return true }
      guard let known = members.index(forKey: key), !members.keys[known].isSameText(as: key) else { return false }
      throw JSONError(
        reason: "this key is canonically equivalent to an earlier one (they differ in Unicode normalization only)",
        offset: offset)
    }
    return members
  }

  /// Skips a value by its brackets and quotation marks alone: from a refused element to the next one.
  package mutating func skipValue() throws(JSONError) {
    var open = 0
    while let byte = peek() {
      switch byte {
      case UInt8(ascii: "\""): try skipString()
      case UInt8(ascii: "{"), UInt8(ascii: "["): open += 1
      case UInt8(ascii: "}"), UInt8(ascii: "]"):
        if open == 0 { return }
        open -= 1
      case UInt8(ascii: ","):
        if open == 0 { return }
      default: break
      }
      offset += 1
    }
    throw failure("the text ends in the middle of a value")
  }

  /// Moves to a string's closing quotation mark.
  private mutating func skipString() throws(JSONError) {
    offset += 1
    while offset < count, bytes[offset] != UInt8(ascii: "\"") {
      offset += bytes[offset] == UInt8(ascii: "\\") ? 2 : 1
    }
    guard offset < count else { throw failure("the string has no closing quotation mark") }
  }

  /// Reads an object; `member` reads each value and returns whether its key was new.
  package mutating func object(
    _ member: (inout JSONReader, String) throws(JSONError) -> Bool
  ) throws(JSONError) {
    try open("{", "an object")
    if closes(with: "}") { return }
    repeat {
      guard peek() == UInt8(ascii: "\"") else { throw failure("expected a key in quotes, found \(found())") }
      let start = offset
      let key = try string()
      // Swift sorts combining characters to hash and compare strings, in quadratic time.
      guard key.isStreamSafe() else {
        throw JSONError(reason: "more than 30 combining characters follow one another in a key", offset: start)
      }
      guard peek() == UInt8(ascii: ":") else { throw failure("expected \":\" after the key, found \(found())") }
      offset += 1
      keyOffset = start
      do throws(JSONError) {
        // RFC 8259 4: names should be unique, and readers disagree about the meaning of duplicates.
        guard try member(&self, key) else { throw JSONError(reason: "this key appears twice", offset: start) }
      } catch {
        throw error.inside(key: key)
      }
    } while try hasNext(before: "}")
  }

  /// The last key as written, with quotation marks.
  func spelledKey() -> String {
    var end = keyOffset + 1
    while bytes[end] != UInt8(ascii: "\"") { end += bytes[end] == UInt8(ascii: "\\") ? 2 : 1 }
    return String(decoding: UnsafeBufferPointer(start: bytes + keyOffset, count: end + 1 - keyOffset), as: UTF8.self)
  }

  package mutating func array(_ element: (inout JSONReader) throws(JSONError) -> Void) throws(JSONError) {
    try open("[", "an array")
    if closes(with: "]") { return }
    var index = 0
    repeat {
      do throws(JSONError) {
        try element(&self)
      } catch {
        throw error.inside(index: index)
      }
      index += 1
    } while try hasNext(before: "]")
  }

  package func failure(_ reason: String) -> JSONError {
    JSONError(reason: reason, offset: offset)
  }

  /// The byte at the current offset, in words.
  package func found() -> String {
    guard offset < count else { return "the end of the text" }
    switch bytes[offset] {
    case 0xEF where offset == 0 && count > 2 && bytes[1] == 0xBB && bytes[2] == 0xBF: return "a byte order mark"
    case 0x21...0x7E: return "\"\(Character(UnicodeScalar(bytes[offset])))\""
    case let byte: return "the byte 0x" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
    }
  }

  private mutating func open(_ bracket: Unicode.Scalar, _ kind: String) throws(JSONError) {
    guard peek() == UInt8(ascii: bracket) else { throw failure("expected \(kind), found \(found())") }
    guard depth < maximumDepth else { throw failure("nested deeper than \(maximumDepth)") }
    depth += 1
    offset += 1
  }

  private mutating func closes(with bracket: Unicode.Scalar) -> Bool {
    guard peek() == UInt8(ascii: bracket) else { return false }
    depth -= 1
    offset += 1
    return true
  }

  /// Consumes a comma and returns `true`, or the closing bracket and returns `false`.
  private mutating func hasNext(before bracket: Unicode.Scalar) throws(JSONError) -> Bool {
    if closes(with: bracket) { return false }
    guard peek() == UInt8(ascii: ",") else { throw failure("expected \",\" or \"\(bracket)\", found \(found())") }
    offset += 1
    return true
  }

  private mutating func literal(_ text: StaticString) throws(JSONError) {
    let start = offset
    for index in 0..<text.utf8CodeUnitCount {
      guard offset < count, bytes[offset] == text.utf8Start[index] else {
        throw JSONError(reason: "expected \(text)", offset: start)
      }
      offset += 1
    }
  }
}

extension TrackingValue {
  /// Reads a whole JSON text; throws the reason and its place.
  ///
  /// The default `maximumDepth` of nesting fits the stacks of worker threads.
  package init(json text: Data, maximumDepth: Int = 128) throws(JSONError) {
    self = try JSONReader.read(text, maximumDepth: maximumDepth) { (reader) throws(JSONError) in try reader.value() }
  }
}
