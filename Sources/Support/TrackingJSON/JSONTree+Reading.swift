import TrackingModel

extension JSONTree {
  /// The form in which a tree keeps names, numbers and strings.
  package enum Spelling: Sendable {
    /// Values; a number that neither 64 bits nor a double hold is refused.
    case canonical
    /// Values, except for numbers: `1.50` stays `1.50`, and numbers of any size are read.
    case exactNumbers
    /// Source texts, for recorded bodies, which keep theirs: `1.50` stays `1.50`, and numbers of any size and repeated keys are read.
    case written
  }

  /// Reads a JSON text.
  ///
  /// - Throws: ``JSONError`` with the offset of text that isn't JSON, or is nested deeper than `maximumDepth`.
  package init(
    _ bytes: some Collection<UInt8>, file: Int32 = 0, spelling: Spelling = .canonical, maximumDepth: Int = 256
  ) throws(JSONError) {
    self = try JSONReader.read(bytes, maximumDepth: maximumDepth) { (reader) throws(JSONError) in
      try JSONTree(from: &reader, file: file, spelling)
    }
  }

  init(from reader: inout JSONReader, file: Int32, _ spelling: Spelling) throws(JSONError) {
    let next = reader.peek()
    let start = reader.offset
    let place = Place(file: file, offset: Int32(clamping: start))
    switch next {
    case UInt8(ascii: "{"):
      var members: [Member] = []
      var known: Set<String> = []
      try reader.object { (reader, key) throws(JSONError) in
        let spelled = spelling == .written ? reader.spelledKey() : nil
        let value = try JSONTree(from: &reader, file: file, spelling)
        // A text that is only reformatted keeps both of two equal keys.
        let isNew = spelling == .written || Self.isNew(key, among: members, &known)
        members.append(Member(key, value, spelling: spelled))
        return isNew
      }
      self.init(.object(members), at: place)
    case UInt8(ascii: "["):
      var elements: [JSONTree] = []
      try reader.array { (reader) throws(JSONError) in
        elements.append(try JSONTree(from: &reader, file: file, spelling))
      }
      self.init(.array(elements), at: place)
    case UInt8(ascii: "n"), UInt8(ascii: "t"), UInt8(ascii: "f"):
      self.init(.scalar(try reader.value()), at: place)
    default:
      guard spelling == .written || spelling == .exactNumbers && next != UInt8(ascii: "\"") else {
        self.init(.scalar(try reader.value()), at: place)
        return
      }
      try reader.skipCheckedValue()
      self.init(.spelled(reader.text(from: start)), at: place)
    }
  }

  /// Whether the key is new in its object; a set pays off only for objects with many members.
  private static func isNew(_ key: String, among members: [Member], _ known: inout Set<String>) -> Bool {
    guard members.count >= 12 else {
      for member in members where member.key.isSameText(as: key) { return false }
      return true
    }
    if known.isEmpty { known = Set(members.map(\.key)) }
    if known.insert(key).inserted { return true }
    // Swift compares strings by canonical equivalence, JSON by code points.
    return !members.contains { $0.key.isSameText(as: key) }
  }
}
