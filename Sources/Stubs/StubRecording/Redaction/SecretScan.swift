import StubModel
import TrackingSecrets

/// Finds secrets by their form, and by the names before them: tokens and PEM blocks here, names in the extensions.
///
/// One pass looks at each byte once and stops at those that something may begin with. What is read from there is bounded, or is found and skipped.
struct SecretScan {
  struct Finding {
    enum Content {
      /// A value, by what its name or its form says; never `.plain`.
      case value(SecretNames.Verdict)
      /// Credentials after the name of their scheme.
      case credentials
      /// A placeholder of an earlier redaction.
      case placeholder
    }

    let range: Range<Int>
    let content: Content
    /// The encoding of the value.
    var coding: TextCoding?
    /// Whether it is too much like a word to be looked for elsewhere.
    var isWord = false
    /// The name that says so.
    var name: Range<Int>?
  }

  let text: UnsafeBufferPointer<UInt8>
  let style: TextStyle
  var findings: [Finding] = []
  /// Whether something may be encoded in the text.
  private(set) var mayBeEncoded = false
  /// The element of XML whose descendants are secret.
  var openElement: (name: Range<Int>, verdict: SecretNames.Verdict)?
  /// Whether the rest of the text has no end of a `CDATA` section.
  var hasNoMoreSections = false
  /// The end of the last `CDATA` section that is a secret: elements in it are a part of the secret.
  var secretSectionsEnd = 0

  private init(_ text: UnsafeBufferPointer<UInt8>, _ style: TextStyle) {
    self.text = text
    self.style = style
  }

  /// The findings, in order and without overlaps, and whether the text may have encoded parts.
  static func findings(
    in text: [UInt8], style: TextStyle, names: inout KnownNames
  ) -> (findings: [Finding], mayBeEncoded: Bool) {
    text.withUnsafeBufferPointer { text in
      var scan = SecretScan(text, style)
      scan.run(&names)
      if scan.findings.isEmpty { return ([], scan.mayBeEncoded) }
      let sorted = scan.findings.sorted { $0.range.lowerBound < $1.range.lowerBound }
      var end = 0
      let apart = sorted.filter { finding in
        guard finding.range.lowerBound >= end else { return false }
        end = finding.range.upperBound
        return true
      }
      return (apart, scan.mayBeEncoded)
    }
  }

  private mutating func run(_ names: inout KnownNames) {
    Self.triggers.withUnsafeBufferPointer { triggers in
      var index = 0
      while index < text.count {
        let trigger = triggers[Int(text[index])]
        index &+= 1
        if trigger == 0 { continue }
        let count = findings.count
        visit(trigger, at: index - 1, &names)
        // The secret content of an element may be far behind it, and more in between.
        if findings.count > count, trigger != Trigger.element.rawValue {
          index = max(index, findings[findings.count - 1].range.upperBound)
        }
      }
    }
  }

  private enum Trigger: UInt8 {
    case encoding = 1, token, block, equals, colon, element, scheme, placeholder, shape
  }

  /// The finding that each byte may be a part of.
  private static let triggers: [UInt8] = {
    var triggers = [UInt8](repeating: 0, count: 256)
    for byte in SecretShape.ends { triggers[Int(byte)] = Trigger.shape.rawValue }
    let all: [(String, Trigger)] = [
      ("%&\\", .encoding), ("J", .token), ("-", .block), ("=", .equals), (":", .colon), ("<", .element),
      ("Bb", .scheme), ("[", .placeholder),
    ]
    for (bytes, trigger) in all { for byte in bytes.utf8 { triggers[Int(byte)] = trigger.rawValue } }
    return triggers
  }()

