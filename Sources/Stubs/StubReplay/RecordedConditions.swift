import Foundation
import TrackingModel
import TrackingPatterns

/// The conditions of a replay on an exchange's request; exchanges with equal conditions are a sequence.
package struct RecordedConditions: Hashable {
  fileprivate let method: String
  package let path: StubPath
  fileprivate var host: ValueMatcher?
  fileprivate var query: QueryCondition?
  fileprivate var fields: [String: ValueMatcher] = [:]
  fileprivate var cookies: [String: ValueMatcher] = [:]
  fileprivate var body: BodyCondition?

  fileprivate static let validators = ["If-None-Match", "If-Modified-Since"]

  var withoutValidators: RecordedConditions {
    changed(self) { conditions in Self.validators.forEach { conditions.fields[$0] = nil } }
  }

  /// The number of literal characters of a path with `{any}`; 0 for any other path.
  var openPathLength: Int {
    if case .regex(let pattern) = path.form { pattern.replacing(".+", with: "").count } else { 0 }
  }

  package var pattern: RequestPattern {
    RequestPattern.request(.get, path, host: host, query: query, headers: fields, cookies: cookies, body: body)
      .with(sentMethod: .init(rawValue: method))
  }
}

extension BackendRecording {
  /// The conditions on each exchange's request.
  ///
  /// Placeholders match any value. Placeholders of values from earlier responses are compared where that distinguishes requests: in queries and in
  /// the fields that ``matching`` names. Of credentials only the presence is compared, if some requests have them and others don't.
  package var conditions: [RecordedConditions] {
    var all = conditions(comparing: [])
    let (handedOut, backendCookies) = (handedOut, backendCookies)
    let exact = handedOut.isEmpty ? all : conditions(comparing: handedOut)
    for group in Dictionary(grouping: all.indices, by: { all[$0] }).values {
      if Set(group.map { exact[$0] }).count > 1 { for index in group { all[index] = exact[index] } }
      let guests = setAbsent(in: group, &all) { $0.credentials(backendCookies.contains) }
      // A guest may have cookies of the app's own.
      _ = setAbsent(in: guests, &all) { $0.credentials { !backendCookies.contains($0) } }
    }
    return all
  }

  /// Requires that requests without credentials have none of those that others of their group have; returns these requests.
  private func setAbsent(
    in group: [Int], _ all: inout [RecordedConditions],
    _ credentials: (RecordedExchange.Request) -> (field: String?, cookies: [String])
  ) -> [Int] {
    let found = group.map { credentials(exchanges[$0].request) }
    let (fields, cookies) = (Set(found.compactMap(\.field)), Set(found.flatMap(\.cookies)))
    let guests = zip(group, found).filter { $1.field == nil && $1.cookies.isEmpty }.map(\.0)
    for index in guests {
      for name in fields { all[index].fields[name] = .absent }
      for name in cookies { all[index].cookies[name] = .absent }
    }
    return guests
  }

  /// The conditions without regard to credentials.
  ///
  /// A query or a named field must have the `compared` placeholders; all others match any value.
  package func conditions(comparing compared: Set<String>) -> [RecordedConditions] {
    let templates = paths.map { StubPath.template($0) }
    let paths = exchanges.map { exchange in
      templates.first { $0.matches(exchange.request.path) } ?? exchange.request.pathPattern
    }
    let groups = Dictionary(grouping: exchanges.indices) {
      PathKey(method: exchanges[$0].request.method, path: paths[$0])
    }
    var conditions = [RecordedConditions?](repeating: nil, count: exchanges.count)
    for (key, group) in groups {
      let variety = Variety(group.map { exchanges[$0] })
      for index in group {
        conditions[index] = self.conditions(of: exchanges[index].request, key, variety, comparing: compared)
      }
    }
    return conditions.compactMap(\.self)
  }

  private struct PathKey: Hashable {
    let method: String
    let path: StubPath
  }

  private struct Variety {
    let hasOrigins: Bool
    let hasBodies: Bool
    /// Unnamed fields that responses depend on.
    var fields: [String] = []

    init(_ exchanges: [RecordedExchange]) {
      func differs(_ part: (RecordedExchange.Request) -> some Equatable) -> Bool {
        exchanges.contains { part($0.request) != part(exchanges[0].request) }
      }
      hasOrigins = differs(\.origin)
      hasBodies = exchanges.contains { !$0.request.body.isEmpty }
      if differs({ $0.headers["Accept-Language"] }) { fields.append("Accept-Language") }
      if exchanges.contains(where: { $0.response.status == 206 }) { fields.append("Range") }
      // Also for full responses: a later one must come before the 304 to the same validators.
      if exchanges.contains(where: { $0.response.status == 304 }) { fields += RecordedConditions.validators }
    }
  }

