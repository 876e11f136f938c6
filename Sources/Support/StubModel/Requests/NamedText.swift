import TrackingModel
import TrackingPatterns

/// A header field, or an item of a query or a form.
package struct NamedText: Hashable, Sendable {
  package var name: String
  package var value: String

  package init(name: String, value: String) {
    self.name = name
    self.value = value
  }
}

extension NamedText: FormConvertible {
  package var form: TrackingValue { [.string(name), .string(value)] }

  package static func read(_ form: TrackingValue) -> NamedText? {
    guard case .array(let texts) = form, texts.count == 2, case .string(let name) = texts[0],
      case .string(let value) = texts[1]
    else { return nil }
    return NamedText(name: name, value: value)
  }
}

extension NamedText {
  /// Whether the header field can be sent: it is well-formed and doesn't concern framing, which is the server's.
  ///
  /// RFC 9110 5.6.2 and 5.5: a name is a token, and a value has no control characters.
  package var canBeSent: Bool {
    name.isToken
      && value.unicodeScalars.allSatisfy { $0 == "\t" || $0.value >= 32 && $0.value != 127 }
      && !Self.framing.contains(name.lowercased())
  }

  /// Whether the field is the length of a body: `Content-Length: 42`.
  package var isLength: Bool {
    name.lowercased() == "content-length" && !value.isEmpty && value.utf8.allSatisfy { (0x30...0x39).contains($0) }
  }

  /// The reason why a framing field can't be sent, with an alternative; `nil` for other fields.
  var framingReason: String? {
    guard Self.framing.contains(name.lowercased()) else { return nil }
    let closes = name.lowercased() == "connection" && value.lowercased().contains("close")
    return ", because the server sets it"
      + (closes ? ": to close the connection, use HTTPFault(.close, at: .afterResponse)" : "")
  }

  private static let framing: Set<String> = ["content-length", "transfer-encoding", "connection"]
}

extension String {
  /// Whether the text is a token (RFC 9110 5.6.2), as methods and field names must be.
  package var isToken: Bool {
    !isEmpty && utf8.allSatisfy { $0.isLetterOrDigit || "!#$%&'*+-.^_`|~".utf8.contains($0) }
  }
}
