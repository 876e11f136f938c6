import Foundation
import StubModel

extension WireMockMappings {
  /// Stubs as a mapping file of WireMock, for its folder `mappings`.
  ///
  /// Plain stubs only: conditions on path, query items, header fields, cookies and a body of text, JSON or a form, with answers that are data.
  ///
  /// - Returns: The file, and a note with the reason for everything that was left out.
  public static func file(of endpoints: [StubEndpoint]) -> (data: Data, notes: [String]) {
    var mappings: [TrackingValue] = []
    var notes: [String] = []
    for endpoint in endpoints {
      do {
        var writer = MappingWriter()
        mappings += try writer.mappings(of: endpoint)
        notes += writer.notes.map { "\(endpoint): \($0)" }
      } catch {
        notes.append("\(endpoint): left out: \(error.reason)")
      }
    }
    return (TrackingValue.object(["mappings": .array(mappings)]).prettyJSON(), notes)
  }
}

/// Writes a stub as one mapping, or as a scenario of several.
private struct MappingWriter {
  /// Why a stub isn't plain.
  struct NotPlain: Error {
    let reason: String
  }

  private(set) var notes: [String] = []

  mutating func mappings(of endpoint: StubEndpoint) throws(NotPlain) -> [TrackingValue] {
    if let code = endpoint.code { throw NotPlain(reason: code) }
    guard endpoint.times == .always else { throw NotPlain(reason: "it answers a limited number of times") }
    guard endpoint.epoch ?? 0 == 0 else { throw NotPlain(reason: "it answers only after other requests") }
    let request = try request(endpoint)
    var mappings: [TrackingValue] = []
    for (index, result) in endpoint.results.enumerated() {
      var mapping: [String: TrackingValue] = ["request": .object(request), "response": .object(try response(result))]
      if let name = endpoint.name { mapping["name"] = .string(name) }
      if endpoint.results.count > 1 {
        mapping["scenarioName"] = .string("\(endpoint)")
        mapping["requiredScenarioState"] = .string(state(index))
        if index + 1 < endpoint.results.count { mapping["newScenarioState"] = .string(state(index + 1)) }
      }
      mappings.append(.object(mapping))
    }
    return mappings
  }

  private func state(_ index: Int) -> String { index == 0 ? "Started" : "answer \(index + 1)" }

  // MARK: Requests

  private mutating func request(_ endpoint: StubEndpoint) throws(NotPlain) -> [String: TrackingValue] {
    var request: [String: TrackingValue] = ["method": .string(endpoint.method?.rawValue ?? "ANY")]
    switch endpoint.path.form {
    case .regex(let pattern): request["urlPathPattern"] = .string(pattern)
    case .template(let text): path(text, into: &request)
    }
    switch endpoint.query {
    case .ignored: break
    case .subset(let items): request["queryParameters"] = try matchers(items)
    case .exact(let items) where items.isEmpty && request["urlPath"] != nil:
      // WireMock's `url` includes the query, so this matches an empty one only.
      request["url"] = request.removeValue(forKey: "urlPath")
    case .exact(let items):
      request["queryParameters"] = try matchers(items)
      notes.append("it accepts other query items there")
    case .exactItems(let fields):
      var items: [String: TrackingValue] = [:]
      for name in Set(fields.items.map(\.name)) {
        let values = fields.values(of: name).map { TrackingValue.object(["equalTo": .string($0)]) }
        items[name] = values.count == 1 ? values[0] : ["hasExactly": .array(values)]
      }
      request["queryParameters"] = .object(items)
      notes.append("it accepts other query items there, in any order")
    }
    if !endpoint.headers.isEmpty { request["headers"] = try matchers(endpoint.headers) }
    if !endpoint.cookies.isEmpty { request["cookies"] = try matchers(endpoint.cookies) }
    if let host = endpoint.host { request["host"] = try matcher(host) }
    if let port = endpoint.port { request["port"] = .int(port) }
    if let scheme = endpoint.scheme { request["scheme"] = .string(scheme) }
    try body(endpoint.body, into: &request)
    return request
  }

  /// `/books/:id` is `/books/{id}`; a path with a star is a regular expression.
  private func path(_ template: String, into request: inout [String: TrackingValue]) {
    let segments = template.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
    if segments.contains("*") {
      let last = segments.count - 1
      let parts = segments.enumerated().map { index, segment in
        if segment == "*" { return index == last ? ".*" : "[^/]+" }
        return segment.hasPrefix(":") ? "[^/]+" : NSRegularExpression.escapedPattern(for: segment)
      }
      request["urlPathPattern"] = .string(parts.joined(separator: "/"))
    } else if segments.contains(where: { $0.hasPrefix(":") }) {
      request["urlPathTemplate"] = .string(
        segments.map { $0.hasPrefix(":") ? "{\($0.dropFirst())}" : $0 }.joined(separator: "/"))
    } else {
      request["urlPath"] = .string(template)
    }
  }

