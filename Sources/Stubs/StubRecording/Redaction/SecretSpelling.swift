import Foundation

enum SecretSpelling {
  /// The value itself, its spellings in URLs, JSON and HTML, and all of it in base64; some may be equal.
  static func all(of value: [UInt8]) -> [[UInt8]] {
    let text = string(value)
    return [value] + (percentEncoded(value) + json(text) + html(text) + base64(value)).map { Array($0.utf8) }
  }

  /// In either case, and as forms: RFC 3986 2.3, the URL Standard's forms and `encodeURIComponent`, slashes, and what Foundation leaves in paths,
  /// queries and items.
  private static func percentEncoded(_ value: [UInt8]) -> [String] {
    let paths = ["~!$&'()*+,=@/", "~!$&'()*+,=@/:", "~!$&'()*+,=@/:;", "~!$&'()*+,=@/:;?", "~!$'()*+,@/:;?"]
    return (["~", "*", "~!'()*", "~/"] + paths).flatMap { plain -> [String] in
      let upper = value.map { byte in
        byte.isLetterOrDigit || "-._\(plain)".utf8.contains(byte) ? string([byte]) : PercentEncoding.escape(byte)
      }
      let both = [upper.joined(), upper.map { $0.count == 3 ? $0.lowercased() : $0 }.joined()]
      return both + both.map { $0.replacing("%20", with: "+") }
    }
  }

  /// RFC 8259 7: required escapes, and also slashes, characters beyond ASCII, both, or HTML's.
  private static func json(_ text: String) -> [String] {
    func escaped(_ text: String, _ isEscaped: (Unicode.Scalar) -> Bool) -> String {
      func escape(_ unit: UInt16) -> String { "\\u" + String(Int(unit) + 0x10000, radix: 16).dropFirst() }
      return text.unicodeScalars.map { isEscaped($0) ? "\($0)".utf16.map(escape).joined() : "\($0)" }.joined()
    }
    var writer = JSONWriter()
    writer.write(string: text)
    let plain = string(writer.bytes.dropFirst().dropLast())
    let both = [plain, plain.replacing("/", with: "\\/")]
    return both + both.map { escaped($0) { !$0.isASCII } }
      + ["<>&", "<>&'="].map { others in escaped(plain) { others.unicodeScalars.contains($0) } }
  }

  /// `&`, `<` and `>`, with and without quotation marks and apostrophes.
  private static func html(_ text: String) -> [String] {
    let escaped = text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
    return ["\"", "&quot;", "&#34;"].flatMap { quote in
      ["'", "&#39;", "&#x27;", "&apos;"].map { escaped.replacing("\"", with: quote).replacing("'", with: $0) }
    }
  }

  /// Resolves these references in a text of HTML or XML.
  static func resolved(_ text: ArraySlice<UInt8>) -> [UInt8] {
    guard text.contains(UInt8(ascii: "&")) else { return Array(text) }
    let characters = ["lt": "<", "gt": ">", "quot": "\"", "#34": "\"", "#39": "'", "#x27": "'", "apos": "'"]
    let resolved = characters.reduce(string(text)) { $0.replacing("&\($1.key);", with: $1.value) }
    return Array(resolved.replacing("&amp;", with: "&").utf8)
  }

  /// RFC 4648 4 and 5, with and without padding.
  private static func base64(_ value: [UInt8]) -> [String] {
    let padded = Data(value).base64EncodedString()
    let urlSafe = padded.replacing("+", with: "-").replacing("/", with: "_")
    return [padded, urlSafe].flatMap { [$0, $0.replacing("=", with: "")] }
  }
}
