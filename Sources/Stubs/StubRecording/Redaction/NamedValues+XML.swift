import Foundation

extension NamedValues {
  /// Reads elements and attributes up to the first malformed one; in HTML, only the attributes of `input` and `meta`, and links.
  mutating func readXML(_ bytes: [UInt8], isHTML: Bool) {
    guard let text = String(bytes: bytes, encoding: .isoLatin1) else { return }
    var open: [String] = []
    for token in (isHTML ? Self.html : Self.xml)?.matches(in: text, range: NSRange(0..<bytes.count)) ?? [] {
      func part(_ number: Int) -> Range<Int>? { Range(token.range(at: number)) }
      guard let name = part(3), let attributes = part(4) else {
        guard !open.isEmpty, let all = part(0), part(1) != nil || bytes[all.lowerBound] != UInt8(ascii: "<") else {
          continue
        }
        let range = part(1) ?? bytes.trimmed(all)
        let value = part(1) == nil ? SecretSpelling.resolved(bytes[range]) : Array(bytes[range])
        if !value.isEmpty { add(range, .string, value) }
        continue
      }
      let tag = isHTML ? string(bytes[name]).lowercased() : string(bytes[name])
      let isEnd = part(2)?.isEmpty == false
      if isHTML, isEnd { continue }
      let isRead = Self.readNames(of: tag, isHTML: isHTML)
      if isEnd {
        if open.popLast() != tag { break }
        close()
      } else {
        self.open(Self.local(tag))
        for attribute in Self.attributes?.matches(in: text, range: NSRange(attributes)) ?? [] {
          let parts = (1...4).compactMap { Range<Int>(attribute.range(at: $0)) }
          let name = Self.local(string(bytes[parts[0]]))
          if isRead?.contains(name.lowercased()) ?? true { addAttribute(name, parts[1], of: bytes, isHTML: isHTML) }
        }
        if isHTML || bytes[attributes].last == UInt8(ascii: "/") { close() } else { open.append(tag) }
      }
    }
    while !frames.isEmpty { close() }
  }

  private mutating func addAttribute(_ name: String, _ range: Range<Int>, of bytes: [UInt8], isHTML: Bool) {
    // Other attributes of a secret element describe it.
    let isSecret = frames.last.map { $0.context.classification != .plain } == true
    guard !range.isEmpty, !isSecret || name == "value" || context(of: name).classification != .plain else {
      return
    }
    open(isHTML && name.lowercased() == "content" ? "value" : name)
    add(range, .string, SecretSpelling.resolved(bytes[range]))
    close()
  }

  /// The names of the attributes that are read; `nil` for all.
  private static func readNames(of tag: String, isHTML: Bool) -> Set<String>? {
    let isField = tag == "input" || tag == "meta"
    return !isHTML
      ? nil : isField ? ["name", "property", "id", "value", "content"] : ["href", "src", "action", "formaction"]
  }

  private static func local(_ name: String) -> String { name.split(separator: ":").last.map(String.init) ?? name }

  private static let xml = tokens(isHTML: false)
  private static let html = tokens(isHTML: true)

  /// Character data sections (1), tags with end (2), name (3) and attributes (4), and texts; scripts in HTML aren't markup.
  private static func tokens(isHTML: Bool) -> NSRegularExpression? {
    let raw = "(?:script|style|textarea|title)\\b"
    let parts = [
      #"<!--.*?(?:-->|\z)"#, #"<!\[CDATA\[(.*?)(?:\]\]>|\z)"#, "<[!?][^>]*+>?",
      #"<(/?)\#(isHTML ? "(?!\(raw))" : "")([^\s<>/!?"'=]++)((?:[^<>"']++|"[^"]*+"|'[^']*+')*+)>"#,
      isHTML ? #"<(?=\#(raw))([a-z]++).*?(?:</\5|\z)"# : "[^<]++", "<",
    ]
    return try? NSRegularExpression(
      pattern: parts.joined(separator: "|"), options: [.caseInsensitive, .dotMatchesLineSeparators])
  }

  private static let attributes = try? NSRegularExpression(
    pattern: #"([^\s<>/"'=]++)\s*+=\s*+(?:"([^"]*+)"|'([^']*+)'|([^\s"'>]++))"#)
}

extension SecretVisitor {
  /// Keeps other texts than known secrets and forms.
  mutating func xml(_ text: [UInt8], isHTML: Bool) -> [UInt8] {
    let values = named { $0.readXML(text, isHTML: isHTML) }
    let edits = values.flatMap { value in
      // An item ends also at an escaped ampersand, so a URL is read as it is.
      guard value.context.classification != .plain else { return items(ofURLsIn: text, in: value.range) }
      return edit(value.range, of: text, value: value.text, as: value.context.name) {
        $0.value($1, value.context.classification, isLabel: value.isLabel)
      }
    }
    return self.text(text, edits: edits)
  }
}
