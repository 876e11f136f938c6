import StubModel
import TrackingJSON
import TrackingModel
import TrackingSecrets

// JSON bodies: strings and numbers, by the names of their members.

extension SecretVisitor {
  /// JSON with the strings in it visited by their members' names; `nil` if it isn't JSON.
  mutating func json(_ text: [UInt8]) -> [UInt8]? {
    guard Self.mayBeJSON(text[...]) else { return nil }
    let mark = mark
    return text.withUnsafeBufferPointer { buffer in
      // The reader recurses, so deeper JSON is visited as text.
      var edits: [(range: Range<Int>, bytes: [UInt8])] = []
      var reader = JSONReader(buffer, maximumDepth: ReceivedRequest.deepestJSON)
      do throws(JSONError) {
        try value(of: &reader, Inheritance(), in: text, &edits)
        try reader.end()
      } catch {
        takeBack(to: mark)
        return nil
      }
      // Values in front of their names were visited last.
      return text.replacing(edits.sorted { $0.range.lowerBound < $1.range.lowerBound })
    }
  }

  /// The objects of JSON in a text: a line of a log, an event of a stream, a script of a page.
  static func objects(in text: [UInt8]) -> [Range<Int>] {
    text.withUnsafeBufferPointer { text in
      var objects: [Range<Int>] = []
      var index = 0
      while let start = text.place(of: UInt8(ascii: "{"), from: index) {
        var reader = JSONReader(
          UnsafeBufferPointer(rebasing: text[start...]), maximumDepth: ReceivedRequest.deepestJSON)
        do throws(JSONError) {
          try reader.skipCheckedValue()
          objects.append(start..<start + reader.offset)
        } catch {}
        // No byte is read twice, so that the time is linear.
        index = start + max(reader.offset, 1)
      }
      return objects
    }
  }

  private static func mayBeJSON(_ text: ArraySlice<UInt8>) -> Bool {
    guard let first = text.first(where: { $0 > 32 }) else { return false }
    return first == UInt8(ascii: "{") || first == UInt8(ascii: "[")
  }

  /// The verdict of the names around a value.
  private struct Inheritance {
    var verdict = SecretNames.Verdict.plain
    /// The name that says so; empty for one further out.
    var name = ""
    /// Whether it is its own name that says so.
    var isNamed = false
    /// Whether it is a message about the field that it is named after.
    var isAboutErrors = false

    /// The inheritance of a member.
    ///
    /// Every value under a secret name is secret, except descriptions of it.
    func member(_ key: String, _ names: inout KnownNames) -> Inheritance {
      let own = names.verdict(on: key)
      let inherits = own == .plain && verdict != .plain && !SecretNames.isLabel(key)
      return Inheritance(
        verdict: inherits ? verdict : own, name: inherits ? name : key, isNamed: !inherits,
        isAboutErrors: isAboutErrors || names.isAboutErrors(key))
    }
  }

  /// The name and the value of an object such as `{"name": "password", "value": "…"}`.
  private struct Pair {
    private static let nameKeys: Set = ["name", "key", "id", "field", "param", "parameter", "header", "variable"]
    private static let valueKeys: Set = ["value", "values", "val", "content"]

    private var inheritance: Inheritance?
    /// Scalars that came before the name: where they begin, and the steps to them.
    private(set) var waiting: [(start: Int, key: String)] = []

    /// Notes the name, if a member is one.
    mutating func note(_ key: String, _ value: String, _ names: inout KnownNames) {
      guard inheritance == nil, Self.nameKeys.contains(key.lowercased()),
        !value.utf8.contains(UInt8(ascii: " "))
      else { return }
      let verdict = names.names.verdict(onField: value)
      if verdict != .plain { inheritance = Inheritance(verdict: verdict, name: value, isNamed: true) }
    }

    /// The inheritance of a member by the pair's name; `nil` for members that aren't the value.
    func inheritance(of key: String) -> Inheritance? {
      Self.valueKeys.contains(key.lowercased()) ? inheritance : nil
    }

    /// Whether a member has to wait for the name; notes it if so.
    mutating func waits(_ key: String, at start: Int, _ first: UInt8?) -> Bool {
      guard inheritance == nil, Self.valueKeys.contains(key.lowercased()), first == UInt8(ascii: "\"") else {
        return false
      }
      waiting.append((start, key))
      return true
    }
  }

