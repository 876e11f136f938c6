import Foundation
import StubReplay
import TrackingJSON
import TrackingModel

/// A JSON value in a file or in a request.
///
/// Its errors name the file, the line and the value's path.
struct JSONNode {
  private let tree: JSONTree
  /// The place in the file: `[3].request`; empty for the whole.
  let path: String
  /// The name of the file; empty for data without one.
  private let file: String
  private let line: @Sendable (JSONTree) -> Int

  /// The value of a text in JSON.
  ///
  /// - Throws: File, line and path of what isn't JSON.
  init(_ data: Data, file: String = "") throws(RecordingError) {
    (tree, line) = try JSONTree.read(data, file: file)
    (path, self.file) = ("", file)
  }

  private init(_ tree: JSONTree, path: String, in parent: JSONNode) {
    (self.tree, self.path, file, line) = (tree, path, parent.file, parent.line)
  }

  var value: TrackingValue { tree.value }

  /// An error at this place: `checkout.json:7: [3].request: expected a string, found a number`.
  ///
  /// - Parameter part: The value whose line is named; by default this one.
  func error(_ reason: String, at part: JSONNode? = nil) -> RecordingError {
    RecordingError([place(of: part ?? self), reason].filter { !$0.isEmpty }.joined(separator: ": "))
  }

  /// The file, the line of a value, and the path: `checkout.json:7: [3].request`.
  private func place(of part: JSONNode) -> String {
    [file.isEmpty ? "" : "\(file):\(line(part.tree))", path].filter { !$0.isEmpty }.joined(separator: ": ")
  }

  private func child(_ tree: JSONTree, _ name: String) -> JSONNode {
    JSONNode(tree, path: path.isEmpty ? name : "\(path).\(name)", in: self)
  }

  /// A member; `nil` if it is missing or null.
  subscript(name: String) -> JSONNode? {
    get throws(RecordingError) {
      _ = try expect(tree.members, "an object")
      guard let member = tree[name], member.scalar != .null else { return nil }
      return child(member, name)
    }
  }

  /// A member that must be there.
  func member(_ name: String) throws(RecordingError) -> JSONNode {
    guard let member = try self[name] else { throw error("the member \"\(name)\" is missing") }
    return member
  }

  func members() throws(RecordingError) -> [(name: String, node: JSONNode)] {
    try expect(tree.members, "an object").sorted { $0.key < $1.key }.map { ($0.key, child($0.value, $0.key)) }
  }

  func elements() throws(RecordingError) -> [JSONNode] {
    try expect(tree.elements, "an array").enumerated().map { JSONNode($1, path: "\(path)[\($0)]", in: self) }
  }

  func string() throws(RecordingError) -> String { try expect(tree.string, "a string") }
  func integer() throws(RecordingError) -> Int { try expect(tree.int, "an integer") }

  func number() throws(RecordingError) -> Double {
    switch tree.scalar {
    case .int(let number): return Double(number)
    case .unsigned(let number): return Double(number)
    case .double(let number): return number
    case .null, .bool, .string, .array, .object, nil: throw unexpected("a number")
    }
  }

  private func expect<Value>(_ value: Value?, _ kind: String) throws(RecordingError) -> Value {
    guard let value else { throw unexpected(kind) }
    return value
  }

  private func unexpected(_ expected: String) -> RecordingError {
    error("expected \(expected), found \(tree.kind)")
  }
}
