import TrackingSecrets

// Elements of HTML and XML.

extension SecretScan {
  /// Finds the secret of an element: its text, or the value of an element that is named by an attribute; the index is that of its `<`.
  mutating func element(at index: Int, _ names: inout KnownNames) {
    let start = index + 1
    guard start < text.count, index >= secretSectionsEnd else { return }
    if text[start] == UInt8(ascii: "/") { return close(at: start + 1) }
    let end = end(from: start) {
      $0 > 32 && $0 != UInt8(ascii: ">") && $0 != UInt8(ascii: "/") && $0 != UInt8(ascii: "<")
    }
    guard end > start, Self.isNameCharacter(text[start]) else { return }
    guard let tag = attributes(from: end) else { return }
    var first = end
    while first > start, text[first - 1] != UInt8(ascii: ":") { first -= 1 }
    let local = String(decoding: text[first..<end], as: UTF8.self)
    var verdict = SecretNames.Verdict.plain
    if let name = tag.name {
      verdict = names.verdict(on: String(decoding: text[name], as: UTF8.self))
    }
    if verdict != .plain, let value = tag.value {
      return add(value, verdict, .references, tag.name)
    }
    if verdict != .plain, !Self.named.contains(local.lowercased()) { verdict = .plain }
    var named = verdict == .plain ? nil : tag.name
    // `<forgot-password>` is a part of a page.
    if verdict == .plain, style != .html || !local.contains("-") { verdict = names.verdict(on: local) }
    if let openElement, verdict == .plain, !SecretNames.isLabel(local) {
      (verdict, named) = (openElement.verdict, openElement.name)
    }
    guard !tag.isEmpty else { return }
    if local == "key" { return addPropertyListValue(from: tag.end, &names) }
    if verdict != .plain { addContent(from: tag.end, verdict, element: start..<end, named ?? first..<end) }
  }

  /// Elements whose text is the value of the name in an attribute, as in `<string name="api_key">abc</string>`.
  private static let named: Set = [
    "string", "entry", "property", "param", "parameter", "attribute", "field", "item", "var", "variable", "setting",
    "textarea",
  ]

  private struct Tag {
    /// The value of the attribute that names the element.
    var name: Range<Int>?
    /// The value of `value` or `content`.
    var value: Range<Int>?
    /// Whether it has no content.
    var isEmpty = false
    /// The index behind it.
    var end = 0
  }

  /// Reads the attributes of a tag; `nil` if it isn't closed.
  private func attributes(from start: Int) -> Tag? {
    var tag = Tag()
    var index = start
    while index < text.count {
      switch text[index] {
      case UInt8(ascii: ">"):
        tag.isEmpty = text[index - 1] == UInt8(ascii: "/")
        tag.end = index + 1
        return tag
      case UInt8(ascii: "<"): return nil
      case UInt8(ascii: "="):
        guard let value = attributeValue(from: index + 1) else { return nil }
        note(value, of: index, in: &tag)
        index = max(value.upperBound, index + 1)
        if index < text.count, text[index] == UInt8(ascii: "\"") || text[index] == UInt8(ascii: "'") { index += 1 }
      default: index += 1
      }
    }
    return nil
  }

  private func attributeValue(from start: Int) -> Range<Int>? {
    let first = end(from: start) { $0 <= 32 }
    guard first < text.count else { return nil }
    let quote = text[first]
    guard quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") else {
      return first..<end(from: first) { $0 > 32 && $0 != UInt8(ascii: ">") && $0 != UInt8(ascii: "<") }
    }
    return next(quote, from: first + 1).map { first + 1..<$0 }
  }

  /// Notes a value if its attribute is one of those that matter; the index is that of the `=`.
  private func note(_ value: Range<Int>, of index: Int, in tag: inout Tag) {
    var end = index
    while end > 0, text[end - 1] <= 32 { end -= 1 }
    var start = end
    while start > 0, end - start < 10, Self.isNameCharacter(text[start - 1]) { start -= 1 }
    guard 2...8 ~= end - start else { return }
    switch String(decoding: text[start..<end], as: UTF8.self).lowercased() {
    case "name", "property", "key": tag.name = value
    case "id": tag.name = tag.name ?? value
    case "value", "content": tag.value = value
    default: break
    }
  }

  // MARK: Content

  private mutating func add(
    _ range: Range<Int>, _ verdict: SecretNames.Verdict, _ coding: TextCoding?, _ name: Range<Int>?
  ) {
    var (start, end) = (range.lowerBound, range.upperBound)
    while start < end, text[start] <= 32 { start += 1 }
    while start < end, text[end - 1] <= 32 { end -= 1 }
    guard start < end else { return }
    findings.append(Finding(range: start..<end, content: .value(verdict), coding: coding, name: name))
  }

  /// Adds the text of an element, also that in `CDATA` sections; if it has elements instead, those are secret.
  private mutating func addContent(
    from start: Int, _ verdict: SecretNames.Verdict, element: Range<Int>, _ name: Range<Int>
  ) {
    var index = start
    let count = findings.count
    while let next = next(UInt8(ascii: "<"), from: index) {
      if has("<![CDATA[", at: next) {
        add(index..<next, verdict, .references, name)
        guard !hasNoMoreSections, let end = self.index(of: "]]>", from: next) else {
          hasNoMoreSections = true
          return
        }
        add(next + 9..<end, verdict, nil, name)
        index = end + 3
        secretSectionsEnd = index
      } else if has("</", at: next) {
        return add(index..<next, verdict, .references, name)
      } else {
        let isBlank = !text[index..<next].contains { $0 > 32 }
        if style == .xml, isBlank, findings.count == count, openElement == nil { openElement = (element, verdict) }
        return
      }
    }
  }

  /// Ends the element whose descendants are secret.
  private mutating func close(at start: Int) {
    guard let open = openElement, case let end = start + open.name.count, end < text.count,
      text[end] <= 32 || text[end] == UInt8(ascii: ">"), text[start..<end].elementsEqual(text[open.name])
    else { return }
    openElement = nil
  }

  /// Adds the value of a property list's member: `<key>token</key><string>abc</string>`.
  private mutating func addPropertyListValue(from start: Int, _ names: inout KnownNames) {
    guard let end = next(UInt8(ascii: "<"), from: start), has("</key>", at: end),
      case let verdict = names.verdict(on: String(decoding: text[start..<end], as: UTF8.self)), verdict != .plain
    else { return }
    let element = self.end(from: end + 6) { $0 <= 32 }
    for (tag, count) in [("<string>" as StaticString, 8), ("<data>", 6)] where has(tag, at: element) {
      addContent(from: element + count, verdict, element: element..<element, start..<end)
    }
  }
}
