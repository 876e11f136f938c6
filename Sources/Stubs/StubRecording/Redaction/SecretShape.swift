import Foundation
import TrackingSecrets

/// A form of secrets: a prefix and the characters after it.
struct SecretShape: Sendable {
  enum Form: String, Sendable {
    case bearer, basic, jsonWebToken, pem, password, provider, placeholder
  }

  private let form: Form
  private let prefix: [UInt8]
  private let isPart: [Bool]
  private let shortest: Int

  /// Forms, the characters after their prefixes, the least number of these, and prefixes; `·` is a space.
  private static let table = """
    basic \\w+/=- 4 Basic· basic·
    bearer \\w.~+/=- 16 Bearer· bearer·
    jsonWebToken \\w.- 20 eyJ
    pem A-Z 1 -----BEGIN·
    password \\w.~%!$&'()*+,;=:- 2 ://
    placeholder a-zPEM0-9· 5 [redacted·
    provider 0-9A-Z 16 AKIA ASIA ABIA
    provider 0-9A-Za-z 16 sk_live_ sk_test_ rk_live_ rk_test_
    provider 0-9A-Za-z 20 ghp_ gho_ ghu_ ghs_ ghr_ npm_ whsec_ hf_ lin_api_ dp.pt. NRAK-
    provider 0-9A-Za-z 32 sk-
    provider 0-9A-Fa-f 32 shpat_ shpss_ shpca_ shppa_ key- SK rubygems_ dop_v1_ doo_v1_
    provider \\w- 10 xoxb- xoxp- xoxa- xoxr- xoxs- xoxe- xapp-
    provider \\w- 20 ya29. gldt- glrt- glptt- glcbt- sk-ant- sk-proj- github_pat_ sq0atp- sq0csp- ATATT glsa_ hvs. PMAK- HRKU-
    provider \\w- 28 GOCSPX- AIza pypi- sntrys_
    provider \\w.- 20 glpat-
    provider \\w.- 40 SG.
    """

  private static let all = table.split(separator: "\n").flatMap { line in
    let words = line.split(separator: " ").map { String($0.replacing("·", with: " ")) }
    let isPart = (0..<256).map {
      $0 < 128 && "\(UnicodeScalar(UInt8($0)))".range(of: "[\(words[1])]", options: .regularExpression) != nil
    }
    let (form, count) = (Form(rawValue: words[0]) ?? .provider, Int(words[2]) ?? 0)
    return words.dropFirst(3).map { SecretShape(form: form, prefix: Array($0.utf8), isPart: isPart, shortest: count) }
  }

  private static let byEnd = (0..<256).map { byte in all.filter { $0.prefix.last == UInt8(byte) } }

  /// The secrets in a text by form, in order and without overlaps; what is read is bounded, or is found and skipped.
  static func findings(in text: [UInt8]) -> [(range: Range<Int>, form: Form)] {
    var findings: [(range: Range<Int>, form: Form)] = []
    let byEnd = byEnd
    text.withUnsafeBufferPointer { text in
      var (index, free) = (0, 0)
      while index < text.count {
        for shape in byEnd[Int(text[index])] {
          guard let range = shape.range(behind: index + 1, in: text), range.lowerBound >= free else { continue }
          findings.append((range, shape.form))
          (index, free) = (range.upperBound - 1, range.upperBound)
          break
        }
        index &+= 1
      }
    }
    return findings
  }

