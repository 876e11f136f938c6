import Foundation
import StubModel
import TrackingJSON
import TrackingSecrets

/// Goes through the texts of exchanges twice: first it collects the secrets, then it replaces them.
///
/// Both passes run the same code, so the second can't miss what the first found.
struct SecretVisitor {
  /// The secrets; complete in the second pass.
  var secrets: SecretTable
  private(set) var positions: [RedactedPosition] = []
  var names: KnownNames
  private(set) var isReplacing = false
  private var exchange = 0
  /// The path to the visited text: `answer body`, `user`, `[0]`.
  var place: [JSONPath.Step] = []
  /// The findings of the first pass, in order.
  ///
  /// Kept apart from the table, so that what was found in something that isn't JSON can be taken back.
  private var collected: [Collected] = []
  /// The names of members in which nothing was found in this pass.
  var plainKeys: Set<String> = []

  private enum Collected {
    case secret([UInt8], SecretKind, isWord: Bool)
    case spelling([UInt8], of: [UInt8])
    case kept([UInt8], inSecretPlaces: Bool)
    case placeholder(String)

    func add(to secrets: inout SecretTable) {
      switch self {
      case .secret(let value, let kind, let isWord): secrets.add(value, kind, isWord: isWord)
      case .spelling(let spelling, let value): secrets.add(spelling, of: value)
      case .kept(let value, let inSecretPlaces): secrets.keep(value, inSecretPlaces: inSecretPlaces)
      case .placeholder: break
      }
    }
  }

  init(names: SecretNames, secrets: SecretTable) {
    self.names = KnownNames(names)
    self.secrets = secrets
  }

  /// Adds what was collected to the table, and prepares the search for it.
  mutating func takeCollected() {
    addCollected()
    secrets.prepare()
  }

  private mutating func addCollected() {
    for case .placeholder(let placeholder) in collected { secrets.note(placeholder) }
    for found in collected { found.add(to: &secrets) }
    collected = []
  }