  private mutating func visit(_ trigger: UInt8, at index: Int, _ names: inout KnownNames) {
    let finding: Finding?
    switch Trigger(rawValue: trigger) {
    case .token: finding = jsonWebToken(at: index)
    case .block: finding = pemBlock(at: index) ?? shape(endingAt: index)
    case .shape: finding = shape(endingAt: index)
    case .placeholder: finding = placeholder(at: index)
    // Among other bytes, these mean nothing.
    case _ where style == .binary: finding = nil
    case .equals: finding = pair(at: index, &names)
    case .colon: finding = pair(at: index, &names) ?? userInfo(at: index)
    case .scheme: finding = credentials(at: index)
    case .element:
      if style != .code { element(at: index, &names) }
      finding = nil
    case .encoding:
      mayBeEncoded = true
      finding = nil
    case nil: finding = nil
    }
    if let finding, !finding.range.isEmpty { findings.append(finding) }
  }

  // MARK: Forms

  /// A JSON Web Token in its compact form (RFC 7515 3.1, RFC 7516 3.1): three or five parts, the first of which is JSON with a member `alg`.
  ///
  /// - Parameter index: The index of the `J` in `eyJ`.
  private func jsonWebToken(at index: Int) -> Finding? {
    let start = index - 2
    guard has("eyJ", at: start), start == 0 || !Self.isTokenPart(text[start - 1]) else { return nil }
    var parts: [Range<Int>] = []
    var index = start
    while parts.count < 5 {
      let end = end(from: index, while: Self.isTokenPart)
      parts.append(index..<end)
      guard end < text.count, text[end] == UInt8(ascii: ".") else { break }
      index = end + 1
    }
    if parts.count == 4 { parts.removeLast() }
    guard parts.count >= 3, let header = Base64.decoded(text[parts[0]].prefix(4_096)),
      header.firstRange(of: Array("\"alg\"".utf8)) != nil
    else { return nil }
    return Finding(range: start..<parts[parts.count - 1].upperBound, content: .value(.secret(.token)))
  }

  private static func isTokenPart(_ byte: UInt8) -> Bool {
    Base64.isCharacter(byte) && byte != UInt8(ascii: "+") && byte != UInt8(ascii: "/")
  }

  /// A PEM block (RFC 7468): to its last line, or to the end of a text that was cut off.
  private func pemBlock(at start: Int) -> Finding? {
    guard has("-----BEGIN ", at: start) else { return nil }
    // Public by their nature; an app may compare them.
    let kind = text[(start + 11)..<min(start + 60, text.count)].prefix { $0 >= 32 && $0 != UInt8(ascii: "-") }
    let isPublic = ["PUBLIC", "CERTIFICATE", "PARAMETERS", "CRL"].contains {
      kind.firstRange(of: Array($0.utf8)) != nil
    }
    if isPublic { return nil }
    guard let footer = index(of: "-----END ", from: start) else {
      return Finding(range: start..<text.count, content: .value(.secret(.pem)))
    }
    let rest = text[(footer + 9)..<min(footer + 100, text.count)]
    let label = rest.firstIndex { $0 < 32 || $0 == UInt8(ascii: "-") } ?? rest.endIndex
    return Finding(
      range: start..<(has("-----", at: label) ? label + 5 : label), content: .value(.secret(.pem)))
  }

  /// A token of a known provider, by its prefix.
  ///
  /// - Parameter index: The index of the prefix's last byte.
  private func shape(endingAt index: Int) -> Finding? {
    for shape in SecretShape.shapes(endingIn: text[index]) {
      let start = index + 1 - shape.prefix.utf8CodeUnitCount
      guard has(shape.prefix, at: start), start == 0 || !SecretShape.Alphabet.urlSafe.contains(text[start - 1])
      else { continue }
      let end = end(from: index + 1, while: shape.alphabet.contains)
      guard end - index > shape.shortest, !isWordLike(index + 1..<end) else { continue }
      return Finding(range: start..<end, content: .value(.secret(.key)))
    }
    return nil
  }

  /// Whether a text has neither a digit nor an inner capital, as in `sk-learn-contrib-py-earth-documentation`.
  private func isWordLike(_ range: Range<Int>) -> Bool {
    !text[range].contains { $0 >= 0x30 && $0 <= 0x39 } && !text[range].dropFirst().contains { $0 >= 0x41 && $0 <= 0x5A }
  }

