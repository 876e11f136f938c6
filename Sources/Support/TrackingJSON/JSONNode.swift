import TrackingModel

/// A value in a JSON text, with its path; its parts are read by type.
///
/// Errors have the path and the offset; the reader of a file adds its name and the line.
package struct JSONNode: Sendable {
  package let tree: JSONTree
  /// From the whole text: `[3].request`.
  package let path: JSONPath

  /// Reads a whole text strictly, and keeps numbers as written.
  package init(_ text: some Collection<UInt8>, maximumDepth: Int = 128) throws(JSONError) {
    let tree = try JSONReader.read(text, maximumDepth: maximumDepth) { (reader) throws(JSONError) in
      // Windows tools write a byte order mark.
      reader.skipByteOrderMark()
      return try JSONTree(from: &reader, file: 0, .exactNumbers)
    }
    self.init(tree, at: JSONPath())
  }

  private init(_ tree: JSONTree, at path: JSONPath) {
    (self.tree, self.path) = (tree, path)
  }

  /// An error at this value: `[3].request: expected a string, found a number`.
  package func error(_ reason: String) -> JSONError {
    JSONError(reason: reason, path: path.description, offset: Int(tree.place.offset))
  }

  /// `nil` if the member is missing or null.
  package subscript(name: String) -> JSONNode? {
    get throws(JSONError) {
      _ = try expect(tree.members, "an object")
      guard let member = tree[name], member.scalar != .null else { return nil }
      return JSONNode(member, at: path.appending(.member(name)))
    }
  }

  package func member(_ name: String) throws(JSONError) -> JSONNode {
    guard let member = try self[name] else { throw error("the member \"\(name)\" is missing") }
    return member
  }

  /// In the order of the text.
  package func members() throws(JSONError) -> [(name: String, node: JSONNode)] {
    try expect(tree.members, "an object").map { ($0.key, JSONNode($0.value, at: path.appending(.member($0.key)))) }
  }

  package func elements() throws(JSONError) -> [JSONNode] {
    try expect(tree.elements, "an array").enumerated().map { JSONNode($1, at: path.appending(.element($0))) }
  }

  package func string() throws(JSONError) -> String { try expect(tree.string, "a string") }
  package func integer() throws(JSONError) -> Int { try expect(tree.int, "an integer") }

  package func number() throws(JSONError) -> Double {
    switch try value() {
    case .int(let number): Double(number)
    case .unsigned(let number): Double(number)
    case .double(let number): number
    default: throw unexpected("a number")
    }
  }

  /// The value without order and places; throws for a number that neither 64 bits nor a double hold.
  package func value() throws(JSONError) -> TrackingValue {
    switch tree.content {
    case .scalar(let value): return value
    case .spelled(let text):
      do throws(JSONError) {
        return try JSONTree(Array(text.utf8)).value
      } catch {
        throw self.error(error.reason)
      }
    case .array: return .array(try elements().map { (element) throws(JSONError) in try element.value() })
    case .object: return .object(try values())
    }
  }

  /// The members' values; throws for a number that neither 64 bits nor a double hold.
  package func values() throws(JSONError) -> [String: TrackingValue] {
    var values: [String: TrackingValue] = [:]
    for member in try members() { values[member.name] = try member.node.value() }
    return values
  }

  private func expect<Value>(_ value: Value?, _ kind: String) throws(JSONError) -> Value {
    guard let value else { throw unexpected(kind) }
    return value
  }

  private func unexpected(_ expected: String) -> JSONError {
    error("expected \(expected), found \(tree.kind)")
  }
}
