import StubModel
import TrackingJSON
import TrackingModel

// JSON bodies: strings and numbers, by the names of their members.

extension SecretVisitor {
  /// JSON with the strings in it visited by their members' names; `nil` if it isn't JSON.
  mutating func json(_ text: [UInt8]) -> [UInt8]? {
    guard Self.mayBeJSON(text[...]) else { return nil }
    let mark = mark
    return text.withUnsafeBufferPointer { buffer in
      // The reader recurses, so deeper JSON is visited as text.
      var edits: [(range: Range<Int>, bytes: [UInt8])] = []
      var reader = JSONReader(buffer, maximumDepth: HTTPRequest.deepestJSON)
      do throws(JSONError) {
        try value(of: &reader, Inheritance(), in: text, &edits)
        try reader.end()
      } catch {
        takeBack(to: mark)
        return nil
      }
      return text.replacing(edits)
    }
  }

  /// Lines of JSON, as in a log or a stream of records, with other lines between them; `nil` if it doesn't begin as JSON does.
  mutating func jsonLines(_ text: [UInt8], style: TextStyle) -> [UInt8]? {
    guard Self.mayBeJSON(text[...]) else { return nil }
    let lines = text.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    var (new, others): ([UInt8], [UInt8]) = ([], [])
    for (index, line) in lines.enumerated() {
      let end = index < lines.count - 1 ? [UInt8(ascii: "\n")] : []
      // RFC 7464: a record separator may come before each.
      let start = line.firstIndex { $0 > 32 } ?? line.endIndex
      place.append(.index(index))
      let value = json(Array(line[start...]))
      place.removeLast()
      if let value {
        new += self.text(others, style: style) + line[..<start] + value + end
        others = []
      } else {
        // Other lines stay together: a PEM block has several.
        others += line + end
      }
    }
    // A secret may have several lines.
    return replaced(new + self.text(others, style: style))
  }

  private static func mayBeJSON(_ text: ArraySlice<UInt8>) -> Bool {
    guard let first = text.first(where: { $0 > 32 }) else { return false }
    return first == UInt8(ascii: "{") || first == UInt8(ascii: "[")
  }

  /// What the names around a value say about it.
  private struct Inheritance {
    var verdict = SecretNames.Verdict.plain
    /// Whether it is its own name that says so.
    var isNamed = false
    /// Whether it is a message about the field that it is named after.
    var isAboutErrors = false

    /// What a member inherits.
    ///
    /// Every value under a secret name is secret, except what is said about it.
    func member(_ key: String, _ names: inout KnownNames) -> Inheritance {
      let own = names.verdict(on: key)
      let inherits = own == .plain && verdict != .plain && !SecretNames.isLabel(key)
      return Inheritance(
        verdict: inherits ? verdict : own, isNamed: !inherits,
        isAboutErrors: isAboutErrors || names.isAboutErrors(key))
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
      try reader.object { (reader, key) throws(JSONError) in
        visitKey(key, from: reader.keyOffset, in: text, &edits)
        place.append(.name(key))
        try value(of: &reader, inherited.member(key, &names), in: text, &edits)
        place.removeLast()
        return true
      }
    case UInt8(ascii: "["):
      var index = 0
      try reader.array { (reader) throws(JSONError) in
        place.append(.index(index))
        try value(of: &reader, inherited, in: text, &edits)
        place.removeLast()
        index += 1
      }
    case UInt8(ascii: "\""):
      let string = Array(try reader.string().utf8)
      let isMessage = inherited.isAboutErrors && string.contains(UInt8(ascii: " "))
      let new =
        switch inherited.verdict {
        case .plain: value(string)
        case .kept: kept(string)
        case .secret where isMessage: value(string)
        case .secret(let kind): credentials(string, kind, anyScheme: false)
        }
      if new != string { edits.append((start..<reader.offset, Self.literal(new))) }
    default:
      try reader.skipCheckedValue()
      if let new = number(text[start..<reader.offset], inherited) { edits.append((start..<reader.offset, new)) }
    }
  }

  /// Replaces a number with another, because an app decodes it as one; `nil` keeps it.
  ///
  /// Short numbers are counts and limits, as in `"max_tokens": 4096`, but for passwords.
  private mutating func number(_ digits: ArraySlice<UInt8>, _ inherited: Inheritance) -> [UInt8]? {
    let verdict = inherited.verdict
    guard digits.count >= 6 || verdict == .secret(.password) && inherited.isNamed,
      digits.allSatisfy({ UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 })
    else { return nil }
    let digits = Array(digits)
    if case .kept = verdict { collect(kept: digits) }
    if case .secret(let kind) = verdict { collect(digits, kind) }
    guard isReplacing, let number = secrets.number(of: digits), let placeholder = secrets.placeholder(of: digits) else {
      return nil
    }
    report(placeholder)
    return Array("\(number)".utf8)
  }

  private mutating func visitKey(
    _ key: String, from start: Int, in text: [UInt8], _ edits: inout [(range: Range<Int>, bytes: [UInt8])]
  ) {
    guard !plainKeys.contains(key) else { return }
    let bytes = Array(key.utf8)
    let new = self.text(bytes)
    guard new != bytes else {
      plainKeys.insert(key)
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
