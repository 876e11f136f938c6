/// The header fields of a message, in order.
public struct MessageHeaders: Hashable, Sendable {
  package var lines: [NamedText]

  package init(lines: [NamedText]) {
    self.lines = lines
  }

  /// All field lines in order: names as written, values trimmed.
  public var fields: [(name: String, value: String)] {
    get { lines.map { ($0.name, $0.value) } }
    set { lines = newValue.map(NamedText.init) }
  }

  /// Creates header fields from field lines in order.
  public init(fields: [(name: String, value: String)] = []) {
    lines = fields.map(NamedText.init)
  }

  /// The value of a field, by its name in any case; `nil` without the field.
  ///
  /// Values of several lines with the same name are joined by commas (RFC 9110 5.3). A new value replaces all lines with that name; `nil` removes
  /// them.
  public subscript(name: String) -> String? {
    get {
      let values = lines.lazy.filter { Self.isName($0.name, name) }.map(\.value)
      return values.isEmpty ? nil : values.joined(separator: ", ")
    }
    set {
      lines.removeAll { Self.isName($0.name, name) }
      if let newValue { lines.append(NamedText(name: name, value: newValue)) }
    }
  }

  /// RFC 9110 5.1: field names are case-insensitive; they are ASCII.
  private static func isName(_ name: String, _ other: String) -> Bool {
    name == other || name.lowercased() == other.lowercased()
  }
}

extension MessageHeaders: ExpressibleByDictionaryLiteral {
  /// Creates header fields in the order of the literal.
  public init(dictionaryLiteral elements: (String, String)...) {
    lines = elements.map(NamedText.init)
  }
}
