import Foundation
import TrackingSecrets

/// Goes through exchanges twice by the same code, so that the second pass can't miss a secret that the first has collected.
struct SecretVisitor {
  typealias Edit = (range: Range<Int>, bytes: [UInt8], positions: [RedactedPosition])

  let names: SecretNames
  private var known: [String: NamedValues.Context] = [:]
  var secrets: SecretTable
  private(set) var positions: [RedactedPosition] = []
  var isReplacing = false
  var place = RedactedPosition()
  /// The number of items around the visited text; URLs in URLs are read up to a depth.
  private var depth = 0

  init(_ redaction: SecretRedaction) {
    (names, secrets) = (redaction.names, SecretTable(values: redaction.values))
  }

  /// The exchange with the secrets that are known replaced; the same exchange in the first pass.
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

  /// A line for a console with the known secrets replaced, and its own in their places only.
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

  /// A value with the verdict of its name, unless it is a text about the secret.
  mutating func value(_ value: [UInt8], _ verdict: SecretNames.Verdict, isLabel: Bool = false) -> [UInt8] {
    // Rather an id, and too short to be looked for in other places.
    let isShortNumber = value.count < SecretTable.shortest && value.allSatisfy { 0x30...0x39 ~= $0 }
    switch verdict {
    case .kept(let kind): return kept(value, insteadOf: kind)
    case .secret(let kind) where !isLabel && (kind == .password || !isShortNumber): return credentials(value, kind)
    case .plain, .secret:
      if Self.isJSON(value) { return json(value) }
      return text(value, edits: depth < 3 && !value.contains { $0 <= 32 } ? items(ofURLsIn: value) : [])
    }
  }

  /// A value under a kept name: a kept token is sent as one, and what isn't called a secret may still be one elsewhere.
  mutating func kept(_ value: [UInt8], insteadOf kind: SecretKind?) -> [UInt8] {
    if !isReplacing { secrets.keep(value, inSecretPlaces: kind != nil) }
    return text(value)
  }

  /// Credentials after the name of their scheme, as in `Bearer abc` (RFC 9110 11.4), or alone.
  mutating func credentials(_ value: [UInt8], _ kind: SecretKind, anyScheme: Bool = false) -> [UInt8] {
    guard let space = value.firstIndex(of: UInt8(ascii: " ")), value.first != UInt8(ascii: "["),
      case let scheme = string(value[..<space]).lowercased(),
      anyScheme || ["bearer", "basic", "token"].contains(scheme)
    else { return secret(value, kind) }
    let rest = Array(value[space...].drop { $0 == UInt8(ascii: " ") })
    return value.dropLast(rest.count) + (scheme == "basic" ? basic(rest, kind) : secret(rest, kind))
  }

  /// A user and a password in base64 (RFC 7617 2); other requests may send the password apart.
  private mutating func basic(_ value: [UInt8], _ kind: SecretKind) -> [UInt8] {
    let decoded = Data(base64: value).map { [UInt8]($0) } ?? []
    guard let colon = decoded.firstIndex(of: UInt8(ascii: ":")) else { return secret(value, kind) }
    if !isReplacing { secrets.add(Array(decoded[(colon + 1)...]), .password) }
    let new = secret(decoded, kind)
    return new == decoded ? value : new
  }

  /// A value in a secret place.
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

  /// A text with the secrets in it replaced: by the edits of those that have names, by their forms, and by their values.
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

  /// The edit of a range, whose value is decoded; none if nothing in it is replaced.
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

  /// A text with the leftmost and longest edits.
  mutating func apply(_ edits: [Edit], to text: [UInt8]) -> [UInt8] {
    let edits = edits.longestWithoutOverlaps(\.range)
    positions += edits.flatMap(\.positions)
    return text.replacing(edits.map { ($0.range, $0.bytes) })
  }
}

/// A place in exchanges where a secret was.
struct RedactedPosition: Equatable {
  var exchange = 0
  /// The part of the exchange, in their order in a recording; headers are 0 and 4.
  var part = 0
  /// The name of the member, item, element, cookie or field that is nearest to it; the part of the exchange if there is none.
  var name = ""
  var secret = 0
}

func string(_ bytes: some Collection<UInt8>) -> String { String(decoding: bytes, as: UTF8.self) }
