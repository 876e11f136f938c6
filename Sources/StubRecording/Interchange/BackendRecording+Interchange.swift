import Foundation
import StubModel

extension BackendRecording {
  /// The recording without its secrets, for other tools' files.
  ///
  /// - Returns: The recording, and a check for secrets that are left in a file.
  public func redacted(by redaction: SecretRedaction) -> (recording: BackendRecording, secrets: RedactedExchanges) {
    var recording = self
    let redacted = redaction.redacted(exchanges)
    recording.exchanges = redacted.exchanges
    recording.redacted += redacted.positions.map { "\(redacted.exchanges[$0.exchange].request.line): \($0)" }
    return (recording, redacted)
  }
}

extension HTTPArchive {
  /// An archive of a recording, with the backends' own URLs in place of `{base}`.
  public init(_ recording: BackendRecording) {
    let exchanges = recording.numbered.map { exchange in
      var exchange = exchange
      let origin = exchange.request.origin
      exchange.answer.headers.fields = exchange.answer.headers.fields.map {
        HeaderFields.Field(name: $0.name, value: RecordedBase.filled($0.value, with: origin))
      }
      if RecordedBase.isText(exchange.answer.body, type: exchange.answer.headers["Content-Type"]) {
        exchange.answer.body = Data(RecordedBase.filled([UInt8](exchange.answer.body), with: origin))
      }
      return exchange
    }
    self.init(exchanges)
    for text in recording.redacted {
      guard let index = exchanges.firstIndex(where: { text.hasPrefix("\($0.request.line): ") }) else { continue }
      let place = text.dropFirst("\(exchanges[index].request.line): ".count)
      guard let end = place.range(of: ": [redacted ", options: .backwards) else { continue }
      positions.append(
        RedactedPosition(
          exchange: index, place: String(place[..<end.lowerBound]),
          placeholder: String(place[place.index(end.lowerBound, offsetBy: 2)...])))
    }
  }

  /// The archive as a recording, which can be replayed: the backends' URLs are `{base}`, and fields that concern one connection are removed.
  ///
  /// Secrets are replaced when it is written.
  public var recording: BackendRecording {
    var origins: [String] = []
    for exchange in exchanges where !origins.contains(exchange.request.origin) {
      origins.append(exchange.request.origin)
    }
    var recording = BackendRecording(upstreams: Self.upstreams(origins))
    recording.redacted = positions.map { "\(exchanges[$0.exchange].request.line): \($0)" }
    let rules = AnswerRules(origins: origins)
    recording.exchanges = exchanges.map { exchange in
      var exchange = exchange
      let dropped = ConnectionFields.of(exchange.request.headers)
      exchange.request.headers.fields.removeAll { dropped.contains($0.name.lowercased()) }
      exchange.answer = rules.applied(
        to: UpstreamClient.Answer(
          status: exchange.answer.status, headers: exchange.answer.headers, body: exchange.answer.body))
      return exchange
    }
    return recording
  }

  /// The first origin for all requests, and each other one for its host.
  private static func upstreams(_ origins: [String]) -> [String: String] {
    var upstreams: [String: String] = [:]
    for (index, origin) in origins.enumerated() {
      upstreams[index == 0 ? "/*" : URL(string: origin)?.host() ?? origin] = origin
    }
    return upstreams
  }
}

