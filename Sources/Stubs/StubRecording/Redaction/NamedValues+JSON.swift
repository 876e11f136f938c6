import TrackingJSON
import TrackingSecrets

extension NamedValues {
  /// Reads a document, lines or a stream's events, leniently, because truncated JSON and other encodings than UTF-8 have secrets, too.
  mutating func readJSON(_ text: UnsafeBufferPointer<UInt8>) {
    // The text between documents begins at `other`.
    var (index, other) = (0, 0)
    while index < text.count {
      switch text[index] {
      case let byte where opensContainer(text, at: index):
        if frames.isEmpty, other < index { add(other..<index, .other, Array(text[other..<index])) }
        open(nil, isObject: byte == UInt8(ascii: "{"))
        index += 1
      case _ where frames.isEmpty: index += 1
      case UInt8(ascii: "\""): index = readString(text, from: index)
      case let byte where ",}]".utf8.contains(byte):
        endValue(before: byte)
        index += 1
        other = index
      case let byte where byte.isLetterOrDigit || byte == UInt8(ascii: "-"): index = readWord(text, from: index)
      default: index += 1
      }
    }
    if frames.isEmpty, other < text.count { add(other..<text.count, .other, Array(text[other...])) }
    while !frames.isEmpty { close() }
  }

  /// Whether an object or an array begins; a brace in prose, of a stream of words, opens nothing.
  private func opensContainer(_ text: UnsafeBufferPointer<UInt8>, at index: Int) -> Bool {
    guard text[index] == UInt8(ascii: "{") else { return text[index] == UInt8(ascii: "[") }
    return !frames.isEmpty || "\"}".utf8.contains(text[(index + 1)...].first { $0 > 32 } ?? 0)
  }

  /// Closes the member that a comma or a bracket ends, and what a bracket closes.
  private mutating func endValue(before byte: UInt8) {
    if frames.last?.isObject == nil { close() }
    if byte != UInt8(ascii: ",") { close() }
  }

  /// Reads a number or a literal, and adds it if it may be a secret: short numbers and others are counts, prices and points in time.
  private mutating func readWord(_ text: UnsafeBufferPointer<UInt8>, from start: Int) -> Int {
    var end = start + 1
    while end < text.count, text[end].isLetterOrDigit || "+-.".utf8.contains(text[end]) { end += 1 }
    let digits = Array(text[start..<end])
    if digits.count >= 4, digits.allSatisfy({ 0x30...0x39 ~= $0 }) { add(start..<end, .number, digits) }
    return end
  }

  /// Reads a string or the name of a member, which a line break ends, too.
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
        let new = visitor.value(old, value.classification, isLabel: value.isLabel)
        var writer = JSONWriter()
        writer.write(string: string(new))
        return new == old ? old : writer.bytes
      }
    }
    return apply(edits, to: text)
  }

  /// Replaces a number with another number, because an app decodes it as one; short numbers are usually counts and ids, except passwords.
  private mutating func number(_ digits: [UInt8], _ context: NamedValues.Context) -> [UInt8] {
    let isPassword = context.classification == .secret(.password) && context.isOwn
    if digits.count < SecretTable.shortest, !isPassword { return digits }
    if !isReplacing, case .kept(let kind) = context.classification { secrets.keep(digits, inSecretPlaces: kind != nil) }
    if !isReplacing, case .secret(let kind) = context.classification { secrets.add(digits, kind) }
    guard isReplacing, let secret = secrets.secret(digits) else { return digits }
    _ = placeholder(secret)
    return Array("\(secrets.number(of: secret))".utf8)
  }
}
