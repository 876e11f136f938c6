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
  package var stubs: [StubEndpoint] {
    var groups: [(template: StubEndpoint, answers: [Answered])] = []
    var places: [StubEndpoint: Int] = [:]
    for (answered, templates) in templates {
      for template in templates {
        if let place = places[template] {
          groups[place].answers.append(answered)
        } else {
          places[template] = groups.count
          groups.append((template, [answered]))
        }
      }
    }
    return groups.flatMap { Self.stubs($0.template, $0.answers) }
  }

  /// The conditions that tell each exchange from the others; of exchanges with equal ones, a replay can't know which is asked for.
  package var distinctions: [StubEndpoint?] {
    var last = [StubEndpoint?](repeating: nil, count: exchanges.count)
    for (answered, templates) in templates where last[answered.index] == nil { last[answered.index] = templates.last }
    return last
  }

  private struct PathKey: Hashable {
    let method: String
    let path: String
  }

  /// An exchange, and the epoch that follows its answer.
  private struct Answered {
    let index: Int
    var exchange: RecordedExchange
    let key: PathKey
    let next: Int
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

  /// The exchanges, each with its conditions: those that any value meets, and if it has placeholders of answers, with these.
  private var templates: [(Answered, [StubEndpoint])] {
    var epoch = 0
    let all = numbered.enumerated().map { index, exchange in
      // Clamped, because a person may have written any number into a file.
      if exchange.request.changesSomething { epoch = min(max(epoch, exchange.epoch ?? 0), .max - 1) + 1 }
      let key = PathKey(method: exchange.request.method, path: path(of: exchange))
      return Answered(index: index, exchange: exchange, key: key, next: exchange.request.changesSomething ? epoch : 0)
    }
    let varieties = Dictionary(grouping: all, by: \.key).mapValues { Variety($0.map(\.exchange)) }
    let comparison = PlaceholderComparison(handedOut)
    let found = all.flatMap { answered in
      let variety = varieties[answered.key] ?? Variety([answered.exchange])
      return Self.asked(answered, has304: variety.has304).map { asked in
        (
          asked: asked, variety: variety, identities: comparison.identities(in: asked.exchange.request),
          open: template(for: asked, variety, .any, identities: [:])
        )
      }
    }
    // The sender is a condition where another one, or an anonymous one, has sent the same request.
    var groups: [StubEndpoint: [Set<Identity>]] = [:]
    for item in found { groups[item.open, default: []].append(Set(item.identities.keys)) }
    return found.map { asked, variety, identities, open in
      let differing = identities.keys.filter { identity in groups[open]?.contains { !$0.contains(identity) } ?? false }
      let present = Dictionary(uniqueKeysWithValues: differing.map { ($0, ValueMatcher.present) })
      let loose = present.isEmpty ? open : template(for: asked, variety, .any, identities: present)
      let own = identities.compactMapValues { comparison.isHandedOut($0) ? ValueMatcher.equal(to: $0) : nil }
      let exact = template(for: asked, variety, comparison, identities: present.merging(own) { $1 })
      return (asked, exact == loose ? [loose] : [loose, exact])
    }
  }

  /// The exchange, and the same without its validators where some are answered with 304: an app with an empty cache has none to send.
  private static func asked(_ answered: Answered, has304: Bool) -> [Answered] {
    guard has304, answered.exchange.answer.status != 304 else { return [answered] }
    var plain = answered
    plain.exchange.request.headers.lines.removeAll { validators.contains($0.name.lowercased()) }
    return plain.exchange == answered.exchange ? [answered] : [answered, plain]
  }

  private static let validators: Set = ["if-none-match", "if-modified-since"]

  /// The path of an exchange: the template that it matches, or its own.
  private func path(of exchange: RecordedExchange) -> String {
    let path = exchange.request.path
    return paths.first { StubPath.template($0).matches(path) } ?? path
  }

  private static func stubs(_ template: StubEndpoint, _ answers: [Answered]) -> [StubEndpoint] {
    var stubs: [StubEndpoint] = []
    let epochs = Dictionary(grouping: answers) {
      $0.exchange.request.changesSomething ? 0 : $0.exchange.epoch ?? 0
    }
    var last: StubResponse?
    for (epoch, answers) in epochs.sorted(by: { $0.key < $1.key }) {
      var results = answers.map {
        StubResponse($0.exchange.answer, to: $0.exchange.request.method, followedBy: $0.next)
      }
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
  ///   - variety: The differences among the exchanges with its method and path.
  ///   - comparison: The placeholders that are compared.
  ///   - identities: The conditions on who asks.
  private func template(
    for answered: Answered, _ variety: Variety, _ comparison: PlaceholderComparison,
    identities: [Identity: ValueMatcher]
  ) -> StubEndpoint {
    let (request, path) = (answered.exchange.request, answered.key.path)
    var compared = headers
    if variety.hasLanguages { compared.append("Accept-Language") }
    if answered.exchange.answer.status == 206 { compared.append("Range") }
    // Of full answers too: a later one must come before the 304 to the same validators.
    if variety.has304 { compared += ["If-None-Match", "If-Modified-Since"] }
    var (fields, cookies): ([String: ValueMatcher], [String: ValueMatcher]) = ([:], [:])
    for name in compared { fields[name] = request.headers[name].map(comparison.matcher(of:)) }
    for (identity, matcher) in identities {
      if identity.isCookie { cookies[identity.name] = matcher } else { fields[identity.name] = matcher }
    }
    let pattern = RequestPattern.request(
      .get,
      .template(path == request.path ? Self.path(path, comparison) : path),
      host: variety.hasOrigins ? host(of: request.origin) : nil,
      query: .exact(Self.matchers(of: ReceivedFields(request.query ?? ""), comparison)),
      headers: fields, cookies: cookies, body: variety.hasBodies ? Self.body(of: request, comparison) : nil)
    return StubEndpoint(pattern.with(sentMethod: .init(rawValue: request.method)), [StubResponse]())
  }

  /// The hosts under which a backend is asked: as its requests were routed, and its own, for an app that asks it directly.
  ///
  /// A backend that is chosen by path answers under all hosts that aren't another's.
  private func host(of origin: String) -> ValueMatcher? {
    func hosts(_ origin: String) -> [String] {
      let routed = upstreams.filter { $0.value == origin && !$0.key.hasPrefix("/") }.keys
      // The server's own addresses name no backend.
      let own = [URLComponents(string: origin)?.host].compactMap(\.self)
        .filter { !["localhost", "127.0.0.1", "[::1]", "::1"].contains($0) }
      return (routed + own).map { $0.lowercased() }
    }
    func matcher(_ hosts: some Sequence<String>) -> ValueMatcher {
      .one(of: Set(hosts).sorted().map { .equal(to: $0) })
    }
    guard upstreams.contains(where: { $0.value == origin && $0.key.hasPrefix("/") }) else {
      return matcher(hosts(origin))
    }
    let others = Set(upstreams.values.filter { $0 != origin }.flatMap(hosts)).subtracting(hosts(origin))
    return others.isEmpty ? nil : .not(matcher(others))
  }

  /// A path as it is, but for segments that a request can't repeat.
  private static func path(_ path: String, _ comparison: PlaceholderComparison) -> String {
    let segments = path.split(separator: "/", omittingEmptySubsequences: false)
    guard segments.contains(where: { comparison.isOpen(PercentEncoding.decoded($0)) }) else {
      return StubPath.literal(path)
    }
    return segments.map { segment in
      if comparison.isOpen(PercentEncoding.decoded(segment)) { return ":any" }
      return segment.isEmpty ? "" : String(StubPath.literal("/\(segment)").dropFirst())
    }.joined(separator: "/")
  }

  /// A name that is repeated has a list of values.
  private static func matchers(
    of fields: ReceivedFields, _ comparison: PlaceholderComparison
  ) -> [String: ValueMatcher] {
    Dictionary(grouping: fields.pairs, by: \.name).mapValues { pairs in
      let values = pairs.map(\.value)
      return values.count == 1
        ? comparison.matcher(of: values[0])
        : ValueMatcher(equalTo: .array(values.map { .string($0) }), isOpen: comparison.isOpen)
    }
  }

  private static func body(
    of request: RecordedExchange.Request, _ comparison: PlaceholderComparison
  ) -> BodyCondition? {
    let type = request.headers["Content-Type"]?.lowercased() ?? ""
    // The boundary between the parts is another one each time.
    if type.hasPrefix("multipart/") {
      guard let parts = ReceivedPart.parts(of: request.body, type: request.headers["Content-Type"] ?? "") else {
        return nil
      }
      let conditions = parts.map { part in
        let content = comparison.matcher(ofText: part.text)
        let file = part.fileName.map { PartCondition.file(named: comparison.matcher(of: $0), content: content) }
        return (part.name, file ?? .text(content))
      }
      return .multipart(Dictionary(conditions) { $1 })
    }
    if let value = try? TrackingValue(json: request.body) {
      return .json(ValueMatcher(equalTo: value, isOpen: comparison.isOpen))
    }
    if type.hasPrefix("application/x-www-form-urlencoded") {
      return .form(matchers(of: ReceivedFields(String(decoding: request.body, as: UTF8.self)), comparison))
    }
    if let text = String(data: request.body, encoding: .utf8), comparison.isOpen(text) {
      return .text(comparison.matcher(ofText: text))
    }
    return .exact(request.body)
  }
}

/// A header field or a cookie that says who asks.
private struct Identity: Hashable {
  let isCookie: Bool
  let name: String
}

/// The placeholders of redacted values that a replay's request is compared with; all others stand for any value.
private struct PlaceholderComparison {
  private let compared: Set<String>

  /// Compares no placeholder.
  static let any = PlaceholderComparison([])

  init(_ placeholders: Set<String>) {
    compared = placeholders
  }

  /// Whether a text stands for any value.
  func isOpen(_ text: String) -> Bool {
    guard OpenText.isOpen(text) else { return false }
    var rest = text
    for placeholder in compared where rest.contains("[") { rest = rest.replacing(placeholder, with: "") }
    return OpenText.isOpen(rest)
  }

  /// Whether a text has placeholders, and answers of the recording have all of them.
  func isHandedOut(_ text: String) -> Bool { OpenText.isHandedOut(text, in: compared) }

  func matcher(of text: String) -> ValueMatcher { isOpen(text) ? .any : .equal(to: text) }

  /// A text in which each open part may be any text.
  func matcher(ofText text: String) -> ValueMatcher {
    guard isOpen(text) else { return .equal(to: text) }
    var pattern = #"\A"#
    var rest = text[...]
    for match in text.matches(of: Self.openPart) where !compared.contains(String(match.output)) {
      pattern += NSRegularExpression.escapedPattern(for: String(rest[..<match.range.lowerBound])) + #"[\s\S]*"#
      rest = text[match.range.upperBound...]
    }
    return .matches(pattern + NSRegularExpression.escapedPattern(for: String(rest)) + #"\z"#)
  }

  /// A placeholder, `{any}` or `{base}`, as it is or percent-encoded.
  private static var openPart: Regex<Substring> {
    #/\[redacted [a-z]+ [0-9]+\]|%(?:25)*5Bredacted%(?:25)*20[a-z]+%(?:25)*20[0-9]+%(?:25)*5D|\{any\}|\{base\}|%(?:25)*7Bbase%(?:25)*7D/#
  }

  /// The fields and cookies of a request that say who asks, with their values: credentials, and what an answer has handed out.
  func identities(in request: RecordedExchange.Request) -> [Identity: String] {
    var found: [Identity: String] = [:]
    for field in request.headers.lines {
      if field.name.isCookie {
        for (name, value) in OpenText.cookies(of: field.value) where isHandedOut(value) {
          found[Identity(isCookie: true, name: name)] = value
        }
      } else if field.name.lowercased() == "authorization" || isHandedOut(field.value) {
        found[Identity(isCookie: false, name: field.name.lowercased())] = field.value
      }
    }
    return found
  }
}

extension StubResponse {
  /// A recorded answer to a request with a method.
  ///
  /// - Parameter epoch: The epoch that follows it; 0 if it changes nothing.
  package init(_ answer: RecordedExchange.Answer, to method: String, followedBy epoch: Int) {
    // RFC 9110 8.6: the length in an answer to HEAD is that of the body that isn't sent.
    let isHead = method == "HEAD" && answer.body.isEmpty
    let fields = answer.headers.lines.filter { $0.canBeSent || isHead && $0.isLength }
    self.init(
      status: answer.status, headers: MessageHeaders(lines: fields),
      content: answer.body.isEmpty ? .empty : .data(answer.body, type: nil))
    nextEpoch = epoch
  }
}