  private mutating func body(_ body: BodyCondition, into request: inout [String: TrackingValue]) throws(NotPlain) {
    switch body {
    case .ignored: break
    case .exact(let data): request["bodyPatterns"] = [["binaryEqualTo": .string(data.base64EncodedString())]]
    case .text(let text): request["bodyPatterns"] = [try matcher(text)]
    case .json(let json): request["bodyPatterns"] = [["equalToJson": try value(form(json))]]
    case .jsonSubset(let json):
      request["bodyPatterns"] = [["equalToJson": try value(form(json)), "ignoreExtraElements": true]]
    case .form(let fields):
      request["formParameters"] = try matchers(fields)
      notes.append("it accepts other form fields there")
    case .formSubset(let fields): request["formParameters"] = try matchers(fields)
    case .multipart: throw NotPlain(reason: "it has a condition on parts of a form")
    }
  }

  private func matchers(_ matchers: [String: ValueMatcher]) throws(NotPlain) -> TrackingValue {
    var values: [String: TrackingValue] = [:]
    for (name, matcher) in matchers { values[name] = try self.matcher(matcher) }
    return .object(values)
  }

  private func matcher(_ matcher: ValueMatcher) throws(NotPlain) -> TrackingValue {
    try text(form(matcher), of: matcher)
  }

  /// The form in which a matcher is handed over to another process.
  private func form(_ matcher: ValueMatcher) throws(NotPlain) -> TrackingValue {
    do {
      return try JSONNode(JSONEncoder().encode([matcher])).elements()[0].value
    } catch {
      throw NotPlain(reason: "its condition \"\(matcher)\" has no counterpart")
    }
  }

  /// A matcher of a text by its form.
  private func text(_ form: TrackingValue, of matcher: ValueMatcher) throws(NotPlain) -> TrackingValue {
    switch form {
    case "any": return ["matches": "(?s).*"]
    case "absent": return ["absent": true]
    case .object(let members):
      switch (members.first?.key, members.first?.value) {
      case ("equal", .string(let text)): return ["equalTo": .string(text)]
      case ("containsText", .string(let text)): return ["contains": .string(text)]
      case ("prefix", .string(let text)):
        return ["matches": .string("(?s)\(NSRegularExpression.escapedPattern(for: text)).*")]
      case ("suffix", .string(let text)):
        return ["matches": .string("(?s).*\(NSRegularExpression.escapedPattern(for: text))")]
      case ("matches", .string(let pattern)): return ["matches": .string(pattern)]
      case ("not", let inner?): return ["not": try text(inner, of: matcher)]
      case ("one", .array(let forms)):
        return ["or": .array(try forms.map { form throws(NotPlain) in try text(form, of: matcher) })]
      case ("all", .array(let forms)):
        return ["and": .array(try forms.map { form throws(NotPlain) in try text(form, of: matcher) })]
      default: break
      }
    default: break
    }
    throw NotPlain(reason: "its condition \"\(matcher)\" has no counterpart")
  }

  /// JSON that a matcher's form accepts, with placeholders of JsonUnit for what may be anything.
  private func value(_ form: TrackingValue) throws(NotPlain) -> TrackingValue {
    switch form {
    case "any": return "${json-unit.ignore-element}"
    case .object(let members):
      switch (members.first?.key, members.first?.value) {
      case ("equal", let value?): return value
      case ("elements", .array(let forms)): return .array(try forms.map { form throws(NotPlain) in try value(form) })
      case ("members", .object(let forms)):
        var values: [String: TrackingValue] = [:]
        for (name, form) in forms { values[name] = try value(form) }
        return .object(values)
      default: break
      }
    default: break
    }
    throw NotPlain(reason: "its condition on JSON isn't a value")
  }

  // MARK: Answers

  private func response(_ result: StubResult) throws(NotPlain) -> [String: TrackingValue] {
    if result.errorCode != nil { throw NotPlain(reason: "it answers with an error of the app's URL loading") }
    if result.gate != nil || result.bodyStart != nil { throw NotPlain(reason: "its answer waits for the test") }
    var response: [String: TrackingValue] = ["status": .int(result.status)]
    if let reason = result.reason { response["statusMessage"] = .string(reason) }
    var headers: [String: TrackingValue] = [:]
    for name in Set(result.headers.fields.map(\.name)) {
      let values = result.headers.fields.filter { $0.name == name }.map { TrackingValue.string($0.value) }
      headers[name] = values.count == 1 ? values[0] : .array(values)
    }
    switch result.content {
    case .empty: break
    case .data(let data, let type):
      let text = String(decoding: data, as: UTF8.self)
      let isText = text.utf8.elementsEqual(data)
      response[isText ? "body" : "base64Body"] = .string(isText ? text : data.base64EncodedString())
      if let type, result.headers["Content-Type"] == nil { headers["Content-Type"] = .string(type) }
    case .file, .folder: throw NotPlain(reason: "its answer is a file")
    case .stream: throw NotPlain(reason: "its answer is a stream of the test")
    case .invalid(let reason): throw NotPlain(reason: reason)
    }
    if !headers.isEmpty { response["headers"] = .object(headers) }
    if result.delay > 0 { response["fixedDelayMilliseconds"] = .int(Int((result.delay * 1_000).rounded())) }
    if let dribble = result.dribble {
      response["chunkedDribbleDelay"] = [
        "numberOfChunks": .int(dribble.pieces), "totalDuration": .int(Int((dribble.duration * 1_000).rounded())),
      ]
    }
    if let fault = result.fault {
      guard let name = ReadMapping.faults.first(where: { $0.value == fault })?.key else {
        throw NotPlain(reason: "its fault (\(fault)) has no counterpart")
      }
      response["fault"] = .string(name)
    }
    return response
  }
}
