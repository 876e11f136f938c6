import Foundation

/// A regular expression of JSON Schema: ECMA-262 syntax, unanchored.
///
/// NSRegularExpression's ICU syntax differs in `\d`, `\w`, `\s`, `$` and in brackets inside a character class.
final class JSONSchemaPattern: Sendable {
  let source: String
  private let expression: NSRegularExpression

  /// The length above which texts aren't searched, since a pattern can take quadratic time.
  static let longestText = 10_000

  init?(_ source: String) {
    guard let pattern = Self.translated(source), let expression = try? NSRegularExpression(pattern: pattern) else {
      return nil
    }
    self.source = source
    self.expression = expression
  }

  func matches(_ text: String) -> Bool {
    expression.firstMatch(in: text, range: NSRange(location: 0, length: text.utf16.count)) != nil
  }

  /// White space and line ends by ECMA-262 12.2 and 12.3.
  private static let space = #"\t\n\x0B\f\r \u00A0\u1680\u2000-\u200A\u2028\u2029\u202F\u205F\u3000\uFEFF"#

  private static func translated(_ source: String) -> String? {
    var result = ""
    var isInClass = false
    var scalars = Array(source.unicodeScalars)[...]
    while let scalar = scalars.popFirst() {
      switch scalar {
      case "\\":
        guard let escaped = scalars.popFirst() else { return nil }
        guard let text = translated(escape: escaped, isInClass: isInClass, rest: &scalars) else { return nil }
        result += text
      case "[" where !isInClass:
        if scalars.starts(with: ["]"]) {
          scalars.removeFirst()
          result += "(?!)"
        } else if scalars.starts(with: ["^", "]"]) {
          scalars.removeFirst(2)
          result += #"[\s\S]"#
        } else {
          isInClass = true
          result += "["
        }
      case "]" where isInClass:
        isInClass = false
        result += "]"
      case "[" where isInClass: result += #"\["#
      case "&" where isInClass: result += #"\&"#
      case "$" where !isInClass: result += #"\z"#
      case ".": result += isInClass ? "." : #"[^\n\r\u2028\u2029]"#
      default: result.unicodeScalars.append(scalar)
      }
    }
    return isInClass ? nil : result
  }

  private static func translated(
    escape: Unicode.Scalar, isInClass: Bool, rest: inout ArraySlice<Unicode.Scalar>
  ) -> String? {
    func set(_ content: String) -> String { isInClass ? content : "[\(content)]" }
    switch escape {
    case "d": return set("0-9")
    case "D": return "[^0-9]"
    case "w": return set("A-Za-z0-9_")
    case "W": return "[^A-Za-z0-9_]"
    case "s": return set(space)
    case "S": return "[^\(space)]"
    case "v": return #"\x0B"#
    case "0" where !(rest.first?.properties.numericType != nil): return #"\x00"#
    case "/", "-", ":", "'", "\"", "@", "#", "%", ",", "!", "~", "`", "<", ">", "=", ";", "_", "&", " ":
      return escape == "-" && isInClass ? #"\-"# : #"\x{"# + String(escape.value, radix: 16) + "}"
    // ICU escapes that ECMA-262 with its `u` flag doesn't have.
    case "a", "e", "A", "Z", "z", "G", "Q", "E", "h", "H", "R", "X", "N": return nil
    case "p", "P":
      // Scripts and categories have the same names in ICU.
      return "\\" + String(escape)
    case "u" where rest.first == "{": return #"\x"#
    default: return "\\" + String(escape)
    }
  }
}
