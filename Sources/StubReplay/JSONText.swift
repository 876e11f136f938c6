import Foundation
import TrackingJSON
import TrackingModel

/// JSON as it is written: the order of members and the form of numbers stay.
///
/// A recorded body is laid out for people in the recording, and sent as compactly as most backends do.
package struct JSONText: Sendable {
  /// The text, without white space around it.
  private let bytes: ArraySlice<UInt8>

  /// - Throws: Why the text isn't JSON.
  package init(_ data: Data) throws(JSONError) {
    let all = [UInt8](data)
    let range = try all.withReader { (reader) throws(JSONError) in
      let start = reader.peek() == nil ? 0 : reader.offset
      try reader.skipCheckedValue()
      let end = reader.offset
      try reader.end()
      return start..<end
    }
    bytes = all[range]
  }

  private init(_ bytes: ArraySlice<UInt8>) {
    self.bytes = bytes
  }

  /// The value.
  package func value() throws(JSONError) -> TrackingValue {
    try Array(bytes).withReader { (reader) throws(JSONError) in try reader.value() }
  }

  /// The members of an object, in order; `nil` if it isn't one.
  var members: [(name: String, value: JSONText)]? {
    guard bytes.first == UInt8(ascii: "{") else { return nil }
    let copy = Array(bytes)
    return try? copy.withReader { (reader) throws(JSONError) in
      var members: [(name: String, value: JSONText)] = []
      try reader.object { (reader, name) throws(JSONError) in
        members.append((name, try Self.next(&reader, copy)))
        return true
      }
      return members
    }
  }

  /// The elements of an array; `nil` if it isn't one.
  var elements: [JSONText]? {
    guard bytes.first == UInt8(ascii: "[") else { return nil }
    let copy = Array(bytes)
    return try? copy.withReader { (reader) throws(JSONError) in
      var elements: [JSONText] = []
      try reader.array { (reader) throws(JSONError) in elements.append(try Self.next(&reader, copy)) }
      return elements
    }
  }

  private static func next(_ reader: inout JSONReader, _ bytes: [UInt8]) throws(JSONError) -> JSONText {
    _ = reader.peek()
    let start = reader.offset
    try reader.skipCheckedValue()
    return JSONText(bytes[start..<reader.offset])
  }

  /// The text without white space between its tokens.
  package var compact: Data {
    var result = Data()
    layOut {
      result.append(contentsOf: $0)
    } newLine: { _ in
    } space: {
    }
    return result
  }

  /// The text with a line for each element and member.
  ///
  /// - Parameter depth: The depth of the text around it, two spaces each.
  package func pretty(depth: Int = 0) -> String {
    var result: [UInt8] = []
    layOut {
      result += $0
    } newLine: { level in
      result.append(UInt8(ascii: "\n"))
      result += repeatElement(UInt8(ascii: " "), count: 2 * (depth + level))
    } space: {
      result.append(UInt8(ascii: " "))
    }
    return String(decoding: result, as: UTF8.self)
  }

  private func layOut(
    token: (ArraySlice<UInt8>) -> Void, newLine: (_ level: Int) -> Void, space: () -> Void
  ) {
    var (index, level) = (bytes.startIndex, 0)
    var isAfterOpening = false
    while index < bytes.endIndex {
      let start = index
      let byte = bytes[index]
      index += 1
      switch byte {
      case UInt8(ascii: " "), UInt8(ascii: "\n"), UInt8(ascii: "\r"), UInt8(ascii: "\t"): continue
      case UInt8(ascii: "{"), UInt8(ascii: "["):
        if isAfterOpening { newLine(level) }
        token(bytes[start..<index])
        level += 1
        isAfterOpening = true
        continue
      case UInt8(ascii: "}"), UInt8(ascii: "]"):
        level -= 1
        if !isAfterOpening { newLine(level) }
        token(bytes[start..<index])
      case UInt8(ascii: ","):
        token(bytes[start..<index])
        newLine(level)
      case UInt8(ascii: ":"):
        token(bytes[start..<index])
        space()
      case UInt8(ascii: "\""):
        while bytes[index] != UInt8(ascii: "\"") { index += bytes[index] == UInt8(ascii: "\\") ? 2 : 1 }
        index += 1
        if isAfterOpening { newLine(level) }
        token(bytes[start..<index])
      default:
        while index < bytes.endIndex, !Self.ends.contains(bytes[index]) { index += 1 }
        if isAfterOpening { newLine(level) }
        token(bytes[start..<index])
      }
      isAfterOpening = false
    }
  }

  /// The bytes that end a number or a name.
  private static let ends = Set(",:{}[] \n\r\t".utf8)
}

extension [UInt8] {
  fileprivate func withReader<Result>(
    _ read: (inout JSONReader) throws(JSONError) -> Result
  ) throws(JSONError) -> Result {
    let result: Swift.Result<Result, JSONError> = withUnsafeBufferPointer { text in
      var reader = JSONReader(text, maximumDepth: 256)
      do throws(JSONError) {
        return .success(try read(&reader))
      } catch {
        return .failure(error)
      }
    }
    return try result.get()
  }
}
