import Foundation
import TrackingJSON
import TrackingPatterns

extension BackendRecording {
  /// Stubs that answer as the backends have answered.
  ///
  /// A redacted value first answers requests with its placeholder, which an app has from an earlier answer, and then requests with any value.
  /// Apart from that, each stub has as few conditions as the recording allows: method, path and query; the body only where two recorded bodies of a path differ;
  /// and of the header fields `Accept-Language` where it differs, those that ``headers`` names, `Range` of an answer with 206, and the
  /// validators where some are answered with 304. Which of several answers a request gets follows from their epochs; the article "Record a backend"
  /// of StubRecording has the rules.
  public var stubs: [StubEndpoint] {
    var groups: [(template: StubEndpoint, exchanges: [RecordedExchange])] = []
    var places: [StubEndpoint: Int] = [:]
    let all = numbered.map { (exchange: $0, key: PathKey(method: $0.request.method, path: path(of: $0))) }
    let answered = handedOut
    let varieties = Dictionary(grouping: all, by: \.key).mapValues { Variety($0.map(\.exchange)) }
    for (exchange, key) in all.flatMap({ exchange, key in
      Self.asked(exchange, has304: varieties[key]?.has304 ?? false).map { ($0, key) }
    }) {
      guard let variety = varieties[key] else { continue }
      // A replay sends back the placeholders that it was answered with, and values of the app's own in place of others.
      var templates = [template(for: exchange, path: key.path, variety, .any)]
      if exchange.request.hasPlaceholder {
        for comparison in [PlaceholderComparison(answered), PlaceholderComparison(nil)].flatMap({ [$0, $0.numeric] }) {
          let template = template(for: exchange, path: key.path, variety, comparison)
          if !templates.contains(template) { templates.append(template) }
        }
      }
      for template in templates {
        if let place = places[template] {
          groups[place].exchanges.append(exchange)
        } else {
          places[template] = groups.count
          groups.append((template, [exchange]))
        }
      }
    }
    return groups.flatMap { Self.stubs($0.template, $0.exchanges) }
  }

  /// The placeholders that answers have, and that an app sends back in a replay.
  package var handedOut: Set<String> {
    // Of a line such as `POST /login: answer body token: [redacted token 1]`.
    Set(
      redacted.filter { $0.contains(": answer ") }.compactMap { line in
        line.range(of: "[redacted ", options: .backwards).map { String(line[$0.lowerBound...]) }
      })
  }

  private struct PathKey: Hashable {
    let method: String
    let path: String
  }

  /// The differences among the exchanges with one method and path.
  private struct Variety {
    let hasOrigins: Bool
    let hasBodies: Bool
    let hasLanguages: Bool
    /// Whether some are answered with 304.
    let has304: Bool

    init(_ exchanges: [RecordedExchange]) {
      func differs(_ part: (RecordedExchange.Request) -> some Equatable) -> Bool {
        exchanges.contains { part($0.request) != part(exchanges[0].request) }
      }
      hasOrigins = differs(\.origin)
      hasBodies = differs(\.body)
      hasLanguages = differs { $0.headers["Accept-Language"] }
      has304 = exchanges.contains { $0.answer.status == 304 }
    }
  }

  /// The exchange, and the same without its validators where some are answered with 304: an app with an empty cache has none to send.
  private static func asked(_ exchange: RecordedExchange, has304: Bool) -> [RecordedExchange] {
    guard has304, exchange.answer.status != 304 else { return [exchange] }
    var plain = exchange
    plain.request.headers.lines.removeAll { validators.contains($0.name.lowercased()) }
    return plain == exchange ? [exchange] : [exchange, plain]
  }

  private static let validators: Set = ["if-none-match", "if-modified-since"]

  /// The path of an exchange: the template that it matches, or its own.
  package func path(of exchange: RecordedExchange) -> String {
    let path = exchange.request.path
    return paths.first { StubPath.template($0).matches(path) } ?? path
  }