  private func placeholder(at start: Int) -> Finding? {
    guard has("[redacted ", at: start),
      let end = text[start..<min(start + 40, text.count)].firstIndex(of: UInt8(ascii: "]"))
    else { return nil }
    return Finding(range: start..<end + 1, content: .placeholder)
  }

  /// `Bearer abc123` or `Basic YTpi`, wherever it is.
  private func credentials(at start: Int) -> Finding? {
    guard start == 0 || !Self.isNameCharacter(text[start - 1]) else { return nil }
    let isBearer = has("earer ", at: start + 1)
    guard isBearer || has("asic ", at: start + 1) else { return nil }
    let first = start + (isBearer ? 7 : 6)
    let end = end(from: first) { Base64.isCharacter($0) || ".~=".utf8.contains($0) }
    guard isBearer ? end - first >= 16 && !isWord(first..<end) : isBasic(first..<end) else { return nil }
    return Finding(range: start..<end, content: .credentials)
  }

  private func isBasic(_ range: Range<Int>) -> Bool {
    range.count >= 4 && Base64.decoded(text[range].prefix(4_096))?.contains(UInt8(ascii: ":")) == true
  }

  // MARK: Reading

  /// Whether some ASCII characters are at an index.
  func has(_ expected: StaticString, at index: Int) -> Bool {
    guard index >= 0, index + expected.utf8CodeUnitCount <= text.count else { return false }
    for offset in 0..<expected.utf8CodeUnitCount where text[index + offset] != expected.utf8Start[offset] {
      return false
    }
    return true
  }

  /// The next index of some ASCII characters.
  func index(of expected: StaticString, from start: Int) -> Int? {
    var index = start
    while let next = next(expected.utf8Start.pointee, from: index) {
      if has(expected, at: next) { return next }
      index = next + 1
    }
    return nil
  }

  func next(_ byte: UInt8, from start: Int) -> Int? { text.place(of: byte, from: start) }

  /// The first index whose byte isn't of a kind.
  func end(from start: Int, while isPart: (UInt8) -> Bool) -> Int {
    var index = start
    while index < text.count, isPart(text[index]) { index += 1 }
    return index
  }

  /// Whether a byte may be a part of a name: letters, digits, and the characters in names like `user[api-key]`.
  static func isNameCharacter(_ byte: UInt8) -> Bool {
    byte.isLetterOrDigit || byte == 0x2D || byte == 0x5F || byte == 0x2E || byte == 0x5B || byte == 0x5D || byte == 0x25
  }

  /// Whether a value may be an identifier that was made up for one use: neither words nor code.
  static func isOpaque(_ value: [UInt8]) -> Bool {
    guard value.count >= SecretNames.longItem else { return false }
    var (hasDigit, hasUpper, hasLower) = (false, false, false)
    for byte in value {
      guard Base64.isCharacter(byte) || ".~=:|".utf8.contains(byte) else { return false }
      hasDigit = hasDigit || byte >= 0x30 && byte <= 0x39
      hasUpper = hasUpper || byte >= 0x41 && byte <= 0x5A
      hasLower = hasLower || byte >= 0x61 && byte <= 0x7A
    }
    return hasDigit || hasUpper && hasLower
  }

  /// Whether a value is a word or a small number rather than something that was made up to be secret: no digits among letters, no inner capitals.
  func isWord(_ range: Range<Int>) -> Bool {
    var (digits, lower, upper, others) = (0, 0, 0, 0)
    for index in range {
      switch text[index] {
      case 0x30...0x39: digits += 1
      case 0x61...0x7A, 0x80...: lower += 1
      case 0x41...0x5A: upper += index == range.lowerBound ? 0 : 1
      case UInt8(ascii: ".") where index == range.upperBound - 1: break
      default: others += 1
      }
    }
    if digits > 0 { return digits == range.count && digits < 6 }
    return others == 0 && (upper == 0 || lower == 0)
  }
}