  private func range(behind index: Int, in text: UnsafeBufferPointer<UInt8>) -> Range<Int>? {
    let start = index - prefix.count
    guard start >= 0, let base = text.baseAddress, memcmp(base + start, prefix, prefix.count) == 0 else { return nil }
    let before = start == 0 ? 32 : text[start - 1]
    let isInside = before.isLetterOrDigit || "-_".utf8.contains(before) || form == .jsonWebToken && before == 0x2E
    if isInside, form != .password, form != .pem, !Self.isEscape(before: start, in: text) { return nil }
    var end = index
    while end < text.count, isPart[Int(text[end])] { end += 1 }
    let rest = text[index..<end]
    if rest.count < shortest { return nil }
    let next = end < text.count ? text[end] : 0
    // Neither a digit nor an inner capital: `sk-learn-contrib-py-earth-documentation`.
    let isWord = !rest.contains { 0x30...0x39 ~= $0 } && !rest.dropFirst().contains { 0x41...0x5A ~= $0 }
    switch form {
    case .pem: return pemBlock(from: start, in: text)
    case .placeholder: return next == UInt8(ascii: "]") ? start..<end + 1 : nil
    case .basic: return Data(base64: rest.prefix(4_096))?.contains(UInt8(ascii: ":")) == true ? index..<end : nil
    case .bearer: return isWord ? nil : index..<end
    case .provider: return isWord ? nil : start..<end
    case .password:
      // RFC 3986 3.2.1. The words of an example, `user:password`, are names themselves.
      let value = rest.drop { $0 != UInt8(ascii: ":") }.dropFirst()
      let isExample = SecretNames().classification(of: string(value)) != .plain || Self.isCode(rest, value)
      return value.isEmpty || isExample || next != UInt8(ascii: "@") ? nil : value.indices
    case .jsonWebToken:
      // RFC 7515 3.1, RFC 7516 3.1: three or five parts, the first of which is JSON with a member `alg`.
      let parts = text[start..<end].split(separator: UInt8(ascii: "."), maxSplits: 5, omittingEmptySubsequences: false)
      let header = Data(base64: parts[0].prefix(4_096)) ?? Data()
      guard parts.count > 2, header.firstRange(of: Array("\"alg\"".utf8)) != nil else { return nil }
      return start..<parts[parts.count < 5 ? 2 : 4].endIndex
    }
  }

  /// Whether the user and the password of a URL are expressions: `'http://'+u+':'+p+'@host'`, `http://$u:$p@host`.
  private static func isCode(_ user: Slice<UnsafeBufferPointer<UInt8>>, _ value: Slice<UnsafeBufferPointer<UInt8>>)
    -> Bool
  {
    let (quote, dollar) = (UInt8(ascii: "'"), UInt8(ascii: "$"))
    return value.first == quote && value.last == quote || user.first == dollar && value.first == dollar
  }

  /// Whether an escape ends before an index: `%3D`, also encoded again as `%253D`, `\u003d`, `\x3d`, `\n`.
  private static func isEscape(before end: Int, in text: UnsafeBufferPointer<UInt8>) -> Bool {
    func byte(_ distance: Int) -> UInt8 { end >= distance ? text[end - distance] : 0 }
    func isHex(_ count: Int) -> Bool {
      end >= count && text[end - count..<end].allSatisfy { PercentEncoding.hex($0) != nil }
    }
    var encoded = 3
    while byte(encoded) == UInt8(ascii: "5"), byte(encoded + 1) == UInt8(ascii: "2") { encoded += 2 }
    let slash = UInt8(ascii: "\\")
    return byte(2) == slash && "bfnrtv0".utf8.contains(byte(1))
      || byte(encoded) == UInt8(ascii: "%") && isHex(2)
      || byte(4) == slash && byte(3) == UInt8(ascii: "x") && isHex(2)
      || byte(6) == slash && byte(5) == UInt8(ascii: "u") && isHex(4)
  }

  /// A PEM block (RFC 7468) other than the public kinds: to its last line, or to the end of a truncated text.
  private func pemBlock(from start: Int, in text: UnsafeBufferPointer<UInt8>) -> Range<Int>? {
    let kind = string(text[start...].dropFirst(11).prefix(50).prefix { $0 >= 32 && $0 != UInt8(ascii: "-") })
    if ["PUBLIC", "CERTIFICATE", "PARAMETERS", "CRL"].contains(where: kind.contains) { return nil }
    guard let footer = text[start...].firstRange(of: Array("-----END ".utf8)) else { return start..<text.count }
    let label = text[footer.upperBound...].prefix(90)
    return start..<(label.firstRange(of: Array("-----".utf8))?.upperBound ?? label.prefix { $0 >= 32 }.endIndex)
  }
}
