import TrackingJSON
import TrackingModel

/// A JSON value of a plan's file, with its place.
///
/// Members keep the order of the file, which reports and drafts follow.
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
  package let place: Place

  /// The index of one of the plan's files, and the offset of the value's first byte in it.
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

  /// The value without its places.
  package var value: TrackingValue {
    switch content {
    case .scalar(let value): value
    case .array(let elements): .array(elements.map(\.value))
    case .object(let members):
      .object([String: TrackingValue](members.map { ($0.key, $0.value.value) }) { first, _ in first })
    }
  }

  /// The kind of value for messages, such as `a string`.
  package var kind: String {
    switch content {
    case .scalar(let value): value.kind
    case .array: "an array"
    case .object: "an object"
    }
  }

  /// The object with additional members, for keywords that a format leaves implicit.
  package func adding(_ members: [Member]) -> PlanNode {
    PlanNode(.object((self.members ?? []) + members), at: place)
  }

  /// The object without the members of these names.
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
  /// Whether an object has no member with this name yet.
  ///
  /// A set pays off only for objects with many members.
  private static func isNew(_ key: String, among members: [Member], _ known: inout Set<String>) -> Bool {
    guard members.count >= 12 else {
      for member in members where member.key.isIdentical(to: key) { return false }
      return true
    }
    if known.isEmpty { known = Set(members.map(\.key)) }
    if known.insert(key).inserted { return true }
    // Swift compares strings by canonical equivalence, JSON by code points.
    return !members.contains { $0.key.isIdentical(to: key) }
  }
}

extension String {
  /// Whether two strings have the same code points.
  ///
  /// `==` also holds for canonically equivalent strings.
  package func isIdentical(to other: String) -> Bool { isSameText(as: other) }
}
