import Foundation
import TrackingJSON

/// Finds secrets by their form: tokens, PEM blocks, and names with their values in URLs, JSON and XML.
enum SecretScan {
  struct Finding {
    let range: Range<Int>
    let verdict: SecretNames.Verdict
    /// Whether the value is percent-encoded.
    var isEncoded = false
  }

  /// The findings, in order and without overlaps.
  static func findings(in text: [UInt8], names: inout SecretVisitor) -> [Finding] {
    var findings: [Finding] = []
    var index = 0
    while let next = firstCandidate(in: text, from: index) {
      index = next
      let finding: Finding?
      switch text[index] {
      case UInt8(ascii: "e"): finding = jsonWebToken(in: text, at: index)
      case UInt8(ascii: "-"): finding = pemBlock(in: text, at: index)
      case UInt8(ascii: "="): finding = queryItem(in: text, at: index, &names)
      case UInt8(ascii: ":"): finding = member(in: text, at: index, &names) ?? userInfo(in: text, at: index)
      case UInt8(ascii: "<"): finding = element(in: text, at: index, &names)
      default: finding = nil
      }
      if let finding, finding.verdict != .plain, !finding.range.isEmpty {
        findings.append(finding)
        index = max(finding.range.upperBound, index + 1)
      } else {
        index += 1
      }
    }
    return findings
  }

  /// The next byte at which something can be found.
  private static func firstCandidate(in text: [UInt8], from start: Int) -> Int? {
    text.withUnsafeBufferPointer { text in
      var index = start
      while index < text.count {
        switch text[index] {
        case UInt8(ascii: "-"), UInt8(ascii: ":"), UInt8(ascii: "<"), UInt8(ascii: "="): return index
        case UInt8(ascii: "e"):
          if text[index...].starts(with: "eyJ".utf8) { return index }
          index += 1
        default: index += 1
        }
      }
      return nil
    }
  }

  /// A JSON Web Token in its compact form (RFC 7515 3.1, RFC 7516 3.1): three or five parts, the first of which is JSON with a member `alg`.
  private static func jsonWebToken(in text: [UInt8], at start: Int) -> Finding? {
    guard text[start...].starts(with: "eyJ".utf8), start == 0 || !isPart(text[start - 1]) else { return nil }
    var parts: [Range<Int>] = []
    var index = start
    while parts.count < 5 {
      let end = text[index...].firstIndex { !isPart($0) } ?? text.count
      parts.append(index..<end)
      guard end < text.count, text[end] == UInt8(ascii: ".") else { break }
      index = end + 1
    }
    if parts.count == 4 { parts.removeLast() }
    guard parts.count >= 3, let header = Base64.decoded(text[parts[0]]),
      header.firstRange(of: Array("\"alg\"".utf8)) != nil
    else { return nil }
    return Finding(range: start..<parts[parts.count - 1].upperBound, verdict: .secret(.token))
  }

  private static func isPart(_ byte: UInt8) -> Bool {
    Base64.isCharacter(byte) && byte != UInt8(ascii: "+") && byte != UInt8(ascii: "/")
  }

  /// A PEM block (RFC 7468): to its last line, or to the end of a text that was cut off.
  private static func pemBlock(in text: [UInt8], at start: Int) -> Finding? {
    guard text[start...].starts(with: "-----BEGIN ".utf8) else { return nil }
    guard let footer = text[start...].firstRange(of: Array("-----END ".utf8)) else {
      return Finding(range: start..<text.count, verdict: .secret(.pem))
    }
    let rest = text[footer.upperBound...]
    let end = rest.firstRange(of: Array("-----".utf8))?.upperBound ?? rest.firstIndex { $0 < 32 } ?? text.count
    return Finding(range: start..<end, verdict: .secret(.pem))
  }

