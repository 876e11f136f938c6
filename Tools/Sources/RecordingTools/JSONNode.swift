import Foundation
@_spi(TrackingCommand) import StubRecording

/// A JSON value in another tool's file, with its path.
struct JSONNode {
  let value: TrackingValue
  /// The place in the file: `log.entries[3].request`; empty for the whole.
  let path: String
  /// The name of the file; empty for data without one.
  let file: String

  /// The value of a text in JSON.
  ///
  /// - Throws: Line, column and path of what isn't JSON.
  init(_ data: Data, file: String = "") throws(RecordingError) {
    let value: TrackingValue
    do throws(RecordingError) {
      value = try TrackingValue(json: data)
    } catch {
      throw Self.error(file, "", error.description)
    }
    self.init(value, path: "", file: file)
  }

  init(_ value: TrackingValue, path: String, file: String) {
    self.value = value
    self.path = path
    self.file = file
  }

  /// An error at this place: `session.har: log.entries[3].request.url: expected a string, found a number`.
  func error(_ reason: String) -> RecordingError {
    Self.error(file, path, reason)
  }

  private static func error(_ file: String, _ place: String, _ reason: String) -> RecordingError {
    RecordingError([file, place, reason].filter { !$0.isEmpty }.joined(separator: ": "))
  }

  private func child(_ value: TrackingValue, _ name: String) -> JSONNode {
    JSONNode(value, path: path.isEmpty ? name : "\(path).\(name)", file: file)
  }

  /// A member; `nil` if it is missing or null.
  subscript(name: String) -> JSONNode? {
    get throws(RecordingError) {
      guard case .object(let members) = value else { throw mismatch("an object") }
      guard let member = members[name], member != .null else { return nil }
      return child(member, name)
    }
  }

  /// A member that must be there.
  func member(_ name: String) throws(RecordingError) -> JSONNode {
    guard let member = try self[name] else { throw error("the member \"\(name)\" is missing") }
    return member
  }

  /// The members, by name.
  func members() throws(RecordingError) -> [(name: String, node: JSONNode)] {
    guard case .object(let members) = value else { throw mismatch("an object") }
    return members.sorted { $0.key < $1.key }.map { ($0, child($1, $0)) }
  }

  func elements() throws(RecordingError) -> [JSONNode] {
    guard case .array(let values) = value else { throw mismatch("an array") }
    return values.enumerated().map { JSONNode($1, path: "\(path)[\($0)]", file: file) }
  }

  func string() throws(RecordingError) -> String {
    guard case .string(let text) = value else { throw mismatch("a string") }
    return text
  }

  /// The text of a string, or another value as JSON.
  func text() throws(RecordingError) -> String {
    if case .string(let text) = value { text } else { value.description }
  }

  /// A string, or the strings of an array as lines.
  func lines() throws(RecordingError) -> String {
    guard case .array = value else { return try string() }
    var lines: [String] = []
    for element in try elements() { lines.append(try element.string()) }
    return lines.joined(separator: "\n")
  }

  func integer() throws(RecordingError) -> Int {
    guard case .int(let number) = value.canonical else { throw mismatch("an integer") }
    return number
  }

  func number() throws(RecordingError) -> Double {
    switch value.canonical {
    case .int(let number): return Double(number)
    case .unsigned(let number): return Double(number)
    case .double(let number): return number
    case .null, .bool, .string, .array, .object: throw mismatch("a number")
    }
  }

  func boolean() throws(RecordingError) -> Bool {
    guard case .bool(let flag) = value else { throw mismatch("true or false") }
    return flag
  }

  /// The bytes of a string in base64.
  func base64() throws(RecordingError) -> Data {
    guard let data = Data(base64Encoded: try string(), options: .ignoreUnknownCharacters) else {
      throw error("expected base64")
    }
    return data
  }

  private func mismatch(_ expected: String) -> RecordingError {
    let found =
      switch value {
      case .null: "null"
      case .bool: "a boolean"
      case .int, .unsigned, .double: "a number"
      case .string: "a string"
      case .array: "an array"
      case .object: "an object"
      }
    return error("expected \(expected), found \(found)")
  }
}

extension TrackingValue {
  /// The value as JSON with a line for each member, in the order of their names.
  func prettyJSON() -> Data {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    // Encoding can't fail: numbers that JSON doesn't have are strings here.
    return ((try? encoder.encode(self)) ?? Data()) + Data("\n".utf8)
  }
}
