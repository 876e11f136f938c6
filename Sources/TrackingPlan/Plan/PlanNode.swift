import TrackingJSON
import TrackingModel

/// A JSON value of a plan's file that knows where it stands.
///
/// Members keep the order of the file: generated code, reports and drafts follow it.
package struct PlanNode: Sendable {
  package indirect enum Content: Sendable {
    case scalar(TrackingValue)
    case array([PlanNode])
    case object([Member])
  }

  package struct Member: Sendable {
    package let key: String
    package let value: PlanNode

    package init(_ key: String, _ value: PlanNode) {
      self.key = key
      self.value = value
    }
  }

  package let content: Content
  /// Which of the plan's files it stands in, and its first byte there.
  package let place: Place

  package struct Place: Hashable, Sendable {
    package var file: Int32
    package var offset: Int32
  }

  package init(_ content: Content, at place: Place) {
    self.content = content
    self.place = place
  }
}

extension PlanNode {
  package subscript(key: String) -> PlanNode? {
    guard case .object(let members) = content else { return nil }
    for member in members where member.key.isIdentical(to: key) { return member.value }
    return nil
  }

  package var members: [Member]? {
    if case .object(let members) = content { members } else { nil }
  }

  package var elements: [PlanNode]? {
    if case .array(let elements) = content { elements } else { nil }
  }

  package var string: String? {
    if case .scalar(.string(let text)) = content { text } else { nil }
  }

  package var bool: Bool? {
    if case .scalar(.bool(let value)) = content { value } else { nil }
  }

  package var int: Int? {
    if case .scalar(.int(let value)) = content { value } else { nil }
  }

  /// The value without places.
  package var value: TrackingValue {
    switch content {
    case .scalar(let value): value
    case .array(let elements): .array(elements.map(\.value))
    case .object(let members):
      .object([String: TrackingValue](members.map { ($0.key, $0.value.value) }) { first, _ in first })
    }
  }

  /// The kind of value in words: "a string".
  package var kind: String {
    switch content {
    case .scalar(let value): value.kind
    case .array: "an array"
    case .object: "an object"
    }
  }

  /// The same object with further members, for schemas that a format leaves to be understood.
  package func adding(_ members: [Member]) -> PlanNode {
    PlanNode(.object((self.members ?? []) + members), at: place)
  }

  /// The same object without some of its members.
  package func removing(_ keys: Set<String>) -> PlanNode {
    PlanNode(.object((members ?? []).filter { !keys.contains($0.key) }), at: place)
  }
}

extension PlanNode {
  /// Reads one value from a file's bytes.
  static func read(from reader: inout JSONReader, file: Int32) throws(JSONError) -> PlanNode {
    let next = reader.peek()
    let place = Place(file: file, offset: Int32(reader.offset))
    switch next {
    case UInt8(ascii: "{"):
      var members: [Member] = []
      var known: Set<String> = []
      try reader.object { (reader, key) throws(JSONError) in
        let value = try read(from: &reader, file: file)
        let isNew = isNew(key, among: members, &known)
        members.append(Member(key, value))
        return isNew
      }
      return PlanNode(.object(members), at: place)
    case UInt8(ascii: "["):
      var elements: [PlanNode] = []
      try reader.array { (reader) throws(JSONError) in elements.append(try read(from: &reader, file: file)) }
      return PlanNode(.array(elements), at: place)
    default:
      return PlanNode(.scalar(try reader.value()), at: place)
    }
  }
}

extension PlanNode {
  /// Whether an object has no member of a name yet; a set is worth its price only for objects of many members.
  private static func isNew(_ key: String, among members: [Member], _ known: inout Set<String>) -> Bool {
    guard members.count >= 12 else {
      for member in members where member.key.isIdentical(to: key) { return false }
      return true
    }
    if known.isEmpty { known = Set(members.map(\.key)) }
    if known.insert(key).inserted { return true }
    // Swift takes two spellings of one character for the same text, JSON does not.
    return !members.contains { $0.key.isIdentical(to: key) }
  }
}

extension String {
  /// Whether two texts have the same code points; a dictionary also finds other spellings of the same characters.
  package func isIdentical(to other: String) -> Bool { isSameText(as: other) }
}