  private func conditions(
    of request: RecordedExchange.Request, _ key: PathKey, _ variety: Variety, comparing compared: Set<String>
  ) -> RecordedConditions {
    var conditions = RecordedConditions(method: key.method, path: key.path)
    if variety.hasOrigins { conditions.host = host(of: request.origin) }
    conditions.query = Self.matchers(of: ReceivedFields(request.query ?? ""), comparing: compared).map { .exact($0) }
    for name in variety.fields {
      if let value = request.headers[name] { conditions.fields[name] = .equal(to: value) }
    }
    func matcher(_ text: String) -> ValueMatcher {
      OpenText.matcher(of: text, comparing: compared) ?? .equal(to: text)
    }
    for name in matching {
      guard name.lowercased() == "cookie" else {
        conditions.fields[name] = request.headers[name].map(matcher) ?? .absent
        continue
      }
      for (name, value) in OpenText.cookies(of: request.headers["Cookie"] ?? "") {
        conditions.cookies[name] = matcher(value)
      }
    }
    if variety.hasBodies { conditions.body = request.bodyCondition }
    return conditions
  }

  /// The hosts of requests to a backend: those that its requests were routed by, and its own, for an app that connects to it directly.
  ///
  /// A backend that is chosen by path has all hosts that don't belong to another backend.
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

  /// Fields by name, with a list of values for a repeated name; `nil` if a name is open.
  fileprivate static func matchers(
    of fields: ReceivedFields, comparing compared: Set<String> = []
  ) -> [String: ValueMatcher]? {
    guard !fields.pairs.contains(where: { OpenText.isOpen($0.name) }) else { return nil }
    return Dictionary(grouping: fields.pairs, by: \.name).mapValues { pairs in
      let value: TrackingValue =
        pairs.count == 1 ? .string(pairs[0].value) : .array(pairs.map { .string($0.value) })
      return ValueMatcher(equalTo: value) { OpenText.matcher(of: $0, comparing: compared) }
    }
  }
}

extension RecordedExchange.Request {
  fileprivate func credentials(_ counts: (String) -> Bool) -> (field: String?, cookies: [String]) {
    (
      headers["Authorization"] == nil ? nil : "Authorization",
      OpenText.cookies(of: headers["Cookie"] ?? "").map(\.name).filter(counts)
    )
  }

  /// Segments are literal in any encoding, except that a placeholder matches any segment, and `{any}` also several.
  fileprivate var pathPattern: StubPath {
    let segments = (path.hasPrefix("/") ? path.dropFirst() : path[...])
      .split(separator: "/", omittingEmptySubsequences: false).map { PercentEncoding.decoded($0) }
    guard !segments.contains(where: { $0.contains(OpenText.any) }) else {
      let patterns = segments.map {
        if $0.contains(OpenText.any) { return ".+" }
        return OpenText.isOpen($0) ? "[^/]+" : NSRegularExpression.escapedPattern(for: $0)
      }
      return .regex("/" + patterns.joined(separator: "/"))
    }
    let parts = segments.enumerated().map { OpenText.isOpen($1) ? ":any\($0)" : Self.literal($1) }
    return .template("/" + parts.joined(separator: "/"))
  }

  /// Equal segments of a template have equal literals.
  private static func literal(_ segment: String) -> String {
    segment.utf8.enumerated().reduce(into: "") { text, byte in
      let (index, character) = (byte.offset, UnicodeScalar(byte.element))
      let isPlain = byte.element > 0x20 && byte.element < 0x7F && !"%*/?#{".unicodeScalars.contains(character)
      if isPlain, !(index == 0 && character == ":") {
        text.unicodeScalars.append(character)
      } else {
        text += String(decoding: PercentEncoding.encoded([byte.element]), as: UTF8.self)
      }
    }
  }

  /// The body as a replay reads it; `nil` if it isn't JSON.
  var json: TrackingValue? {
    let parsed = ParsedRequest(ReceivedRequest(method: "POST", path: "/", headers: headers, body: body))
    return body.isEmpty ? nil : try? parsed.exactJSON.get()
  }

  fileprivate var bodyCondition: BodyCondition? {
    let type = headers["Content-Type"] ?? ""
    if let parts = ReceivedPart.parts(of: body, type: type), !parts.contains(where: { OpenText.isOpen($0.name) }) {
      return .allParts(Dictionary(grouping: parts, by: \.name).mapValues { $0.map(\.condition) })
    }
    if let json {
      if case .string(let text) = json, OpenText.matcher(of: text) == .any { return nil }
      return .exactJSON(ValueMatcher(equalTo: json) { OpenText.matcher(of: $0) })
    }
    let fields = ReceivedFields(String(decoding: body, as: UTF8.self))
    if type.lowercased().hasPrefix("application/x-www-form-urlencoded"), ReceivedFields.isText(body),
      let matchers = BackendRecording.matchers(of: fields)
    {
      return .form(matchers)
    }
    // Other kinds of multipart have a new boundary in each request.
    let boundary = type.firstMatch(of: #/^multipart/.*boundary="?([^";]+)/#.ignoresCase())?.1 ?? ""
    let pieces = OpenText.pieces(of: [UInt8](body), boundary: Array(boundary.utf8))
    return body.isEmpty || pieces.contains { !$0.isEmpty } ? .pieces(pieces) : nil
  }
}

extension ReceivedPart {
  fileprivate var condition: PartCondition {
    let name = fileName.map { OpenText.matcher(of: $0) ?? .equal(to: $0) } ?? .absent
    return changed(PartCondition.file(named: name, type: .equal(to: type))) {
      $0.pieces = OpenText.pieces(of: [UInt8](data))
    }
  }
}
