import Foundation
import StubRecording

/// The reason for leaving a mapping out.
struct Untranslatable: Error, CustomStringConvertible {
  let node: JSONNode
  private let reason: String

  init(_ node: JSONNode, _ reason: String) {
    (self.node, self.reason) = (node, reason)
  }

  /// The path and the reason.
  var description: String { "\(node.path) \(reason)" }
}

/// A mapping of WireMock as the one request that it answers, and the answer.
struct ReadMapping {
  struct Scenario {
    let name: String
    let required: String?
    let next: String?
  }

  let node: JSONNode
  let priority: Int
  let scenario: Scenario?
  private(set) var request: RecordedExchange.Request
  /// The template of the path, if it has params.
  let template: String?
  let answersAnyQuery: Bool
  let answer: RecordedExchange.Answer
  private(set) var notes: [String] = []

  /// - Throws: `RecordingError` for JSON that isn't a mapping, ``Untranslatable`` for a mapping that a recording can't express.
  init(_ node: JSONNode, files: URL?, origin: String) throws {
    self.node = node
    priority = try node["priority"]?.integer() ?? 5
    scenario = try node["scenarioName"].map { name in
      Scenario(
        name: try name.string(), required: try node["requiredScenarioState"]?.string(),
        next: try node["newScenarioState"]?.string())
    }
    let asked = try node.member("request")
    try Self.refuse(node, unless: Self.mappingMembers.union(Self.afterwards))
    try Self.refuse(asked, unless: Self.requestMembers)
    let target = try Target(asked)
    template = target.template
    answersAnyQuery = try target.query == nil && asked["url"] == nil
    let body = try RequestBody(asked)
    request = RecordedExchange.Request(
      method: "GET", origin: origin, path: target.path, query: target.query, headers: body.headers, body: body.data)
    let method = try asked["method"]?.string() ?? "ANY"
    if method == "ANY" {
      request.method = body.data.isEmpty ? "GET" : "POST"
      let place = try asked["method"] ?? asked
      notes.append("\(place.error("it answers any method; taken as \(request.method)"))")
    } else {
      request.method = method
    }
    let response = try node["response"]
    answer = try response.map { try RecordedExchange.Answer(response: $0, files: files) } ?? .init()
    for name in Self.afterwards where try !(node[name]?.elements() ?? []).isEmpty {
      notes.append("\(try node.member(name).error("left out; the rest was taken"))")
    }
    for name in RecordedExchange.Answer.times {
      if let part = try response?[name] { notes.append("\(part.error("left out; the rest was taken"))") }
    }
  }

  private static let mappingMembers: Set = [
    "id", "uuid", "name", "priority", "persistent", "request", "response", "scenarioName", "requiredScenarioState",
    "newScenarioState", "metadata", "insertionIndex",
  ]
  private static let afterwards = ["postServeActions", "serveEventListeners"]
  private static let requestMembers: Set = [
    "method", "url", "urlPath", "urlPathTemplate", "pathParameters", "queryParameters", "bodyPatterns",
    "formParameters",
  ]

  /// Refuses members that aren't known: each may be a condition, or change the answer.
  fileprivate static func refuse(_ node: JSONNode, unless known: Set<String>) throws {
    for (name, member) in try node.members() where !known.contains(name) && member.value != .null {
      throw Untranslatable(member, "has no counterpart")
    }
  }

  /// The mappings of a scenario in the order of their answers; `nil` if they answer several requests, or if a state leads back.
  static func sequence(_ mappings: [ReadMapping]) -> [ReadMapping]? {
    // A mapping without a required state answers in every state.
    if mappings.count == 1, mappings[0].scenario?.required == nil { return mappings }
    var (rest, sequence): ([ReadMapping], [ReadMapping]) = (mappings, [])
    var state: String? = "Started"
    while let current = state {
      let next = rest.indices.filter { rest[$0].scenario?.required == current }
      guard next.count == 1 else { return nil }
      let mapping = rest.remove(at: next[0])
      guard mapping.request == mappings[0].request else { return nil }
      sequence.append(mapping)
      state = mapping.scenario?.next == current ? nil : mapping.scenario?.next
    }
    return rest.isEmpty ? sequence : nil
  }
}

// MARK: - Requests

/// The path and the query that a mapping asks for.
private struct Target {
  private(set) var path: String
  private(set) var template: String?
  private(set) var query: String?

  init(_ request: JSONNode) throws {
    if let url = try request["url"] {
      let parts = try url.string().split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
      path = parts.first.map(String.init) ?? "/"
      query = parts.count > 1 ? String(parts[1]) : nil
      return
    }
    if let node = try request["urlPath"] {
      path = try node.string()
    } else if let node = try request["urlPathTemplate"] {
      let segments = try Self.segments(of: try node.string(), try request["pathParameters"])
      path = segments.map(\.name).joined(separator: "/")
      if segments.contains(where: \.isParam) {
        template = segments.map { $0.isParam ? ":\($0.name)" : $0.name }.joined(separator: "/")
      }
    } else {
      throw Untranslatable(request, "has no path of a single request")
    }
    let items = try request["queryParameters"]?.members().flatMap { name, node in
      try node.values().map { "\(name.percentEncoded)=\($0.percentEncoded)" }
    }
    query = items?.joined(separator: "&")
  }