  private static func stubs(_ template: StubEndpoint, _ exchanges: [RecordedExchange]) -> [StubEndpoint] {
    var stubs: [StubEndpoint] = []
    let epochs = Dictionary(grouping: exchanges) { $0.request.changesSomething ? 0 : $0.epoch ?? 0 }
    var last: StubResult?
    for (epoch, exchanges) in epochs.sorted(by: { $0.key < $1.key }) {
      var results = exchanges.map { StubResult($0.answer, to: $0.request.method) }
      // The last answer repeats, so its copies add nothing.
      while results.count > 1, results[results.count - 1] == results[results.count - 2] { results.removeLast() }
      if results == [last].compactMap(\.self) { continue }
      var stub = template
      stub.epoch = stubs.isEmpty ? 0 : epoch
      stub.results = results
      stubs.append(stub)
      last = results.last
    }
    return stubs
  }

  /// The conditions of an exchange.
  ///
  /// - Parameters:
  ///   - path: The template of its path, or the path itself.
  ///   - variety: The differences among the exchanges with its method and path.
  ///   - comparison: The placeholders that are compared.
  private func template(
    for exchange: RecordedExchange, path: String, _ variety: Variety, _ comparison: PlaceholderComparison
  ) -> StubEndpoint {
    let request = exchange.request
    var compared = headers
    var (fields, cookies): ([String: ValueMatcher], [String: ValueMatcher]) = ([:], [:])
    if variety.hasLanguages { compared.append("Accept-Language") }
    if exchange.answer.status == 206 { compared.append("Range") }
    // Of full answers too: a later one must come before the 304 to the same validators.
    if variety.has304 { compared += ["If-None-Match", "If-Modified-Since"] }
    for name in compared {
      guard let value = request.headers[name] else { continue }
      fields[name] = comparison.matcher(of: value)
    }
    // They say whose request it is, so each is a condition more than other exchanges have.
    for field in request.headers.lines {
      if !field.name.isCookie, comparison.isHandedOut(field.value) {
        fields[field.name] = comparison.matcher(of: field.value)
      }
      for (name, value) in field.name.isCookie ? OpenText.cookies(of: field.value) : []
      where comparison.isHandedOut(value) {
        cookies[name] = comparison.matcher(of: value)
      }
    }
    let pattern = RequestPattern.request(
      HTTPRequest.Method(rawValue: request.method),
      .template(path == request.path ? Self.path(path, comparison) : path),
      host: variety.hasOrigins ? host(of: request.origin) : nil, query: Self.query(request.query ?? "", comparison),
      headers: fields, cookies: cookies, body: variety.hasBodies ? Self.body(of: request, comparison) : nil)
    return StubEndpoint(pattern, [StubResult]())
  }

  /// The hosts under which a backend is asked: as its requests were routed, and its own, for an app that asks it directly.
  private func host(of origin: String) -> ValueMatcher? {
    let routed = upstreams.filter { $0.value == origin && !$0.key.hasPrefix("/") }.keys
    let own = URLComponents(string: origin)?.host
    let hosts = (routed + [own].compactMap(\.self)).map { $0.lowercased() }
    return .one(of: Set(hosts).sorted().map { .equal(to: $0) })
  }

  /// A path as it is, but for segments that a request can't repeat.
  private static func path(_ path: String, _ comparison: PlaceholderComparison) -> String {
    let segments = path.split(separator: "/", omittingEmptySubsequences: false)
    guard segments.contains(where: { OpenText.isOpen(PercentEncoding.decoded($0)) }) else {
      return StubPath.literal(path)
    }
    return segments.map { segment in
      let text = PercentEncoding.decoded(segment)
      if comparison.isOpen(text) { return ":any" }
      let compared = comparison.text(of: text)
      return segment.isEmpty
        ? "" : String(StubPath.literal("/\(compared == text ? String(segment) : compared)").dropFirst())
    }.joined(separator: "/")
  }

  private static func query(_ text: String, _ comparison: PlaceholderComparison) -> QueryCondition? {
    let fields = FormFields(text)
    let names = Set(fields.pairs.map(\.name))
    guard names.count == fields.pairs.count else {
      return fields.pairs.contains { comparison.isOpen($0.value) } ? nil : .exactItems(fields)
    }
    return .exact(matchers(of: fields, comparison))
  }