extension WireMockMappings {
  /// Makes a recording of the stubs that answer single requests: those with a method, a path, and exact values for query and body.
  ///
  /// - Parameter origin: The scheme, host and port of the backend.
  /// - Returns: The recording, and a note with the reason for everything that was left out.
  public func recording(of origin: String = "http://localhost:8080") -> (recording: BackendRecording, notes: [String]) {
    var recording = BackendRecording(upstreams: ["/*": origin])
    var notes: [String] = []
    for endpoint in endpoints {
      do {
        let (request, template) = try Self.request(endpoint, origin)
        if let template, !recording.paths.contains(template) { recording.paths.append(template) }
        for result in endpoint.results {
          recording.exchanges.append(
            RecordedExchange(request: request, answer: try Self.answer(result), date: Date(), epoch: 0))
        }
        if endpoint.results.contains(where: { $0.delay > 0 || $0.dribble != nil || $0.reason != nil }) {
          notes.append("\(endpoint): taken without delays and reason phrases, which a recording doesn't have")
        }
      } catch {
        notes.append("\(endpoint): left out: \(error)")
      }
    }
    let loose = endpoints.count { $0.query == .ignored }
    if loose > 0 {
      notes.append(
        "\(loose) \(loose == 1 ? "stub answers" : "stubs answer") any query, and in the recording only requests without one"
      )
    }
    return (recording, notes)
  }

  /// The request that a stub asks for, and the template of its path if it has params.
  private static func request(
    _ endpoint: StubEndpoint, _ origin: String
  ) throws(RecordingError) -> (RecordedExchange.Request, template: String?) {
    guard let method = endpoint.method else { throw RecordingError("it is for any method") }
    guard case .template(let template) = endpoint.path.form, !template.split(separator: "/").contains("*") else {
      throw RecordingError("its path isn't that of one request")
    }
    guard endpoint.headers.isEmpty, endpoint.cookies.isEmpty, endpoint.host == nil, endpoint.port == nil else {
      throw RecordingError("a recording compares no header fields, cookies and hosts")
    }
    let segments = template.split(separator: "/", omittingEmptySubsequences: false)
    let isTemplate = segments.contains { $0.hasPrefix(":") }
    let path = segments.map { $0.hasPrefix(":") ? $0.dropFirst() : $0 }.joined(separator: "/")
    var request = RecordedExchange.Request(method: method.rawValue, origin: origin, path: path)
    switch endpoint.query {
    case .ignored, .exact([:]): break
    case .exactItems(let fields): request.query = text(of: fields)
    case .exact(let items), .subset(let items):
      let fields = try items.sorted { $0.key < $1.key }.map { name, matcher throws(RecordingError) in
        guard let value = matcher.onlyText else { throw RecordingError("its query isn't that of one request") }
        return FormFields.Item(name: name, value: value)
      }
      request.query = text(of: FormFields(items: fields))
    }
    switch endpoint.body {
    case .ignored: break
    case .exact(let data): request.body = data
    case .text(let matcher):
      guard let text = matcher.onlyText else { throw RecordingError("its body isn't that of one request") }
      request.body = Data(text.utf8)
    case .json(let matcher):
      guard let value = matcher.onlyJSON else { throw RecordingError("its body isn't that of one request") }
      request.body = Data(value.description.utf8)
      request.headers.set("Content-Type", "application/json")
    case .jsonSubset, .form, .formSubset, .multipart: throw RecordingError("its body isn't that of one request")
    }
    return (request, isTemplate ? template : nil)
  }

  private static func text(of fields: FormFields) -> String {
    fields.items.map { item in
      [item.name, item.value].map { String(decoding: PercentText.encoded(Array($0.utf8)), as: UTF8.self) }
        .joined(separator: "=")
    }.joined(separator: "&")
  }

  private static func answer(_ result: StubResult) throws(RecordingError) -> RecordedExchange.Answer {
    guard result.fault == nil else { throw RecordingError("it answers with a fault") }
    guard case .data(let body, _) = result.content else { return .init(status: result.status, headers: result.headers) }
    return RecordedExchange.Answer(status: result.status, headers: result.headers, body: body)
  }
}

extension ValueMatcher {
  /// The only value that is accepted; `nil` if there are others.
  fileprivate var onlyJSON: TrackingValue? {
    guard let form = try? JSONNode(JSONEncoder().encode([self])).elements()[0], case .object(let members) = form.value
    else { return nil }
    return members["equal"]
  }
}
