import TrackingSecrets

// Names and values in one line: items of URLs, attributes, members of something like JSON, and words of a log.

extension SecretScan {
  /// The value of a secret name; the index is that of the `=` or `:` between them.
  func pair(at index: Int, _ names: inout KnownNames) -> Finding? {
    guard let name = name(before: index), index + 1 < text.count,
      var finding = value(of: name, at: index, &names)
    else { return nil }
    finding.name = name.range
    return finding
  }

  private func value(of name: Name, at index: Int, _ names: inout KnownNames) -> Finding? {
    var start = index + 1
    if text[index] == UInt8(ascii: "=") {
      // A comparison, or an arrow of a program.
      if text[start] == UInt8(ascii: "=") || text[start] == UInt8(ascii: ">") && !name.isQuoted { return nil }
      if text[start] == UInt8(ascii: ">") { start += 1 }
      if start == index + 1, !name.isQuoted, !name.isApart, let item = item(name, at: start, &names) { return item }
    }
    let space = end(from: start, while: { $0 <= 32 }) - start
    guard space <= 10, start + space < text.count else { return nil }
    let quote = text[start + space]
    if quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") {
      return quoted(name, before: index, at: start + space, quote, &names)
    }
    guard style == .prose, !name.isQuoted, beginsWord(name.range.lowerBound) else { return nil }
    // `password=abc`, and `password = abc` as in a file of settings.
    if text[index] == UInt8(ascii: "=") {
      return name.isApart == (space > 0) && space <= 1 ? assigned(name, at: start + space, &names) : nil
    }
    return name.isApart || space > 2 ? nil : stated(name, at: start + space, &names)
  }

  private struct Name {
    let range: Range<Int>
    let isQuoted: Bool
    /// Whether white space follows it.
    let isApart: Bool
  }

  private func name(before index: Int) -> Name? {
    var end = index
    while end > 0, index - end < 10, text[end - 1] <= 32 { end -= 1 }
    let isApart = end < index
    var quote: UInt8?
    if end > 0, text[end - 1] == UInt8(ascii: "\"") || text[end - 1] == UInt8(ascii: "'") {
      end -= 1
      quote = text[end]
    }
    var start = end
    while start > 0, end - start < 100, Self.isNameCharacter(text[start - 1]) { start -= 1 }
    // The end of a longer name decides.
    let isCut = end - start == 100
    guard start < end, quote == nil || isCut || start > 0 && text[start - 1] == quote else { return nil }
    return Name(range: start..<end, isQuoted: quote != nil, isApart: isApart)
  }

  private func verdict(on name: Name, _ names: inout KnownNames) -> SecretNames.Verdict {
    names.verdict(on: String(decoding: text[name.range], as: UTF8.self))
  }

  /// An item of a URL's query or fragment: `?access_token=abc`.
  private func item(_ name: Name, at start: Int, _ names: inout KnownNames) -> Finding? {
    let place = name.range.lowerBound
    let before = place > 0 ? text[place - 1] : nil
    switch before {
    case nil, UInt8(ascii: "?"), UInt8(ascii: "#"): break
    // `&&` is an operator.
    case UInt8(ascii: "&"): if place > 1, text[place - 2] == UInt8(ascii: "&") { return nil }
    case UInt8(ascii: ";"): break
    default: return nil
    }
    if has("[redacted ", at: start) { return nil }
    let verdicts = names.verdicts(onItem: String(decoding: text[name.range], as: UTF8.self))
    // There it may not be a URL, and `key=` is too common.
    let short = before == nil ? verdict(on: name, &names) : verdicts.short
    // Searches for an end are only linear together when what is found is skipped.
    guard short != .plain || before != nil && verdicts.long != .plain else { return nil }
    var end = start
    while end < text.count, !Self.endsItem(text[end]), !separates(at: end, in: before) { end += 1 }
    // At the beginning of a text, it is one of several.
    if before == nil, style != .prose || end == text.count || text[end] != UInt8(ascii: "&") { return nil }
    // The semicolon of `&amp;`, or one between the statements of a program.
    if before == UInt8(ascii: ";"), style != .prose, !has("&amp;", at: place - 5),
      isWord(start..<end) || end - start < ByteSearch.shortest
    {
      return nil
    }
    let isOpaque =
      before != nil && short != verdicts.long && Self.isOpaque(TextCoding.percent.decoded(Array(text[start..<end])))
    let verdict = isOpaque ? verdicts.long : short
    return verdict == .plain ? nil : Finding(range: start..<end, content: .value(verdict), coding: .percent)
  }

  private static func endsItem(_ byte: UInt8) -> Bool {
    switch byte {
    // & # " ' < > \
    case 0...32, 0x26, 0x23, 0x22, 0x27, 0x3C, 0x3E, 0x5C: true
    default: false
    }
  }

  /// Whether a byte ends a value: a closing bracket at its end, or a comma or semicolon before the next name.
  private func separates(at index: Int, in before: UInt8?) -> Bool {
    switch text[index] {
    // `/path;jsessionid=abc?query`
    case UInt8(ascii: ";") where before == UInt8(ascii: ";"): return true
    case UInt8(ascii: "?") where before == UInt8(ascii: ";"): return true
    case UInt8(ascii: ","), UInt8(ascii: ";"), UInt8(ascii: ")"), UInt8(ascii: "]"), UInt8(ascii: "}"): break
    default: return false
    }
    let next = index + 1
    guard next < text.count, !Self.endsItem(text[next]), !")]},;.".utf8.contains(text[next]) else { return true }
    guard text[index] == UInt8(ascii: ",") || text[index] == UInt8(ascii: ";") else { return false }
    var end = next
    while end < text.count, end - next < 40, Self.isNameCharacter(text[end]) { end += 1 }
    return end > next && end < text.count && (text[end] == UInt8(ascii: "=") || text[end] == UInt8(ascii: ":"))
  }

  /// A member or an attribute: `"password": "abc"`, `token='abc'`, `apiKey: "abc"`.
  private func quoted(
    _ name: Name, before index: Int, at start: Int, _ quote: UInt8, _ names: inout KnownNames
  ) -> Finding? {
    func closing() -> Int {
      var end = start + 1
      while end < text.count, text[end] != quote { end += text[end] == UInt8(ascii: "\\") ? 2 : 1 }
      return min(end, text.count)
    }
    var verdict = verdict(on: name, &names)
    // A member of JSON that is cut off or encoded.
    if verdict == .plain, name.isQuoted, 6...9 ~= name.range.count, text[index] == UInt8(ascii: ":") {
      verdict = names.names.verdict(onLongMember: String(decoding: text[name.range], as: UTF8.self))
      if verdict != .plain, !Self.isOpaque(Array(text[start + 1..<closing()])) { verdict = .plain }
    }
    // Searches for an end are only linear together when what is found is skipped.
    guard verdict != .plain else { return nil }
    let end = closing()
    let isMember = name.isQuoted || text[index] == UInt8(ascii: ":")
    // A key of a keyboard, or the name of a column.
    if verdict == .secret(.key), isInProgram(name, isMember: isMember), end - start <= 2 || isWord(start + 1..<end) {
      return nil
    }
    if !isMember, end == text.count { return nil }
    if !name.isQuoted, isMember {
      // In `a ? token : "b"` it isn't a name, and a label in a program's text is a sentence.
      var before = name.range.lowerBound
      while before > 0, name.range.lowerBound - before < 10, text[before - 1] <= 32 { before -= 1 }
      guard !name.isApart, before == 0 || text[before - 1] != UInt8(ascii: "?"),
        !text[(start + 1)..<end].contains(where: { $0 <= 32 })
      else { return nil }
    }
    return Finding(
      range: start + 1..<end, content: .value(verdict),
      coding: isMember ? .escapes : .references)
  }

  /// Whether a name is that of a variable or a member, not of an attribute, which has white space before it and none behind it.
  private func isInProgram(_ name: Name, isMember: Bool) -> Bool {
    guard style != .prose, !isMember, !name.isApart else { return style != .prose }
    let before = name.range.lowerBound > 0 ? text[name.range.lowerBound - 1] : 32
    return style == .code || before > 32 && before != UInt8(ascii: "\"") && before != UInt8(ascii: "'")
  }

  // MARK: Words of a log

  private func beginsWord(_ index: Int) -> Bool {
    guard index > 0 else { return true }
    let before = text[index - 1]
    return before <= 32 || ",;|({\"'>".utf8.contains(before)
  }

  /// `password=abc`.
  private func assigned(_ name: Name, at start: Int, _ names: inout KnownNames) -> Finding? {
    guard case let verdict = verdict(on: name, &names), verdict != .plain, !has("[redacted ", at: start) else {
      return nil
    }
    let end = endOfWord(from: start)
    guard !isNothing(start..<end) else { return nil }
    return Finding(range: start..<end, content: .value(verdict), isWord: isWord(start..<end))
  }

  /// `Token: abc123` and `Authorization: Bearer abc123`; words are left alone, because they are the rest of a sentence.
  private func stated(_ name: Name, at start: Int, _ names: inout KnownNames) -> Finding? {
    guard case let verdict = verdict(on: name, &names), verdict != .plain, !has("[redacted ", at: start) else {
      return nil
    }
    if verdict == .secret(.cookie) {
      guard text[start..<min(start + 100, text.count)].contains(UInt8(ascii: "=")) else { return nil }
      let end = end(from: start) { $0 >= 32 && $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "'") }
      return Finding(range: start..<end, content: .value(verdict))
    }
    // A URL that begins with a name's letters.
    if has("://", at: end(from: start) { Self.isNameCharacter($0) }) { return nil }
    var end = start
    // A call of a function isn't a value. Its end isn't looked for, since it may be anywhere behind many names.
    while end < text.count, !Self.endsItem(text[end]), !separates(at: end, in: nil) {
      if text[end] == UInt8(ascii: "(") { return nil }
      end += 1
    }
    let scheme = String(decoding: text[start..<min(end, start + 20)], as: UTF8.self).lowercased()
    if Self.schemes.contains(scheme), end + 1 < text.count, text[end] == 32 {
      let last = endOfWord(from: end + 1)
      return last > end + 1 && !isWord(end + 1..<last) && !has("[redacted ", at: end + 1)
        ? Finding(range: start..<last, content: .credentials) : nil
    }
    guard end - start >= 6, !isWord(start..<end) else { return nil }
    return Finding(range: start..<end, content: .value(verdict))
  }

  /// Whether a value stands for no value, such as `null`, or is hidden already, such as `****`.
  private func isNothing(_ range: Range<Int>) -> Bool {
    guard range.count <= 9 else { return text[range].allSatisfy { $0 == UInt8(ascii: "*") } }
    let value = String(decoding: text[range], as: UTF8.self).lowercased()
    return value.allSatisfy { $0 == "*" } || ["none", "null", "nil", "undefined", "true", "false"].contains(value)
  }

  private static let schemes: Set = ["bearer", "basic", "token", "apikey", "negotiate"]

  private func endOfWord(from start: Int) -> Int {
    var end = start
    while end < text.count, !Self.endsItem(text[end]), !separates(at: end, in: nil) { end += 1 }
    return end
  }

  // MARK: URLs

  /// The password in a URL: `https://anna:abc@example.com`; the index is that of the colon before it.
  func userInfo(at index: Int) -> Finding? {
    var user = index
    while user > 0, index - user < 100, text[user - 1] > 32, text[user - 1] != UInt8(ascii: "/") { user -= 1 }
    guard user < index, has("://", at: user - 3) else { return nil }
    var end = index + 1
    while end < text.count, end - index < 200, text[end] > 32, !"@/\"?#<".utf8.contains(text[end]) { end += 1 }
    guard end < text.count, text[end] == UInt8(ascii: "@") else { return nil }
    return Finding(range: index + 1..<end, content: .value(.secret(.password)), coding: .percent)
  }
}
