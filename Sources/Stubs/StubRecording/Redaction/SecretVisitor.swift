import Foundation
import TrackingSecrets

/// Visits exchanges twice with the same code, so that the second pass can't miss a secret that the first has collected.
struct SecretVisitor {
  typealias Edit = (range: Range<Int>, bytes: [UInt8], positions: [RedactedPosition])

  let names: SecretNames
  private var known: [String: NamedValues.Context] = [:]
  var secrets: SecretTable
  private(set) var positions: [RedactedPosition] = []
  var isReplacing = false
  var place = RedactedPosition()
  /// Counts nested items; URLs in URLs are read to a limited depth.
  private var depth = 0

  init(names: SecretNames, values: [String]) {
    (self.names, secrets) = (names, SecretTable(values: values))
  }

  /// Replaces the known secrets; in the first pass there are none yet.
  mutating func visit(_ exchange: RecordedExchange, at index: Int) -> RecordedExchange {
    var new = exchange
    place.exchange = index
    new.request.headers = headers(new.request.headers, part: 0)
    (place.part, place.name) = (1, "request path")
    let path = Array(new.request.path.utf8)
    new.request.path = string(text(path, edits: items(ofURLsIn: path), isURL: true))
    (place.part, place.name) = (2, "request query")
    new.request.query = new.request.query.map { string(form(Array($0.utf8))) }
    (place.part, place.name) = (3, "request body")
    new.request.body = body(new.request.body, &new.request.headers)
    new.response.headers = headers(new.response.headers, part: 4)
    (place.part, place.name) = (5, "response body")
    new.response.body = body(new.response.body, &new.response.headers)
    return new
  }

  /// Replaces the known secrets, and the line's own only in their places.
  func redacted(line: String) -> String {
    let bytes = Array(line.utf8)
    var visitor = self
    _ = visitor.text(bytes, edits: visitor.items(ofURLsIn: bytes))
    visitor.secrets.number()
    visitor.isReplacing = true
    return string(visitor.text(bytes, edits: visitor.items(ofURLsIn: bytes)))
  }

  mutating func named(_ read: (inout NamedValues) -> Void) -> [NamedValues.Value] {
    var values = NamedValues(names: names, known: known)
    read(&values)
    known = values.known
    return values.values
  }

  /// Visits a value with its name's classification, unless it is a text about the secret.
  ///
  /// Only a value under a secret name is compared with labels, because most values have other names.
  mutating func value(
    _ value: [UInt8], _ classification: SecretNames.Classification, isLabel: @autoclosure () -> Bool = false
  ) -> [UInt8] {
    // Probably an id, and too short to search for elsewhere.
    let isShortNumber = value.count < SecretTable.shortest && value.allSatisfy { 0x30...0x39 ~= $0 }
    switch classification {
    case .kept(let kind): return kept(value, insteadOf: kind)
    case .secret(let kind) where (kind == .password || !isShortNumber) && !isLabel(): return credentials(value, kind)
    case .plain, .secret:
      if Self.isJSON(value) { return json(value) }
      return text(value, edits: depth < 3 && !value.contains { $0 <= 32 } ? items(ofURLsIn: value) : [])
    }
  }

  /// A kept token is sent as a token, but a value that isn't named as a secret may still be one elsewhere.
  mutating func kept(_ value: [UInt8], insteadOf kind: SecretKind?) -> [UInt8] {
    if !isReplacing { secrets.keep(value, inSecretPlaces: kind != nil) }
    return text(value)
  }

  /// Credentials with a scheme, as in `Bearer abc` (RFC 9110 11.4), or without.
  mutating func credentials(_ value: [UInt8], _ kind: SecretKind, anyScheme: Bool = false) -> [UInt8] {
    guard let space = value.firstIndex(of: UInt8(ascii: " ")), value.first != UInt8(ascii: "["),
      case let scheme = string(value[..<space]).lowercased(),
      anyScheme || ["bearer", "basic", "token"].contains(scheme)
    else { return secret(value, kind) }
    let rest = Array(value[space...].drop { $0 == UInt8(ascii: " ") })
    return value.dropLast(rest.count) + (scheme == "basic" ? basic(rest, kind) : secret(rest, kind))
  }

