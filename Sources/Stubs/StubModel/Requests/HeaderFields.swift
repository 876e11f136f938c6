/// Header fields, in order.
public struct HeaderFields: Hashable, Codable, Sendable {
  /// One field line.
  public struct Field: Hashable, Codable, Sendable {
    /// The name as written.
    public var name: String
    /// The value without white space around it.
    public var value: String

    /// A field line.
    public init(name: String, value: String) {
      self.name = name
      self.value = value
    }
  }

  /// All field lines, in order.
  public var fields: [Field]

  /// Field lines in order.
  public init(fields: [Field] = []) {
    self.fields = fields
  }

  /// The value of a field, by its name in any case; `nil` without the field.
  ///
  /// RFC 9110 5.3: the values of several lines of one name are joined by commas. A new value replaces all lines of that name, and `nil` removes them.
  public subscript(name: String) -> String? {
    get {
      let values = fields.lazy.filter { Self.isName($0.name, name) }.map(\.value)
      return values.isEmpty ? nil : values.joined(separator: ", ")
    }
    set {
      fields.removeAll { Self.isName($0.name, name) }
      if let newValue { fields.append(Field(name: name, value: newValue)) }
    }
  }

  /// RFC 9110 5.1: field names are case-insensitive; they are ASCII.
  private static func isName(_ name: String, _ other: String) -> Bool {
    name == other || name.lowercased() == other.lowercased()
  }
}

extension HeaderFields.Field {
  /// Whether the field can be sent: it is well-formed and isn't about framing.
  ///
  /// RFC 9110 5.6.2 and 5.5: a name is a token, and a value holds no control characters; framing is the server's.
  package var canBeSent: Bool {
    name.isToken
      && value.unicodeScalars.allSatisfy { $0 == "\t" || $0.value >= 32 && $0.value != 127 }
      && !Self.framing.contains(name.lowercased())
  }

  /// Whether it is the length of a body, `Content-Length: 42`.
  package var isLength: Bool {
    name.lowercased() == "content-length" && !value.isEmpty && value.utf8.allSatisfy { (0x30...0x39).contains($0) }
  }

  private static let framing: Set<String> = ["content-length", "transfer-encoding", "connection"]
}

extension HeaderFields: ExpressibleByDictionaryLiteral {
  /// Field lines in the order in which they are written.
  public init(dictionaryLiteral elements: (String, String)...) {
    fields = elements.map { Field(name: $0.0, value: $0.1) }
  }
}
