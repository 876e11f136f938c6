import Foundation
import StubModel
import TrackingJSON
import TrackingModel

/// Goes through the texts of exchanges twice: first it collects the secrets, then it replaces them.
///
/// Both passes run the same code, so the second can't miss what the first found.
struct SecretVisitor {
  var secrets: SecretTable
  private(set) var positions: [RedactedPosition] = []
  private let names: SecretNames
  private(set) var isReplacing = false
  private var exchange = 0
  /// The path to the visited text: `answer body`, `user`, `[0]`.
  var place: [String] = []
  private var verdicts: [String: SecretNames.Verdict] = [:]
  /// The names of members in which nothing was found in this pass.
  var plainKeys: Set<String> = []

  init(names: SecretNames, secrets: SecretTable) {
    self.names = names
    self.secrets = secrets
  }

  /// Begins the second pass.
  mutating func replace() {
    secrets.prepare()
    plainKeys = []
    isReplacing = true
  }

  /// The exchange with the secrets that are known replaced; the same exchange in the first pass.
  mutating func visit(_ exchange: RecordedExchange, at index: Int) -> RecordedExchange {
    self.exchange = index
    var exchange = exchange
    exchange.request.headers = headers(exchange.request.headers, of: "request")
    exchange.request.path = inside("request path") { visitor in
      string(visitor.text(Array(exchange.request.path.utf8), inURL: true))
    }
    exchange.request.query = exchange.request.query.map { query in
      inside("request query") { visitor in string(visitor.items(Array(query.utf8))) }
    }
    exchange.request.body = body(exchange.request.body, headers: &exchange.request.headers, of: "request")
    exchange.answer.headers = headers(exchange.answer.headers, of: "answer")
    exchange.answer.body = body(exchange.answer.body, headers: &exchange.answer.headers, of: "answer")
    return exchange
  }

  // MARK: Leaves

  /// A value in a secret position.
  private mutating func secret(_ value: [UInt8], _ kind: SecretKind) -> [UInt8] {
    guard !value.isEmpty else { return value }
    let known = note(placeholdersIn: value)
    if !isReplacing {
      if !known {
        secrets.add(value, kind)
        // The app may use the decoded form: a cookie's value is often sent encoded.
        secrets.add(PercentText.decoded(value), of: value)
      }
      return value
    }
    guard let placeholder = secrets.placeholder(of: value) else { return replaced(value) }
    report(placeholder)
    return Array(placeholder.utf8)
  }

  /// Reserves the placeholders of an earlier redaction; returns `false` if there are none.
  private mutating func note(placeholdersIn text: [UInt8]) -> Bool {
    let placeholders = SecretTable.placeholders(in: text)
    for placeholder in placeholders {
      if isReplacing { report(placeholder) } else { secrets.note(placeholder) }
    }
    return !placeholders.isEmpty
  }

  /// Credentials after the name of their scheme, as in `Bearer abc` (RFC 9110 11.4), or alone.
  mutating func credentials(_ value: [UInt8], _ kind: SecretKind, anyScheme: Bool) -> [UInt8] {
    guard let space = value.firstIndex(of: UInt8(ascii: " ")) else { return secret(value, kind) }
    let scheme = string(value[..<space]).lowercased()
    guard anyScheme || ["bearer", "basic", "token"].contains(scheme), value.first != UInt8(ascii: "[")
    else { return secret(value, kind) }
    let rest = Array(value[(space + 1)...].drop { $0 == UInt8(ascii: " ") })
    if !isReplacing, scheme == "basic", let decoded = Base64.decoded(rest),
      let colon = decoded.firstIndex(of: UInt8(ascii: ":")), String(bytes: decoded, encoding: .utf8) != nil
    {
      // RFC 7617 2: user and password. Other requests may send the password apart.
      secrets.add(rest, kind)
      secrets.add(decoded, of: rest)
      _ = secret(Array(decoded[(colon + 1)...]), .password)
    }
    return value[...space] + secret(rest, kind)
  }

  /// A value that is kept, except for other secrets in it.
  mutating func kept(_ value: [UInt8]) -> [UInt8] {
    if !isReplacing { secrets.keep(value) }
    return replaced(value)
  }

  /// A text in an ordinary position: it may be JSON or hold URLs, tokens and PEM blocks, and values that are secret elsewhere.
  mutating func text(_ text: [UInt8], inURL: Bool = false) -> [UInt8] {
    _ = note(placeholdersIn: inURL ? PercentText.decoded(text) : text)
    let edits = SecretScan.findings(in: text, names: &self).compactMap { finding -> (Range<Int>, [UInt8])? in
      let value = Array(text[finding.range])
      switch finding.verdict {
      case .plain: return nil
      case .kept: return (finding.range, kept(value))
      case .secret(let kind):
        guard finding.isEncoded || inURL else { return (finding.range, secret(value, kind)) }
        let decoded = PercentText.decoded(value)
        let new = secret(decoded, kind)
        return new == decoded ? nil : (finding.range, PercentText.encoded(new))
      }
    }
    return replaced(text.replacing(edits), inURL: inURL)
  }

  /// A text with the known secrets replaced.
  private mutating func replaced(_ text: [UInt8], inURL: Bool = false) -> [UInt8] {
    guard isReplacing else { return text }
    var found: [String] = []
    let replaced = secrets.replacing(in: text, inURL: inURL) { found.append($0) }
    found.forEach { report($0) }
    return replaced
  }

  mutating func report(_ placeholder: String) {
    let path = place.dropFirst().reduce(into: "") { path, step in
      path += path.isEmpty || step.hasPrefix("[") ? step : ".\(step)"
    }
    let place = [place.first ?? "", path].filter { !$0.isEmpty }.joined(separator: " ")
    let position = RedactedPosition(
      // The name of a member, an item or a cookie may be a secret itself.
      exchange: exchange, place: string(secrets.replacing(in: Array(place.utf8)) { _ in }), placeholder: placeholder)
    if positions.last != position { positions.append(position) }
  }