  /// An item of a URL's query or fragment: `?access_token=abc`; `index` is at the `=`.
  private static func queryItem(in text: [UInt8], at index: Int, _ names: inout SecretVisitor) -> Finding? {
    guard let (name, start) = word(in: text, before: index) else { return nil }
    if start > 0, text[start - 1] <= 32 { return attribute(name, in: text, at: index, &names) }
    guard
      start == 0 || "?&#".utf8.contains(text[start - 1]) || text[..<start].suffix(5).elementsEqual("&amp;".utf8)
    else { return nil }
    var verdict = names.verdict(on: name)
    // At the beginning of a text it may not be a URL, and `key=` is too common.
    if start > 0, name.lowercased() == "key", verdict == .plain { verdict = .secret(.key) }
    // Each search for an end stops the next one where it ends, so that all of them together are linear. Ordinary names need none.
    guard verdict != .plain else { return nil }
    let end = text[(index + 1)...].firstIndex { $0 <= 32 || "&#\"'<>\\".utf8.contains($0) } ?? text.count
    return Finding(range: index + 1..<end, verdict: verdict, isEncoded: true)
  }

  /// An attribute of HTML or XML: ` token="abc"`; `index` is at the `=`.
  private static func attribute(
    _ name: String, in text: [UInt8], at index: Int, _ names: inout SecretVisitor
  ) -> Finding? {
    guard index + 1 < text.count, case let quote = text[index + 1], "\"'".utf8.contains(quote),
      case let verdict = names.verdict(on: name), verdict != .plain,
      let end = text[(index + 2)...].firstIndex(of: quote)
    else { return nil }
    return Finding(range: index + 2..<end, verdict: verdict)
  }

  /// A member of something like JSON: `"password": "abc"`; `index` is at the colon.
  private static func member(in text: [UInt8], at index: Int, _ names: inout SecretVisitor) -> Finding? {
    guard let quote = text[..<index].suffix(10).lastIndex(where: { $0 > 32 }), text[quote] == UInt8(ascii: "\""),
      let (name, start) = word(in: text, before: quote), start > 0, text[start - 1] == UInt8(ascii: "\""),
      let opening = text[(index + 1)...].prefix(10).firstIndex(where: { $0 > 32 }), text[opening] == UInt8(ascii: "\""),
      case let verdict = names.verdict(on: name), verdict != .plain
    else { return nil }
    var end = opening + 1
    while end < text.count, text[end] != UInt8(ascii: "\"") { end += text[end] == UInt8(ascii: "\\") ? 2 : 1 }
    return Finding(range: opening + 1..<min(end, text.count), verdict: verdict)
  }

  /// The password in a URL: `https://anna:abc@example.com`; `index` is at the colon before it.
  private static func userInfo(in text: [UInt8], at index: Int) -> Finding? {
    let before = text[..<index].suffix(100)
    guard let user = before.lastIndex(of: UInt8(ascii: "/")), user + 1 < index,
      text[..<user].suffix(2).elementsEqual(":/".utf8),
      let end = text[(index + 1)...].prefix(200).firstIndex(where: { $0 <= 32 || "@/\"?#<".utf8.contains($0) }),
      text[end] == UInt8(ascii: "@")
    else { return nil }
    return Finding(range: index + 1..<end, verdict: .secret(.password), isEncoded: true)
  }

  /// An element of XML with text in it: `<Password>abc</Password>`; `index` is at its beginning.
  private static func element(in text: [UInt8], at index: Int, _ names: inout SecretVisitor) -> Finding? {
    let content = text[(index + 1)...].prefix(200)
    guard let close = content.firstIndex(where: { $0 <= 32 || $0 == UInt8(ascii: ">") }), close > index + 1,
      text[index + 1] != UInt8(ascii: "/")
    else { return nil }
    let name = String(decoding: text[(index + 1)..<close], as: UTF8.self).split(separator: ":").last ?? ""
    let verdict = names.verdict(on: String(name))
    guard verdict != .plain, let start = text[close...].prefix(200).firstIndex(of: UInt8(ascii: ">")),
      let end = text[(start + 1)...].firstIndex(of: UInt8(ascii: "<")), end + 1 < text.count,
      text[end + 1] == UInt8(ascii: "/")
    else { return nil }
    return Finding(range: start + 1..<end, verdict: verdict)
  }

  /// The name that ends before an index, and where it begins.
  private static func word(in text: [UInt8], before end: Int) -> (String, Int)? {
    var start = end
    while start > 0, end - start < 100, isNameCharacter(text[start - 1]) { start -= 1 }
    return start < end ? (String(decoding: text[start..<end], as: UTF8.self), start) : nil
  }

  private static func isNameCharacter(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "."),
      UInt8(ascii: "["), UInt8(ascii: "]"), UInt8(ascii: "%"):
      true
    default: false
    }
  }
}
