import Foundation

// Header fields, cookies, paths, and the items of queries and forms.

extension SecretVisitor {
  mutating func headers(_ headers: MessageHeaders, part: Int) -> MessageHeaders {
    place.part = part
    return MessageHeaders(
      lines: headers.lines.map { .init(name: $0.name, value: string(header($0.name, Array($0.value.utf8)))) })
  }

  private mutating func header(_ name: String, _ value: [UInt8]) -> [UInt8] {
    place.name = name
    switch (name.lowercased(), names.classification(ofField: name)) {
    case (_, .kept(let kind)): return kept(value, insteadOf: kind)
    case ("cookie", _):
      return text(value, edits: value.ranges { $0[$1] == UInt8(ascii: ";") }.flatMap { cookie($0, of: value) })
    case ("set-cookie", _):
      // Only the first pair is the cookie; its attributes aren't secret (RFC 6265 4.1.1). Some clients join several by commas.
      let cookies = value.ranges { $0[$1] == UInt8(ascii: ",") && $0.hasName(from: $1 + 1) }.map { range in
        range.lowerBound..<(value[range].firstIndex(of: UInt8(ascii: ";")) ?? range.upperBound)
      }
      return text(value, edits: cookies.flatMap { cookie($0, of: value) })
    case (let name, .secret(let kind)):
      // Again as a text: a secret may span the scheme and the credentials.
      return text(credentials(value, kind, anyScheme: name.hasSuffix("authorization")))
    case (_, .plain): return text(value, edits: items(ofURLsIn: value))
    }
  }

  /// RFC 6265 5.2 ignores a pair without `=`; browsers treat it as a value without a name.
  private mutating func cookie(_ pair: Range<Int>, of text: [UInt8]) -> [Edit] {
    let equals = text[pair].firstIndex(of: UInt8(ascii: "="))
    let name = equals.map { string(text[pair.lowerBound..<$0]).trimmingCharacters(in: .whitespaces) }
    let value = text.trimmed((equals.map { $0 + 1 } ?? pair.lowerBound)..<pair.upperBound) { $0 <= 32 || $0 == 0x22 }
    // The app may use the decoded form.
    let decoded = PercentEncoding.bytes(of: text[value])
    return edit(value, of: text, value: decoded, as: name) { visitor, value in
      guard case .kept(let kind) = visitor.names.classification(of: name ?? "") else {
        return visitor.secret(value, .cookie)
      }
      return visitor.kept(value, insteadOf: kind)
    }
  }

  mutating func form(_ text: [UInt8]) -> [UInt8] {
    self.text(text, edits: items(in: text.indices, of: text), isURL: true)
  }

  /// The edits of the items in the queries and fragments of URLs, and after semicolons in their paths.
  mutating func items(ofURLsIn text: [UInt8], in range: Range<Int>? = nil) -> [Edit] {
    let range = range ?? text.indices
    guard text[range].contains(UInt8(ascii: "=")) else { return [] }
    return text.ranges(in: range) { $0[$1] <= 32 || "\"'<>\\".utf8.contains($0[$1]) }.flatMap { word -> [Edit] in
      let start = text[word].firstIndex { "?#;".utf8.contains($0) } ?? word.upperBound
      let isURL = start == word.lowerBound || text[word.lowerBound..<start].contains(UInt8(ascii: "/"))
      return isURL && start < word.upperBound ? items(in: start + 1..<word.upperBound, of: text) : []
    }
  }

  private mutating func items(in range: Range<Int>, of text: [UInt8]) -> [Edit] {
    // Some servers also read semicolons as separators, and a URL may contain another unencoded URL.
    let items = text.ranges(in: range) {
      $0[$1] == UInt8(ascii: "&") || "?#;".utf8.contains($0[$1]) && $0.hasName(from: $1 + 1)
    }
    func decoded(_ text: ArraySlice<UInt8>) -> [UInt8] {
      PercentEncoding.bytes(of: text.map { $0 == UInt8(ascii: "+") ? UInt8(ascii: " ") : $0 })
    }
    return items.flatMap { item -> [Edit] in
      guard let equals = text[item].firstIndex(of: UInt8(ascii: "=")) else { return [] }
      let name = string(decoded(text[item.lowerBound..<equals]))
      let value = decoded(text[(equals + 1)..<item.upperBound])
      let classification = names.classification(ofItem: name, isMadeUp: value.isMadeUp)
      return edit(equals + 1..<item.upperBound, of: text, value: value, as: name, isURL: true, isItem: true) {
        $0.value($1, classification)
      }
    }
  }
}

extension [UInt8] {
  fileprivate func ranges(in whole: Range<Int>? = nil, _ isSeparator: ([UInt8], Int) -> Bool) -> [Range<Int>] {
    let whole = whole ?? 0..<count
    let ends = whole.filter { isSeparator(self, $0) }
    return zip([whole.lowerBound] + ends.map { $0 + 1 }, ends + [whole.upperBound]).map { $0..<$1 }
  }

  func trimmed(_ range: Range<Int>, _ isTrimmed: (UInt8) -> Bool = { $0 <= 32 }) -> Range<Int> {
    let rest = self[range].drop(while: isTrimmed)
    return rest.dropLast(rest.reversed().prefix(while: isTrimmed).count).indices
  }

  fileprivate func hasName(from start: Int) -> Bool {
    let rest = self[start...].prefix(100).drop { $0 == UInt8(ascii: " ") }
    let name = rest.prefix { $0.isLetterOrDigit || "-_.[]%!$*~".utf8.contains($0) }
    return !name.isEmpty && name.endIndex < count && self[name.endIndex] == UInt8(ascii: "=")
  }

  var isMadeUp: Bool {
    func has(_ range: ClosedRange<UInt8>) -> Bool { contains { range ~= $0 } }
    return count >= 16 && !has(0...32) && (has(0x30...0x39) || has(0x41...0x5A) && has(0x61...0x7A))
  }
}