  /// The segments of `/contacts/{id}`; a param with a single value is that value.
  private static func segments(
    of text: String, _ params: JSONNode?
  ) throws -> [(name: String, isParam: Bool)] {
    try text.split(separator: "/", omittingEmptySubsequences: false).map { segment in
      guard segment.hasPrefix("{"), segment.hasSuffix("}") else { return (String(segment), false) }
      let name = String(segment.dropFirst().dropLast())
      guard let param = try params?[name] else { return (name, true) }
      return (try param.values()[0].percentEncoded, false)
    }
  }
}

/// The body that a mapping asks for.
private struct RequestBody {
  private(set) var data = Data()
  private(set) var headers = HeaderFields()

  init(_ request: JSONNode) throws {
    let patterns = try request["bodyPatterns"]?.elements() ?? []
    if let form = try request["formParameters"] {
      guard patterns.isEmpty else { throw Untranslatable(form, "can't be asked for beside bodyPatterns") }
      let items = try form.members().flatMap { name, node in
        try node.values().map { "\(name.percentEncoded)=\($0.percentEncoded)" }
      }
      data = Data(items.joined(separator: "&").utf8)
      headers["Content-Type"] = "application/x-www-form-urlencoded"
    } else if let pattern = patterns.first {
      guard patterns.count == 1 else { throw Untranslatable(pattern, "is one of several body patterns") }
      if let node = try pattern["binaryEqualTo"] {
        data = try node.base64()
      } else if let node = try pattern["equalToJson"] {
        data = Data(try Self.json(node, pattern).description.utf8)
        headers["Content-Type"] = "application/json"
      } else {
        data = Data(try pattern.values()[0].utf8)
      }
    }
  }

  private static func json(_ node: JSONNode, _ pattern: JSONNode) throws -> TrackingValue {
    for name in ["ignoreExtraElements", "ignoreArrayOrder"] {
      guard let flag = try pattern[name], try flag.boolean() else { continue }
      throw Untranslatable(flag, "has no counterpart: a recording compares the whole body")
    }
    guard case .string(let text) = node.value else { return node.value }
    do {
      return try JSONNode(Data(text.utf8)).value
    } catch {
      throw node.error("it isn't JSON: \(error)")
    }
  }
}

extension JSONNode {
  /// The values of WireMock's matcher that accepts a single text, or a list of such texts.
  fileprivate func values() throws -> [String] {
    if let list = try self["hasExactly"] { return try list.elements().flatMap { try $0.values() } }
    guard let text = try self["equalTo"], try members().count == 1 else {
      throw Untranslatable(self, "isn't a single value")
    }
    return [try text.string()]
  }
}

extension String {
  /// The text with everything but unreserved characters encoded (RFC 3986 2.3).
  fileprivate var percentEncoded: String {
    addingPercentEncoding(
      withAllowedCharacters: CharacterSet(
        charactersIn: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~"))
      ?? self
  }
}

// MARK: - Answers

extension RecordedExchange.Answer {
  /// The members of a response that say when it is sent, which a recording doesn't have.
  fileprivate static let times = [
    "fixedDelayMilliseconds", "delayDistribution", "chunkedDribbleDelay", "statusMessage",
  ]
  private static let members: Set = [
    "status", "headers", "body", "jsonBody", "base64Body", "bodyFileName", "transformers", "transformerParameters",
  ]

  fileprivate init(response: JSONNode, files: URL?) throws {
    try ReadMapping.refuse(response, unless: Self.members.union(Self.times))
    for transformer in try response["transformers"]?.elements() ?? [] {
      throw Untranslatable(transformer, "computes the answer (\(try transformer.string()))")
    }
    self.init(status: try response["status"]?.integer() ?? 200)
    for (name, node) in try response["headers"]?.members() ?? [] {
      let values = node.isArray ? try node.elements() : [node]
      for value in values { headers.fields.append((name, try value.string())) }
    }
    body = try Self.content(response, files: files)
  }

  private static func content(_ response: JSONNode, files: URL?) throws -> Data {
    if let body = try response["body"] { return Data(try body.string().utf8) }
    if let body = try response["base64Body"] { return try body.base64() }
    // `null` is valid JSON content.
    if let body = try response.members().first(where: { $0.name == "jsonBody" })?.node {
      return Data(body.value.description.utf8)
    }
    guard let node = try response["bodyFileName"] else { return Data() }
    guard let files else { throw Untranslatable(node, "needs the folder __files") }
    let name = try node.string()
    let file = files.appendingPathComponent(name).standardizedFileURL
    guard file.path.hasPrefix("\(files.standardizedFileURL.path)/") else {
      throw Untranslatable(node, "names a file outside of the folder __files")
    }
    do {
      return try Data(contentsOf: file)
    } catch {
      throw Untranslatable(node, "names a file that can't be read: \(name)")
    }
  }
}
