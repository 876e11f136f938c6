import TrackingModel

/// A JSON value with its place: members keep their order, and with ``Spelling/written`` names, numbers and strings keep their spelling.
///
/// Represents files that people write. Events use `TrackingValue`, which has neither order nor places.
package struct JSONTree: Sendable {
  /// A value of any kind.
  package enum Content: Sendable {
    case scalar(TrackingValue)
    /// A number or a string as written, such as `1.50` or `"caf\u00e9"`.
    case spelled(String)
    case array([JSONTree])
    case object([Member])
  }

  /// A member of an object.
  package struct Member: Sendable {
    /// The name.
    package var key: String
    /// The value.
    package var value: JSONTree
    /// The name as written, with quotation marks; `nil` for the canonical spelling.
    let spelling: String?

    /// Creates a member.
    package init(_ key: String, _ value: JSONTree) {
      self.init(key, value, spelling: nil)
    }

    init(_ key: String, _ value: JSONTree, spelling: String?) {
      self.key = key
      self.value = value
      self.spelling = spelling
    }
  }

  /// A place in one of several files: the offset of a value's first byte, or the largest offset if the file exceeds 2 GiB.
  package struct Place: Hashable, Sendable {
    package var file: Int32
    package var offset: Int32

    /// Creates a place; by default the start of the first file.
    package init(file: Int32 = 0, offset: Int32 = 0) {
      self.file = file
      self.offset = offset
    }
  }

  /// The value.
  package let content: Content
  /// The value's place; the start of the first file for a value that wasn't read.
  package let place: Place

  /// Creates a value at a place.
  package init(_ content: Content, at place: Place = Place()) {
    self.content = content
    self.place = place
  }

  /// Creates the tree of a number, a list of texts or another value.
  package init(of value: some TrackingValueConvertible) { self.init(of: value.trackingValue) }

  /// Creates the tree of a value, with members sorted by name.
  package init(of value: TrackingValue) {
    switch value {
    case .array(let values): self.init(.array(values.map { JSONTree(of: $0) }))
    case .object(let members):
      self.init(.object(members.sorted { $0.key.precedes($1.key) }.map { Member($0.key, JSONTree(of: $0.value)) }))
    case .null, .bool, .int, .unsigned, .double, .string: self.init(.scalar(value))
    }
  }
}

extension JSONTree {
  /// The value of the first member with this name.
  package subscript(key: String) -> JSONTree? {
    guard case .object(let members) = content else { return nil }
    for member in members where member.key.isSameText(as: key) { return member.value }
    return nil
  }

  /// The members of an object.
  package var members: [Member]? {
    if case .object(let members) = content { members } else { nil }
  }

  /// The elements of an array.
  package var elements: [JSONTree]? {
    if case .array(let elements) = content { elements } else { nil }
  }

  /// The text of a string.
  package var string: String? {
    if case .string(let text) = scalar { text } else { nil }
  }

  /// The value of `true` or `false`.
  package var bool: Bool? {
    if case .bool(let value) = scalar { value } else { nil }
  }

  /// The value of an integer of 64 bits.
  package var int: Int? {
    if case .int(let value) = scalar { value } else { nil }
  }

  /// A string, number, Boolean or `null`; a number that neither 64 bits nor a double hold is the string of its digits.
  package var scalar: TrackingValue? {
    switch content {
    case .scalar(let value): value
    case .spelled(let text): (try? JSONTree(Array(text.utf8)))?.scalar ?? .string(text)
    case .array, .object: nil
    }
  }

  /// The value without order and places.
  package var value: TrackingValue {
    switch content {
    case .scalar, .spelled: scalar ?? .null
    case .array(let elements): .array(elements.map(\.value))
    case .object(let members):
      .object([String: TrackingValue](members.map { ($0.key, $0.value.value) }) { first, _ in first })
    }
  }

  /// The kind of value for messages, such as `a string`.
  package var kind: String { value.kind }

  /// Returns the object with additional members.
  package func adding(_ members: [Member]) -> JSONTree {
    JSONTree(.object((self.members ?? []) + members), at: place)
  }

  /// Returns the object without the named members.
  package func removing(_ keys: Set<String>) -> JSONTree {
    JSONTree(.object((members ?? []).filter { !keys.contains($0.key) }), at: place)
  }
}

extension JSONTree: ExpressibleByStringLiteral, ExpressibleByBooleanLiteral, ExpressibleByIntegerLiteral,
  ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
  /// Creates a string.
  package init(stringLiteral value: String) { self.init(.scalar(.string(value))) }
  /// Creates `true` or `false`.
  package init(booleanLiteral value: Bool) { self.init(.scalar(.bool(value))) }
  /// Creates a number.
  package init(integerLiteral value: Int) { self.init(.scalar(.int(value))) }
  /// Creates an array.
  package init(arrayLiteral elements: JSONTree...) { self.init(.array(elements)) }

  /// Creates an object of the members that have a value, in the order of the literal.
  package init(dictionaryLiteral members: (String, JSONTree?)...) {
    self.init(.object(members.compactMap { key, value in value.map { Member(key, $0) } }))
  }

  /// Creates a string.
  package init(_ text: String) { self.init(.scalar(.string(text))) }
}