  /// Begins the second pass.
  mutating func replace() {
    takeCollected()
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

  /// A line with the known secrets replaced, and its own in their places.
  ///
  /// Its own secrets aren't looked for in other lines.
  func redacted(line: String) -> String {
    let bytes = Array(line.utf8)
    var visitor = self
    visitor.secrets.isFixed = true
    _ = visitor.text(bytes)
    visitor.addCollected()
    visitor.isReplacing = true
    return string(visitor.text(bytes))
  }

  /// A state to return to when a text wasn't what it seemed.
  var mark: (Int, Int, Int) { (collected.count, positions.count, place.count) }

  mutating func takeBack(to mark: (collected: Int, positions: Int, place: Int)) {
    collected.removeLast(collected.count - mark.collected)
    positions.removeLast(positions.count - mark.positions)
    place.removeLast(place.count - mark.place)
  }

  // MARK: Leaves

  /// A value in a secret position.
  mutating func secret(_ value: [UInt8], _ kind: SecretKind, isWord: Bool = false) -> [UInt8] {
    guard !value.isEmpty else { return value }
    let isRedacted = note(placeholdersIn: value)
    if !isReplacing {
      guard !isRedacted else { return value }
      collected.append(.secret(value, kind, isWord: isWord))
      // The app may use the decoded form: a cookie's value is often sent encoded.
      let decoded = TextCoding.percent.decoded(value)
      if decoded != value { collected.append(.spelling(decoded, of: value)) }
      return value
    }
    guard let placeholder = secrets.placeholder(of: value) else { return replaced(value) }
    report(placeholder)
    return Array(placeholder.utf8)
  }

  /// Whether a value under a secret name is rather an id: a number that is too short to be looked for in other places.
  static func isShortNumber(_ value: [UInt8], _ kind: SecretKind) -> Bool {
    kind != .password && kind != .cookie && value.count < SecretTable.shortest
      && value.allSatisfy { $0 >= 0x30 && $0 <= 0x39 }
  }

  /// Collects a secret that isn't at the visited place.
  mutating func collect(_ value: [UInt8], _ kind: SecretKind) {
    if !isReplacing { collected.append(.secret(value, kind, isWord: false)) }
  }

  /// Collects a value that is kept.
  ///
  /// A kept token is sent as one. What isn't called a secret may still be one elsewhere: a login that is equal to the password.
  mutating func collect(kept value: [UInt8], insteadOf kind: SecretKind?) {
    if !isReplacing { collected.append(.kept(value, inSecretPlaces: kind != nil)) }
  }

  /// Reserves the placeholders of an earlier redaction; returns `false` if there are none.
  private mutating func note(placeholdersIn text: [UInt8]) -> Bool {
    guard text.count >= 10 else { return false }
    let found = SecretScan.findings(in: text, style: .binary, names: &names).findings
    var hasPlaceholder = false
    for finding in found {
      guard case .placeholder = finding.content else { continue }
      hasPlaceholder = true
      note(placeholder: string(text[finding.range]))
    }
    return hasPlaceholder
  }

  private mutating func note(placeholder: String) {
    if isReplacing { report(placeholder) } else { collected.append(.placeholder(placeholder)) }
  }

  /// Credentials after the name of their scheme, as in `Bearer abc` (RFC 9110 11.4), or alone.
  mutating func credentials(
    _ value: [UInt8], _ kind: SecretKind, anyScheme: Bool, isWord: Bool = false
  ) -> [UInt8] {
    guard let space = value.firstIndex(of: UInt8(ascii: " ")) else { return secret(value, kind, isWord: isWord) }
    let scheme = string(value[..<space]).lowercased()
    guard anyScheme || ["bearer", "basic", "token"].contains(scheme), value.first != UInt8(ascii: "[")
    else { return secret(value, kind, isWord: isWord) }
    let rest = Array(value[(space + 1)...].drop { $0 == UInt8(ascii: " ") })
    if !isReplacing, scheme == "basic", let decoded = Base64.decoded(rest),
      let colon = decoded.firstIndex(of: UInt8(ascii: ":")), String(bytes: decoded, encoding: .utf8) != nil
    {
      // RFC 7617 2: user and password. Other requests may send the password apart.
      collect(rest, kind)
      collected.append(.spelling(decoded, of: rest))
      _ = secret(Array(decoded[(colon + 1)...]), .password)
    }
    return value[...space] + secret(rest, kind)
  }

  /// A value that is kept, except for other secrets in it.
  mutating func kept(_ value: [UInt8], insteadOf kind: SecretKind?) -> [UInt8] {
    collect(kept: value, insteadOf: kind)
    return replaced(value)
  }

  /// A text in an ordinary position, which may hold URLs, tokens, names with values, JSON, and values that are secret elsewhere.
  mutating func text(_ text: [UInt8], style: TextStyle = .prose, inURL: Bool = false) -> [UInt8] {
    let (all, mayBeEncoded) = SecretScan.findings(in: text, style: style, names: &names)
    // A finding that begins or ends outside of an object has it in its value.
    let objects = style == .binary || inURL ? [] : Self.objects(in: text).within(all.map(\.range))
    if all.isEmpty, objects.isEmpty, !mayBeEncoded { return replaced(text, inURL: inURL) }
    let findings = all.map { ($0, $0.range) }.apart(from: objects).map(\.0)
    // In their order, which is that of the placeholders' numbers.
    let parts = (findings.map { ($0.range, $0) } + objects.map { ($0, nil) })
      .sorted { (left: (Range<Int>, SecretScan.Finding?), right) in left.0.lowerBound < right.0.lowerBound }
    var edits = parts.compactMap { range, finding -> (range: Range<Int>, bytes: [UInt8])? in
      if let finding { return edit(finding, in: TextView(text), inURL: inURL) }
      return json(Array(text[range])).map { (range, $0) }
    }
    if mayBeEncoded, style != .binary {
      var taken = parts.map(\.0)
      for view in TextView.nested(of: text) {
        // Tags in a decoded view of a page are the page's text.
        let inner = style == .html ? .code : style
        let all = SecretScan.findings(in: view.bytes, style: inner, names: &names).findings
        // A finding in a plainer view is the whole value, so its parts aren't looked for again.
        let new = all.map { ($0, view.source(of: $0.range)) }.apart(from: taken)
        guard !new.isEmpty else { continue }
        edits += new.compactMap { edit($0.0, in: view, inURL: inURL) }
        taken = (taken + new.map(\.1)).sorted { $0.lowerBound < $1.lowerBound }
      }
      edits.sort { $0.range.lowerBound < $1.range.lowerBound }
    }
    return replaced(edits.isEmpty ? text : text.replacing(edits), inURL: inURL)
  }

  /// The replacement of a finding.
  private mutating func edit(
    _ finding: SecretScan.Finding, in view: TextView, inURL: Bool
  ) -> (range: Range<Int>, bytes: [UInt8])? {
    if let name = finding.name { place.append(.member(string(view.bytes[name].suffix(100)))) }
    defer { if finding.name != nil { place.removeLast() } }
    let value = Array(view.bytes[finding.range])
    let isInURL = finding.coding == .percent || inURL && view.coding == nil
    let decoded = isInURL ? TextCoding.percent.decoded(value) : finding.coding?.decoded(value) ?? value
    let new: [UInt8]
    switch finding.content {
    case .placeholder:
      note(placeholder: string(value))
      return nil
    case .credentials: new = credentials(decoded, .token, anyScheme: true)
    case .value(.plain): return nil
    case .value(.kept(let kind)): new = kept(decoded, insteadOf: kind)
    case .value(.secret(let kind)):
      new = credentials(decoded, kind, anyScheme: false, isWord: finding.isWord)
    }
    guard new != decoded else { return nil }
    let depth = max(view.percentDepth(at: finding.range) + (isInURL ? 1 : 0), inURL ? 1 : 0)
    return (view.source(of: finding.range), PercentEncoding.encoded(new, times: depth))
  }

  /// A text with the known secrets replaced.
  mutating func replaced(_ text: [UInt8], inURL: Bool = false) -> [UInt8] {
    guard isReplacing else { return text }
    var found: [String] = []
    let replaced = secrets.replacing(in: text, inURL: inURL) { found.append($0) }
    found.forEach { report($0) }
    return replaced
  }

  mutating func report(_ placeholder: String) {
    let path = JSONPath(Array(place.dropFirst())).description
    let names = place.compactMap { if case .member(let name) = $0 { name } else { nil } }
    let part = names.first ?? ""
    // `request header Accept`
    let field = part.split(separator: " ", maxSplits: 2).dropFirst(2).first.map(String.init)
    // The name of a member, an item or a cookie may be a secret itself.
    func shown(_ text: String) -> String { string(secrets.replacing(in: Array(text.utf8)) { _ in }) }
    let name = names.count > 1 ? names[names.count - 1] : field ?? part
    let position = RedactedPosition(
      exchange: exchange, place: shown(path.isEmpty ? part : "\(part) \(path)"), name: shown(name),
      placeholder: placeholder)
    if positions.last != position { positions.append(position) }
  }

  mutating func inside<Result>(_ step: String, _ body: (inout SecretVisitor) -> Result) -> Result {
    place.append(.member(step))
    defer { place.removeLast() }
    return body(&self)
  }

  /// A value that may be JSON in a text.
  mutating func value(_ value: [UInt8]) -> [UInt8] {
    json(value) ?? text(value, style: value.withUnsafeBufferPointer { TextStyle(ofText: $0) })
  }
}

extension [(SecretScan.Finding, Range<Int>)] {
  /// Those that have nothing in common with other ranges; both are in order.
  fileprivate func apart(from ranges: [Range<Int>]) -> Self {
    var next = 0
    return filter { _, range in
      while next < ranges.count, ranges[next].upperBound <= range.lowerBound { next += 1 }
      return next == ranges.count || ranges[next].lowerBound >= range.upperBound
    }
  }
}

extension [Range<Int>] {
  /// Those that no other range reaches into from outside; both are in order.
  fileprivate func within(_ others: [Range<Int>]) -> [Range<Int>] {
    var next = 0
    return filter { range in
      while next < others.count, others[next].upperBound <= range.lowerBound { next += 1 }
      var index = next
      while index < others.count, others[index].lowerBound < range.upperBound {
        guard others[index].lowerBound > range.lowerBound, others[index].upperBound < range.upperBound else {
          return false
        }
        index += 1
      }
      return true
    }
  }
}

func string(_ bytes: some Collection<UInt8>) -> String {
  String(decoding: bytes, as: UTF8.self)
}

func joined(_ parts: [[UInt8]], _ separator: Unicode.Scalar) -> [UInt8] {
  Array(parts.joined(separator: [UInt8(ascii: separator)]))
}
