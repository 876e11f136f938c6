import StubModel
import TrackingJSON
import TrackingModel

// JSON bodies: strings and numbers, by the names of their members.

extension SecretVisitor {
  /// JSON with the strings in it visited by their members' names; `nil` if it isn't JSON.
  mutating func json(_ text: [UInt8]) -> [UInt8]? {
    guard let first = text.first(where: { $0 > 32 }), first == UInt8(ascii: "{") || first == UInt8(ascii: "[") else {
      return nil
    }
    return text.withUnsafeBufferPointer { buffer in
      // The reader recurses, so deeper JSON is visited as text. A copy of the visitor, so that an error leaves no findings behind.
      var visitor = self
      var edits: [(range: Range<Int>, bytes: [UInt8])] = []
      var reader = JSONReader(buffer, maximumDepth: StubRequest.deepestJSON)
      do throws(JSONError) {
        try visitor.value(of: &reader, .plain, in: text, &edits)
        try reader.end()
      } catch {
        return nil
      }
      self = visitor
      return text.replacing(edits)
    }
  }

  private mutating func value(
    of reader: inout JSONReader, _ verdict: SecretNames.Verdict, in text: [UInt8],
    _ edits: inout [(range: Range<Int>, bytes: [UInt8])]
  ) throws(JSONError) {
    let byte = reader.peek()
    let start = reader.offset
    switch byte {
    case UInt8(ascii: "{"):
      try reader.object { (reader, key) throws(JSONError) in
        visitKey(key, from: reader.keyOffset, in: text, &edits)
        place.append(key)
        let inner = self.verdict(on: key)
        // Every value under a secret name is secret, except words such as a token's type.
        let words = verdict != .plain && inner == .plain && !Self.labels.contains(key.lowercased())
        try value(of: &reader, words ? verdict : inner, in: text, &edits)
        place.removeLast()
        return true
      }
    case UInt8(ascii: "["):
      var index = 0
      try reader.array { (reader) throws(JSONError) in
        place.append("[\(index)]")
        try value(of: &reader, verdict, in: text, &edits)
        place.removeLast()
        index += 1
      }
    case UInt8(ascii: "\""):
      let string = Array(try reader.string().utf8)
      let new =
        switch verdict {
        case .plain: value(string)
        case .kept: kept(string)
        case .secret(let kind): credentials(string, kind, anyScheme: false)
        }
      if new != string { edits.append((start..<reader.offset, Self.literal(new))) }
    default:
      try reader.skipCheckedValue()
      if let new = number(Array(text[start..<reader.offset]), verdict) { edits.append((start..<reader.offset, new)) }
    }
  }

  private static let labels: Set = ["type", "token_type", "tokentype", "kind", "scope", "alg", "algorithm", "name"]

  /// Replaces a number with another, because an app decodes it as one; `nil` keeps it.
  ///
  /// Short numbers are counts and limits, as in `"max_tokens": 4096`, but for passwords.
  private mutating func number(_ digits: [UInt8], _ verdict: SecretNames.Verdict) -> [UInt8]? {
    guard digits.count >= 6 || verdict == .secret(.password),
      digits.allSatisfy({ UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 })
    else { return nil }
    switch verdict {
    case .secret(let kind) where !isReplacing: secrets.add(digits, kind)
    case .kept where !isReplacing: secrets.keep(digits)
    case .plain, .kept, .secret:
      guard let number = secrets.number(of: digits), let placeholder = secrets.placeholder(of: digits),
        isReplacing
      else { return nil }
      report(placeholder)
      return Array("\(number)".utf8)
    }
    return nil
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