  private mutating func inside<Result>(_ step: String, _ body: (inout SecretVisitor) -> Result) -> Result {
    place.append(step)
    defer { place.removeLast() }
    return body(&self)
  }

  /// Whether the value of a name is secret; computed once per name.
  mutating func verdict(on name: String) -> SecretNames.Verdict {
    if let known = verdicts[name] { return known }
    let verdict = names.verdict(on: name)
    verdicts[name] = verdict
    return verdict
  }

  // MARK: Headers and queries

  private mutating func headers(_ headers: HeaderFields, of side: String) -> HeaderFields {
    HeaderFields(
      fields: headers.fields.map { field in
        inside("\(side) header \(field.name)") { visitor in
          // Again as a whole: a secret may span several of the parts.
          let value = visitor.replaced(visitor.header(field.name, Array(field.value.utf8)))
          return HeaderFields.Field(name: field.name, value: string(value))
        }
      })
  }

  private mutating func header(_ name: String, _ value: [UInt8]) -> [UInt8] {
    switch (name.lowercased(), verdict(on: name)) {
    case (_, .kept): return kept(value)
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
    guard let equals = pair.firstIndex(of: UInt8(ascii: "=")) else { return Array(pair) }
    let name = string(pair[..<equals]).trimmingCharacters(in: .whitespaces)
    var value = pair[(equals + 1)...]
    while let last = value.last, last == UInt8(ascii: " ") { value.removeLast() }
    let isQuoted = value.count > 1 && value.first == UInt8(ascii: "\"") && value.last == UInt8(ascii: "\"")
    if isQuoted { value = value.dropFirst().dropLast() }
    let new = inside(name) { visitor in
      if case .secret(let kind) = visitor.names.verdict(onCookie: name) { return visitor.secret(Array(value), kind) }
      return visitor.kept(Array(value))
    }
    return pair[..<value.startIndex] + new + (isQuoted ? [UInt8(ascii: "\"")] : [])
  }

  /// The items of a query or the fields of a form.
  private mutating func items(_ text: [UInt8]) -> [UInt8] {
    let items = joined(
      text.split(separator: UInt8(ascii: "&"), omittingEmptySubsequences: false).map { item in
        let parts = item.split(separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2 else { return self.text(Array(item), inURL: true) }
        let name = string(PercentText.decoded(Array(parts[0]), plusIsSpace: true))
        let value = PercentText.decoded(Array(parts[1]), plusIsSpace: true)
        let verdict = names.verdict(onQueryItem: name)
        let new = inside(name) { visitor in
          switch verdict {
          case .plain: visitor.value(value)
          case .kept: visitor.kept(value)
          case .secret(let kind): visitor.credentials(value, kind, anyScheme: false)
          }
        }
        let newName = replaced(Array(parts[0]), inURL: true)
        // A plus sign may also be meant as one, so what was not found in the decoded value is looked for in the text.
        let newValue = new == value ? replaced(Array(parts[1]), inURL: true) : PercentText.encoded(new)
        return newName + [UInt8(ascii: "=")] + newValue
      }, "&")
    // A secret may contain `=` or `&`.
    return replaced(items, inURL: true)
  }

  /// A value that may be JSON in a text.
  mutating func value(_ value: [UInt8]) -> [UInt8] {
    json(value) ?? text(value)
  }

  // MARK: Bodies

  private mutating func body(_ body: Data, headers: inout HeaderFields, of side: String) -> Data {
    guard !body.isEmpty else { return body }
    let type = headers["Content-Type"] ?? ""
    let bytes = [UInt8](body)
    let new = inside("\(side) body") { visitor in
      if type.lowercased().hasPrefix("application/x-www-form-urlencoded") {
        // Also the type that some clients give to JSON.
        return visitor.json(bytes) ?? visitor.items(bytes)
      }
      return visitor.multipart(bytes, type: type) ?? visitor.value(bytes)
    }
    guard new != bytes else { return body }
    if headers["Content-Length"] != nil { headers.set("Content-Length", "\(new.count)") }
    return Data(new)
  }

  /// A `multipart/form-data` body; `nil` if it isn't one.
  private mutating func multipart(_ body: [UInt8], type: String) -> [UInt8]? {
    let request = StubRequest(method: "", path: "", headers: ["Content-Type": type], body: Data(body))
    guard let parts = request.parts else { return nil }
    var edits: [(range: Range<Int>, bytes: [UInt8])] = []
    var rest = body[...]
    for part in parts {
      let data = [UInt8](part.data)
      // The parts come in the order of the body, each between an empty line and a boundary.
      let framed = [13, 10, 13, 10] + data + [13, 10, UInt8(ascii: "-"), UInt8(ascii: "-")]
      guard let found = rest.firstRange(of: framed) else { continue }
      rest = rest[(found.upperBound - 4)...]
      let new = inside(part.name) { visitor in
        switch visitor.verdict(on: part.name) {
        case .plain: visitor.value(data)
        case .kept: visitor.kept(data)
        case .secret(let kind): visitor.credentials(data, kind, anyScheme: false)
        }
      }
      if new != data { edits.append((found.lowerBound + 4..<found.upperBound - 4, new)) }
    }
    return replaced(body.replacing(edits))
  }
}

private func string(_ bytes: some Collection<UInt8>) -> String {
  String(decoding: bytes, as: UTF8.self)
}

private func joined(_ parts: [[UInt8]], _ separator: Unicode.Scalar) -> [UInt8] {
  Array(parts.joined(separator: [UInt8(ascii: separator)]))
}
