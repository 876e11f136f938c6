import Foundation
import StubModel
import TrackingSecrets

// Header fields, cookies, and the items of queries and forms.

extension SecretVisitor {
  mutating func headers(_ headers: MessageHeaders, of side: String) -> MessageHeaders {
    MessageHeaders(
      lines: headers.lines.map { field in
        inside("\(side) header \(field.name)") { visitor in
          // Again as a whole: a secret may span several of the parts.
          let value = visitor.replaced(visitor.header(field.name, Array(field.value.utf8)))
          return NamedText(name: field.name, value: string(value))
        }
      })
  }

  private mutating func header(_ name: String, _ value: [UInt8]) -> [UInt8] {
    switch (name.lowercased(), names.names.verdict(onField: name)) {
    case (_, .kept(let kind)): return kept(value, insteadOf: kind)
    case ("cookie", _):
      return joined(value.split(separator: UInt8(ascii: ";"), omittingEmptySubsequences: false).map { cookie($0) }, ";")
    case ("set-cookie", _):
      // Only the first pair is the cookie; its attributes aren't secret (RFC 6265 4.1.1).
      let end = value.firstIndex(of: UInt8(ascii: ";")) ?? value.count
      return cookie(value[..<end]) + text(Array(value[end...]))
    case (let name, .secret(let kind)):
      return credentials(value, kind, anyScheme: name.hasSuffix("authorization"))
    case (_, .plain): return text(value)
    }
  }

  private mutating func cookie(_ pair: ArraySlice<UInt8>) -> [UInt8] {
    guard let equals = pair.firstIndex(of: UInt8(ascii: "=")) else {
      // RFC 6265 5.2 ignores a pair without `=`; browsers take it for a value without a name.
      let value = Array(pair.drop { $0 == UInt8(ascii: " ") })
      return value.isEmpty ? Array(pair) : pair.prefix(pair.count - value.count) + secret(value, .cookie)
    }
    let name = string(pair[..<equals]).trimmingCharacters(in: .whitespaces)
    var value = pair[(equals + 1)...]
    while let last = value.last, last == UInt8(ascii: " ") { value.removeLast() }
    let isQuoted = value.count > 1 && value.first == UInt8(ascii: "\"") && value.last == UInt8(ascii: "\"")
    if isQuoted { value = value.dropFirst().dropLast() }
    let new = inside(name) { visitor in
      switch visitor.names.names.verdict(onCookie: name) {
      case .secret(let kind): visitor.secret(Array(value), kind)
      case .kept(let kind): visitor.kept(Array(value), insteadOf: kind)
      case .plain: Array(value)
      }
    }
    return pair[..<value.startIndex] + new + (isQuoted ? [UInt8(ascii: "\"")] : [])
  }

  /// The items of a query or the fields of a form.
  mutating func items(_ text: [UInt8]) -> [UInt8] {
    let items = text.split(separator: UInt8(ascii: "&"), omittingEmptySubsequences: false).map { items in
      joined(Self.parts(of: items).map { item($0) }, ";")
    }
    // A secret may contain `=` or `&`.
    return replaced(joined(items, "&"), inURL: true)
  }

  /// The items between semicolons, which some servers also read as separators; without `=` it is part of a value.
  private static func parts(of items: ArraySlice<UInt8>) -> [ArraySlice<UInt8>] {
    items.split(separator: UInt8(ascii: ";"), omittingEmptySubsequences: false).reduce(into: []) { parts, part in
      if let last = parts.last, !part.contains(UInt8(ascii: "=")) {
        parts[parts.count - 1] = items[last.startIndex..<part.endIndex]
      } else {
        parts.append(part)
      }
    }
  }

  private mutating func item(_ item: ArraySlice<UInt8>) -> [UInt8] {
    let parts = item.split(separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2 else { return self.text(Array(item), inURL: true) }
    let name = string(TextCoding.form.decoded(Array(parts[0])))
    let value = TextCoding.form.decoded(Array(parts[1]))
    let verdicts = names.verdicts(onItem: name)
    let new = inside(name) { visitor in
      switch SecretScan.isOpaque(value) ? verdicts.long : verdicts.short {
      case .plain: visitor.value(value)
      case .kept(let kind): visitor.kept(value, insteadOf: kind)
      case .secret(let kind) where Self.isShortNumber(value, kind): visitor.value(value)
      case .secret(let kind): visitor.credentials(value, kind, anyScheme: false)
      }
    }
    let newName = replaced(Array(parts[0]), inURL: true)
    // A plus sign may also be meant as one, so what was not found in the decoded value is looked for in the text.
    let newValue = new == value ? replaced(Array(parts[1]), inURL: true) : PercentEncoding.encoded(new)
    return newName + [UInt8(ascii: "=")] + newValue
  }
}
