/// Header fields, in order.
public struct MessageHeaders: Hashable, Sendable {
  /// The field lines as they are stored and compared.
  package var lines: [NamedText]

  package init(lines: [NamedText]) {
    self.lines = lines
  }

  /// All field lines in order: names as written, values without white space around them.
  public var fields: [(name: String, value: String)] {
    get { lines.map { ($0.name, $0.value) } }
    set { lines = newValue.map(NamedText.init) }
  }

  /// Field lines in order.
  public init(fields: [(name: String, value: String)] = []) {
    lines = fields.map(NamedText.init)
  }

  /// The value of a field, by its name in any case; `nil` without the field.
  ///
  /// RFC 9110 5.3: the values of several lines of one name are joined by commas. A new value replaces all lines of that name, and `nil` removes them.
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
  /// Field lines in the order in which they are written.
  public init(dictionaryLiteral elements: (String, String)...) {
    lines = elements.map(NamedText.init)
  }
}