  /// A user and a password in base64 (RFC 7617 2); other requests may send the password separately.
  private mutating func basic(_ value: [UInt8], _ kind: SecretKind) -> [UInt8] {
    let decoded = Data(base64: value).map { [UInt8]($0) } ?? []
    guard let colon = decoded.firstIndex(of: UInt8(ascii: ":")) else { return secret(value, kind) }
    if !isReplacing { secrets.add(Array(decoded[(colon + 1)...]), .password) }
    let new = secret(decoded, kind)
    return new == decoded ? value : new
  }

  mutating func secret(_ value: [UInt8], _ kind: SecretKind) -> [UInt8] {
    let isRedacted = value.starts(with: "[redacted ".utf8)
    if isRedacted { secrets.note(string(value)) } else if !isReplacing { secrets.add(value, kind) }
    if isReplacing, let secret = secrets.secret(value) { return placeholder(secret) }
    return apply(matches(in: value), to: value)
  }

  mutating func placeholder(_ secret: Int) -> [UInt8] {
    place.secret = secret
    positions.append(place)
    return Array(secrets.placeholder(of: secret).utf8)
  }

  /// Replaces the secrets in a text: by the edits of named values, by form, and by value.
  mutating func text(_ text: [UInt8], edits: [Edit] = [], isURL: Bool = false) -> [UInt8] {
    if text.count < SecretTable.shortest, edits.isEmpty { return text }
    let forms = SecretShape.findings(in: text).flatMap { range, form in
      let password = form == .password ? PercentEncoding.bytes(of: text[range]) : nil
      return edit(range, of: text, value: password, isURL: isURL || form == .password) { visitor, value in
        switch form {
        case .bearer, .jsonWebToken: visitor.secret(value, .token)
        case .basic: visitor.basic(value, .token)
        case .pem: visitor.secret(value, .pem)
        case .password: visitor.secret(value, .password)
        case .provider, .placeholder: visitor.secret(value, .key)
        }
      }
    }
    return apply(edits + matches(in: text, isURL: isURL) + forms, to: text)
  }

  private mutating func matches(in text: [UInt8], isURL: Bool = false) -> [Edit] {
    (isReplacing ? secrets.matches(in: text) : []).flatMap { match in
      edit(match.range, of: text, isURL: isURL || match.isPercentEncoded) { visitor, _ in
        visitor.placeholder(match.secret)
      }
    }
  }

  /// The edit of a range with an encoded value; empty if nothing in it is replaced.
  mutating func edit(
    _ range: Range<Int>, of text: [UInt8], value: [UInt8]? = nil, as name: String? = nil, isURL: Bool = false,
    isItem: Bool = false, _ visit: (inout SecretVisitor, [UInt8]) -> [UInt8]
  ) -> [Edit] {
    let (outer, count, old) = (place.name, positions.count, value ?? Array(text[range]))
    (place.name, depth) = (name ?? outer, depth + (isItem ? 1 : 0))
    let new = visit(&self, old)
    (place.name, depth) = (outer, depth - (isItem ? 1 : 0))
    defer { positions.removeLast(positions.count - count) }
    let bytes = isURL ? PercentEncoding.encoded(new) : new
    return new == old ? [] : [(range, bytes, Array(positions[count...]))]
  }

  mutating func apply(_ edits: [Edit], to text: [UInt8]) -> [UInt8] {
    let edits = edits.longestWithoutOverlaps(\.range)
    positions += edits.flatMap(\.positions)
    return text.replacing(edits.map { ($0.range, $0.bytes) })
  }
}

/// A place of a secret in the exchanges.
struct RedactedPosition: Equatable {
  var exchange = 0
  /// The part of the exchange, numbered in the order of a recording; headers are 0 and 4.
  var part = 0
  /// The nearest name of a member, item, element, cookie or field; without one, the part of the exchange.
  var name = ""
  var secret = 0
}

func string(_ bytes: some Collection<UInt8>) -> String { String(decoding: bytes, as: UTF8.self) }
