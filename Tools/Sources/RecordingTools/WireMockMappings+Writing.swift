import Foundation
@_spi(TrackingCommand) import StubRecording

extension WireMockMappings {
  /// A recording as a mapping file of WireMock, for its folder `mappings`.
  ///
  /// - Returns: The file, and a note with the reason for each part that was left out or changed.
  public static func file(of recording: BackendRecording) -> (data: Data, notes: [String]) {
    var writer = MappingWriter(recording)
    let mappings = writer.mappings()
    return (JSONTree(of: ["mappings": .array(mappings)]).file, writer.notes)
  }
}

/// Writes the exchanges of each request as one mapping, or as a scenario of several.
private struct MappingWriter {
  private let recording: BackendRecording
  private let exchanges: [RecordedExchange]
  private(set) var notes: [String] = []

  init(_ recording: BackendRecording) {
    self.recording = recording
    exchanges = recording.exported
  }

  mutating func mappings() -> [TrackingValue] {
    var groups: [(request: TrackingValue, exchanges: [RecordedExchange])] = []
    for exchange in exchanges {
      let request = request(exchange)
      if let index = groups.firstIndex(where: { $0.request == request }) {
        groups[index].exchanges.append(exchange)
      } else {
        groups.append((request, [exchange]))
        note(exchange)
      }
    }
    return groups.flatMap { mappings($0.request, $0.exchanges) }
  }

  private mutating func mappings(_ request: TrackingValue, _ exchanges: [RecordedExchange]) -> [TrackingValue] {
    let first = exchanges[0]
    var answered = exchanges
    if ["GET", "HEAD", "OPTIONS"].contains(first.request.method) {
      answered = exchanges.filter { $0.epoch == first.epoch }
      if let later = exchanges.first(where: { $0.epoch != first.epoch && $0.answer != answered.last?.answer }) {
        notes.append("\(later.request.line): left out: it answers only after other requests")
      }
    }
    var answers = answered.map(\.answer)
    // The last answer repeats.
    while answers.count > 1, answers[answers.count - 1] == answers[answers.count - 2] { answers.removeLast() }
    return answers.enumerated().map { index, answer in
      var mapping: [String: TrackingValue] = ["request": request, "response": Self.response(answer)]
      if answers.count > 1 {
        mapping["scenarioName"] = .string(first.request.line)
        mapping["requiredScenarioState"] = .string(Self.state(index))
        if index + 1 < answers.count { mapping["newScenarioState"] = .string(Self.state(index + 1)) }
      }
      return .object(mapping)
    }
  }

  private static func state(_ index: Int) -> String { index == 0 ? "Started" : "answer \(index + 1)" }

  // MARK: Requests

  private func request(_ exchange: RecordedExchange) -> TrackingValue {
    let asked = exchange.request
    var request: [String: TrackingValue] = ["method": .string(asked.method)]
    let path = recording.template(of: exchange)
    if path != asked.path || Self.isOpen(path) {
      let segments = path.split(separator: "/", omittingEmptySubsequences: false).enumerated().map { index, segment in
        segment.hasPrefix(":")
          ? "{\(segment.dropFirst())}" : Self.isOpen(String(segment)) ? "{any\(index)}" : String(segment)
      }
      request["urlPathTemplate"] = .string(segments.joined(separator: "/"))
    } else {
      // Unlike `urlPath`, it includes the query.
      request[asked.query == nil ? "url" : "urlPath"] = .string(path)
    }
    if let query = asked.query { request["queryParameters"] = Self.matchers(FormFields(query)) }
    if Set(exchanges.map(\.request.origin)).count > 1, let host = URL(string: asked.origin)?.host {
      request["host"] = ["equalTo": .string(host)]
    }
    let rivals = exchanges.filter { $0.request.method == asked.method && recording.template(of: $0) == path }
    var names = recording.headers
    if Set(rivals.map { $0.request.headers["Accept-Language"] }).count > 1 { names.append("Accept-Language") }
    let fields = names.compactMap { name in asked.headers[name].map { (name, Self.matcher($0)) } }
    if !fields.isEmpty { request["headers"] = .object(Dictionary(fields) { $1 }) }
    if Set(rivals.map(\.request.body)).count > 1 { Self.compare(asked, in: &request) }
    return .object(request)
  }

  private mutating func note(_ exchange: RecordedExchange) {
    if exchange.request.query != nil {
      notes.append("\(exchange.request.line): it accepts other query items there")
    } else if recording.template(of: exchange) != exchange.request.path {
      notes.append("\(exchange.request.line): it accepts any query there")
    }
  }

  private static func compare(_ asked: RecordedExchange.Request, in request: inout [String: TrackingValue]) {
    let text = String(decoding: asked.body, as: UTF8.self)
    if let json = try? JSONTree(json: asked.body).value {
      request["bodyPatterns"] = [["equalToJson": opened(json)]]
    } else if asked.headers["Content-Type"]?.lowercased().hasPrefix("application/x-www-form-urlencoded") == true {
      request["formParameters"] = matchers(FormFields(text))
    } else if !text.utf8.elementsEqual(asked.body) {
      request["bodyPatterns"] = [["binaryEqualTo": .string(asked.body.base64EncodedString())]]
    } else {
      request["bodyPatterns"] = [matcher(text)]
    }
  }

  private static func matchers(_ fields: FormFields) -> TrackingValue {
    var items: [String: TrackingValue] = [:]
    for name in Set(fields.items.map(\.name)) {
      let values = fields.values(of: name).map(matcher)
      items[name] = values.count == 1 ? values[0] : ["hasExactly": .array(values)]
    }
    return .object(items)
  }

  private static func matcher(_ text: String) -> TrackingValue {
    isOpen(text) ? ["matches": "(?s).*"] : ["equalTo": .string(text)]
  }

  /// JSON with JsonUnit's placeholder for each text that stands for any value.
  private static func opened(_ value: TrackingValue) -> TrackingValue {
    switch value {
    case .string(let text) where isOpen(text): "${json-unit.ignore-element}"
    case .array(let values): .array(values.map(opened))
    case .object(let members): .object(members.mapValues(opened))
    default: value
    }
  }

  private static func isOpen(_ text: String) -> Bool { RecordedExchange.Request.isOpen(text) }

  // MARK: Answers

  private static func response(_ answer: RecordedExchange.Answer) -> TrackingValue {
    var response: [String: TrackingValue] = ["status": .int(answer.status)]
    var headers: [String: TrackingValue] = [:]
    for name in Set(answer.headers.fields.map(\.name)) {
      let values = answer.headers.fields.filter { $0.name == name }.map { TrackingValue.string($0.value) }
      headers[name] = values.count == 1 ? values[0] : .array(values)
    }
    if !headers.isEmpty { response["headers"] = .object(headers) }
    guard !answer.body.isEmpty else { return .object(response) }
    let text = String(decoding: answer.body, as: UTF8.self)
    let isText = text.utf8.elementsEqual(answer.body)
    response[isText ? "body" : "base64Body"] = .string(isText ? text : answer.body.base64EncodedString())
    return .object(response)
  }
}