  private mutating func value(
    of reader: inout JSONReader, _ inherited: Inheritance, in text: [UInt8],
    _ edits: inout [(range: Range<Int>, bytes: [UInt8])]
  ) throws(JSONError) {
    let byte = reader.peek()
    let start = reader.offset
    switch byte {
    case UInt8(ascii: "{"):
      var pair = Pair()
      try reader.object { (reader, key) throws(JSONError) in
        visitKey(key, from: reader.keyOffset, inherited, in: text, &edits)
        place.append(.member(key))
        let own = inherited.member(key, &names)
        let first = reader.peek()
        if first == UInt8(ascii: "\"") {
          let start = reader.offset
          if own.verdict == .plain, pair.waits(key, at: start, first) {
            try reader.skipCheckedValue()
          } else {
            let string = try string(of: &reader, pair.inheritance(of: key) ?? own, from: start, &edits)
            pair.note(key, string, &names)
          }
        } else {
          try value(of: &reader, own.verdict == .plain ? pair.inheritance(of: key) ?? own : own, in: text, &edits)
        }
        place.removeLast()
        return true
      }
      try visit(pair, inherited, in: text, &edits)
    case UInt8(ascii: "["):
      var index = 0
      try reader.array { (reader) throws(JSONError) in
        place.append(.element(index))
        try value(of: &reader, inherited, in: text, &edits)
        place.removeLast()
        index += 1
      }
    case UInt8(ascii: "\""): _ = try string(of: &reader, inherited, from: start, &edits)
    default:
      try reader.skipCheckedValue()
      if let new = number(text[start..<reader.offset], inherited) { edits.append((start..<reader.offset, new)) }
    }
  }

  /// Visits a string.
  ///
  /// - Returns: The string as it was.
  private mutating func string(
    of reader: inout JSONReader, _ inherited: Inheritance, from start: Int,
    _ edits: inout [(range: Range<Int>, bytes: [UInt8])]
  ) throws(JSONError) -> String {
    let text = try reader.string()
    let string = Array(text.utf8)
    var verdict = inherited.verdict
    if verdict == .plain, SecretScan.isOpaque(string) { verdict = names.names.verdict(onLongMember: inherited.name) }
    let isMessage =
      inherited.isAboutErrors && string.contains(UInt8(ascii: " "))
      || inherited.isNamed && SecretNames.isLabel(text, of: inherited.name)
    let new =
      switch verdict {
      case .plain: value(string)
      case .kept(let kind): kept(string, insteadOf: kind)
      case .secret(let kind) where isMessage || Self.isShortNumber(string, kind): value(string)
      case .secret(let kind): credentials(string, kind, anyScheme: false)
      }
    if new != string { edits.append((start..<reader.offset, Self.literal(new))) }
    return text
  }

  /// Visits the values of a pair that came before its name.
  private mutating func visit(
    _ pair: Pair, _ inherited: Inheritance, in text: [UInt8], _ edits: inout [(range: Range<Int>, bytes: [UInt8])]
  ) throws(JSONError) {
    for (start, key) in pair.waiting {
      let inheritance = pair.inheritance(of: key) ?? inherited.member(key, &names)
      place.append(.member(key))
      var found: [(range: Range<Int>, bytes: [UInt8])] = []
      let result = text[start...].withUnsafeBufferPointer { rest in
        Result { () throws(JSONError) in
          var reader = JSONReader(rest, maximumDepth: 1)
          _ = reader.peek()
          _ = try string(of: &reader, inheritance, from: 0, &found)
        }
      }
      try result.get()
      edits += found.map { ($0.range.lowerBound + start..<$0.range.upperBound + start, $0.bytes) }
      place.removeLast()
    }
  }

  /// Replaces a number with another, because an app decodes it as one; `nil` keeps it.
  ///
  /// Short numbers are counts, limits and ids, as in `"max_tokens": 4096`, but for passwords. They aren't looked for in URLs, so an app
  /// that was answered with another number would ask for nothing that is recorded.
  private mutating func number(_ digits: ArraySlice<UInt8>, _ inherited: Inheritance) -> [UInt8]? {
    let verdict = inherited.verdict
    guard digits.count >= SecretTable.shortest || verdict == .secret(.password) && inherited.isNamed,
      digits.allSatisfy({ UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 })
    else { return nil }
    let digits = Array(digits)
    if case .kept(let kind) = verdict { collect(kept: digits, insteadOf: kind) }
    if case .secret(let kind) = verdict { collect(digits, kind) }
    guard isReplacing, let number = secrets.number(of: digits), let placeholder = secrets.placeholder(of: digits) else {
      return nil
    }
    report(placeholder)
    return Array("\(number)".utf8)
  }

  private mutating func visitKey(
    _ key: String, from start: Int, _ inherited: Inheritance, in text: [UInt8],
    _ edits: inout [(range: Range<Int>, bytes: [UInt8])]
  ) {
    let bytes = Array(key.utf8)
    // The keys under `tokens` may be the tokens.
    let isSecret =
      if case .secret = inherited.verdict { SecretScan.isOpaque(bytes) && bytes.contains { 0x30...0x39 ~= $0 } } else {
        false
      }
    guard isSecret || !plainKeys.contains(key) else { return }
    let new =
      if isSecret, case .secret(let kind) = inherited.verdict { secret(bytes, kind) } else { self.text(bytes) }
    guard new != bytes else {
      if !isSecret { plainKeys.insert(key) }
      return
    }
    var end = start + 1
    while text[end] != UInt8(ascii: "\"") { end += text[end] == UInt8(ascii: "\\") ? 2 : 1 }
    edits.append((start..<end + 1, Self.literal(new)))
  }

  private static func literal(_ string: [UInt8]) -> [UInt8] {
    var writer = JSONWriter()
    writer.write(string: String(decoding: string, as: UTF8.self))
    return writer.bytes
  }
}
