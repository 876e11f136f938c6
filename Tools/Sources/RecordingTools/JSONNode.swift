import Foundation
@_spi(TrackingCommand) import StubRecording

/// A JSON value in another tool's file; its errors name the value's path in the file.
struct JSONNode {
  private let tree: JSONTree
  /// The place in the file: `log.entries[3].request`; empty for the whole.
  let path: String
  /// The name of the file; empty for data without one.
  let file: String

  /// The value of a text in JSON.
  ///
  /// - Throws: Line, column and path of what isn't JSON.
  init(_ data: Data, file: String = "") throws(RecordingError) {
    do throws(RecordingError) {
      self.init(try JSONTree(json: data), path: "", file: file)
    } catch {
      throw Self.error(file, "", error.description)
    }
  }

  private init(_ tree: JSONTree, path: String, file: String) {
    self.tree = tree
    self.path = path
    self.file = file
  }

  /// The value.
  var value: TrackingValue { tree.value }
  /// Whether it is an array.
  var isArray: Bool { tree.elements != nil }

  /// An error at this place: `session.har: log.entries[3].request.url: expected a string, found a number`.
  func error(_ reason: String) -> RecordingError {
    Self.error(file, path, reason)
  }

  private static func error(_ file: String, _ place: String, _ reason: String) -> RecordingError {
    RecordingError([file, place, reason].filter { !$0.isEmpty }.joined(separator: ": "))
  }

  private func child(_ tree: JSONTree, _ name: String) -> JSONNode {
    JSONNode(tree, path: path.isEmpty ? name : "\(path).\(name)", file: file)
  }

  /// A member; `nil` if it is missing or null.
  subscript(name: String) -> JSONNode? {
    get throws(RecordingError) {
      guard tree.members != nil else { throw mismatch("an object") }
      guard let member = tree[name], member.scalar != .null else { return nil }
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
    guard let members = tree.members else { throw mismatch("an object") }
    return members.sorted { $0.key < $1.key }.map { ($0.key, child($0.value, $0.key)) }
  }

  func elements() throws(RecordingError) -> [JSONNode] {
    guard let elements = tree.elements else { throw mismatch("an array") }
    return elements.enumerated().map { JSONNode($1, path: "\(path)[\($0)]", file: file) }
  }

  func string() throws(RecordingError) -> String {
    guard let text = tree.string else { throw mismatch("a string") }
    return text
  }

  /// The text of a string, or another value as JSON.
  func text() throws(RecordingError) -> String {
    tree.string ?? value.description
  }

  /// A string, or the strings of an array as lines.
  func lines() throws(RecordingError) -> String {
    guard isArray else { return try string() }
    var lines: [String] = []
    for element in try elements() { lines.append(try element.string()) }
    return lines.joined(separator: "\n")
  }

  func integer() throws(RecordingError) -> Int {
    guard let number = tree.int else { throw mismatch("an integer") }
    return number
  }

  func number() throws(RecordingError) -> Double {
    switch tree.scalar {
    case .int(let number): return Double(number)
    case .unsigned(let number): return Double(number)
    case .double(let number): return number
    case .null, .bool, .string, .array, .object, nil: throw mismatch("a number")
    }
  }

  func boolean() throws(RecordingError) -> Bool {
    guard let flag = tree.bool else { throw mismatch("true or false") }
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
    error("expected \(expected), found \(tree.kind)")
  }
}

extension JSONTree {
  /// The content of a file: a line for each member.
  var file: Data { Data((text(.lines) + "\n").utf8) }
}
