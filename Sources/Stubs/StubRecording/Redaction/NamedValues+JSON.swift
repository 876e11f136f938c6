import TrackingJSON
import TrackingSecrets

extension NamedValues {
  /// Reads a document, lines or a stream's events, leniently, because truncated JSON and other encodings than UTF-8 have secrets, too.
  mutating func readJSON(_ text: UnsafeBufferPointer<UInt8>) {
    var (index, other) = (0, 0)
    while index < text.count {
      let (start, byte) = (index, text[index])
      index += 1
      if byte == UInt8(ascii: "{") || byte == UInt8(ascii: "[") {
        // A brace in prose, of a stream of words, opens nothing.
        let next = text[index...].first { $0 > 32 } ?? 0
        if frames.isEmpty, byte == UInt8(ascii: "{"), !"\"}".utf8.contains(next) { continue }
        if frames.isEmpty, other < start { add(other..<start, .other, Array(text[other..<start])) }
        open(nil, isObject: byte == UInt8(ascii: "{"))
      } else if frames.isEmpty {
        continue
      } else if byte == UInt8(ascii: "\"") {
        index = readString(text, from: start)
      } else if byte == UInt8(ascii: ",") || byte == UInt8(ascii: "}") || byte == UInt8(ascii: "]") {
        if frames.last?.isObject == nil { close() }
        if byte != UInt8(ascii: ",") { close() }
        other = index
      } else if byte.isLetterOrDigit || byte == UInt8(ascii: "-") {
        while index < text.count, text[index].isLetterOrDigit || "+-.".utf8.contains(text[index]) { index += 1 }
        let digits = Array(text[start..<index])
        // Others are counts, prices and points in time.
        if digits.count >= 4, digits.allSatisfy({ 0x30...0x39 ~= $0 }) { add(start..<index, .number, digits) }
      }
    }
    if frames.isEmpty, other < text.count { add(other..<text.count, .other, Array(text[other...])) }
    while !frames.isEmpty { close() }
  }

  /// Reads a string or a member's name, which a line break ends, too.
  private mutating func readString(_ text: UnsafeBufferPointer<UInt8>, from start: Int) -> Int {
    var (end, isEscaped) = (start + 1, false)
    while end < text.count, text[end] != UInt8(ascii: "\""), text[end] != UInt8(ascii: "\n") {
      isEscaped = isEscaped || text[end] == UInt8(ascii: "\\")
      end += text[end] == UInt8(ascii: "\\") ? 2 : 1
    }
    let range = start..<min(end + 1, text.count)
    var value = Array(text[start + 1..<min(end, text.count)])
    var reader = JSONReader(UnsafeBufferPointer(rebasing: text[range]), maximumDepth: 1)
    if isEscaped, let decoded = try? reader.string() { value = Array(decoded.utf8) }
    var next = range.upperBound
    while next < text.count, text[next] <= 32 { next += 1 }
    let isKey = frames.last?.isObject == true && next < text.count && text[next] == UInt8(ascii: ":")
    add(range, isKey ? .key : .string, value)
    if isKey { open(string(value)) }
    return isKey ? next + 1 : range.upperBound
  }
}

extension SecretVisitor {
  static func isJSON(_ text: [UInt8]) -> Bool {
    text.first { $0 > 32 }.map { $0 == UInt8(ascii: "{") || $0 == UInt8(ascii: "[") } == true
      && (try? JSONTree(text, spelling: .written, maximumDepth: ReceivedRequest.deepestJSON)) != nil
  }

  /// Accepts several values in lines or events, too.
  mutating func json(_ text: [UInt8]) -> [UInt8] {
    let values = named { values in text.withUnsafeBufferPointer { values.readJSON($0) } }
    let edits = values.flatMap { value in
      edit(value.range, of: text, value: value.text, as: value.context.name) { visitor, old in
        if value.form == .number { return visitor.number(old, value.context) }
        if value.form == .other { return visitor.text(old) }
        let verdict = value.form == .key ? .plain : value.context.verdict
        let new = visitor.value(old, verdict, isLabel: value.isLabel)
        var writer = JSONWriter()
        writer.write(string: string(new))
        return new == old ? old : writer.bytes
      }
    }
    return apply(edits, to: text)
  }

  /// Replaces a number with another number, because an app decodes it as one; short numbers are usually counts and ids, except passwords.
  private mutating func number(_ digits: [UInt8], _ context: NamedValues.Context) -> [UInt8] {
    let isPassword = context.verdict == .secret(.password) && context.isOwn
    if digits.count < SecretTable.shortest, !isPassword { return digits }
    if !isReplacing, case .kept(let kind) = context.verdict { secrets.keep(digits, inSecretPlaces: kind != nil) }
    if !isReplacing, case .secret(let kind) = context.verdict { secrets.add(digits, kind) }
    guard isReplacing, let secret = secrets.secret(digits) else { return digits }
    _ = placeholder(secret)
    return Array("\(secrets.number(of: secret))".utf8)
  }
}