  private static func matchers(
    of fields: FormFields, _ comparison: PlaceholderComparison
  ) -> [String: ValueMatcher] {
    Dictionary(fields.pairs.map { ($0.name, comparison.matcher(of: $0.value)) }, uniquingKeysWith: { $1 })
  }

  private static func body(
    of request: RecordedExchange.Request, _ comparison: PlaceholderComparison
  ) -> BodyCondition? {
    let type = request.headers["Content-Type"]?.lowercased() ?? ""
    // The boundary between the parts is another one each time.
    if type.hasPrefix("multipart/") { return nil }
    if let value = try? TrackingValue(json: request.body) {
      return .json(ValueMatcher(equalTo: value, isOpen: comparison.isOpen))
    }
    if type.hasPrefix("application/x-www-form-urlencoded") {
      return .form(matchers(of: FormFields(String(decoding: request.body, as: UTF8.self)), comparison))
    }
    if let text = String(data: request.body, encoding: .utf8), comparison.isOpen(text) { return nil }
    return .exact(request.body)
  }
}

/// The placeholders of redacted values that a replay's request is compared with; all others stand for any value.
private struct PlaceholderComparison {
  private enum Compared {
    case none
    /// Those that answers of the recording have.
    case some(Set<String>)
    case all
  }

  private let compared: Compared
  /// Whether a placeholder is compared as its number, which takes the place of a number in JSON.
  private var isNumeric = false

  /// Compares no placeholder.
  static let any = PlaceholderComparison(compared: .none)

  private init(compared: Compared) {
    self.compared = compared
  }

  /// Compares some placeholders; `nil` for all.
  init(_ placeholders: Set<String>?) {
    compared = placeholders.map { .some($0) } ?? .all
  }

  /// The same, with placeholders as numbers.
  var numeric: PlaceholderComparison { changed(self) { $0.isNumeric = true } }

  /// Whether a text stands for any value.
  func isOpen(_ text: String) -> Bool {
    guard OpenText.isOpen(text) else { return false }
    switch compared {
    case .none: return true
    case .some(let placeholders):
      var rest = text
      for placeholder in placeholders where rest.contains("[") { rest = rest.replacing(placeholder, with: "") }
      return OpenText.isOpen(rest)
    case .all: return OpenText.isOpen(text.replacing("[redacted ", with: "").replacing("5Bredacted%", with: ""))
    }
  }

  /// Whether a text has placeholders, and answers of the recording have all of them.
  func isHandedOut(_ text: String) -> Bool {
    if case .some(let placeholders) = compared { OpenText.isHandedOut(text, in: placeholders) } else { false }
  }

  /// A text as it is compared.
  func text(of text: String) -> String {
    guard isNumeric, text.hasPrefix("[redacted "), text.hasSuffix("]"), let space = text.lastIndex(of: " ") else {
      return text
    }
    let number = text[text.index(after: space)...].dropLast()
    return Int(number) == nil ? text : String(number)
  }

  func matcher(of text: String) -> ValueMatcher { isOpen(text) ? .any : .equal(to: self.text(of: text)) }
}

extension RecordedExchange.Request {
  fileprivate var hasPlaceholder: Bool {
    OpenText.isRedacted(target) || headers.lines.contains { OpenText.isRedacted($0.value) }
      || OpenText.isRedacted(String(decoding: body, as: UTF8.self))
  }
}

extension StubResult {
  /// A recorded answer to a request with a method.
  package init(_ answer: RecordedExchange.Answer, to method: String) {
    // RFC 9110 8.6: the length in an answer to HEAD is that of the body that isn't sent.
    let isHead = method == "HEAD" && answer.body.isEmpty
    let fields = answer.headers.lines.filter { $0.canBeSent || isHead && $0.isLength }
    self.init(
      status: answer.status, headers: HeaderFields(lines: fields),
      content: answer.body.isEmpty ? .empty : .data(answer.body, type: nil))
    isRecorded = true
  }
}
