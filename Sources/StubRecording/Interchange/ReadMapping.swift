import Foundation
import StubModel

/// Why a mapping can't be a stub.
struct Untranslatable: Error, CustomStringConvertible {
  let description: String

  init(_ node: JSONNode, _ reason: String) {
    description = "\(node.path) \(reason)"
  }
}

/// A mapping as a stub, with notes on what was left out.
struct ReadMapping {
  struct Scenario {
    let name: String
    let required: String?
    let next: String?
  }

  let node: JSONNode
  let priority: Int
  let scenario: Scenario?
  private(set) var endpoint: StubEndpoint
  private(set) var notes: [String] = []

  /// - Throws: `RecordingError` for what isn't a mapping, ``Untranslatable`` for what a stub can't express.
  init(_ node: JSONNode, files: StubFolder?) throws {
    self.node = node
    priority = try node["priority"]?.integer() ?? 5
    scenario = try node["scenarioName"].map { name in
      Scenario(
        name: try name.string(), required: try node["requiredScenarioState"]?.string(),
        next: try node["newScenarioState"]?.string())
    }
    let response = try node["response"]
    endpoint = try Self.conditions(try node.member("request"))
    endpoint.name = try node["name"]?.string()
    endpoint.results = [try response.map { try Self.result($0, files: files) } ?? .ok]
    try Self.refuse(
      node, unless: Self.mappingMembers.union(["postServeActions", "serveEventListeners"]), "has no counterpart")
    for name in ["postServeActions", "serveEventListeners"] where try !(node[name]?.elements() ?? []).isEmpty {
      notes.append("\(try node.member(name).error("left out; the rest was taken"))")
    }
    if let priority = try node["priority"] {
      notes.append("\(priority.error("only decides between stubs with equally specific conditions"))")
    }
    if let delay = try response?["delayDistribution"] {
      notes.append("\(delay.error("left out; the rest was taken"))")
    }
  }

  private static let mappingMembers: Set = [
    "id", "uuid", "name", "priority", "persistent", "request", "response", "scenarioName", "requiredScenarioState",
    "newScenarioState", "metadata", "insertionIndex",
  ]

  /// Refuses members that aren't known: each may be a condition, or change the answer.
  private static func refuse(_ node: JSONNode, unless known: Set<String>, _ reason: String) throws {
    for (name, member) in try node.members() where !known.contains(name) && member.value != .null {
      throw Untranslatable(member, reason)
    }
  }
}

// MARK: - Requests

extension ReadMapping {
  private static func conditions(_ request: JSONNode) throws -> StubEndpoint {
    try refuse(
      request,
      unless: [
        "method", "url", "urlPath", "urlPattern", "urlPathPattern", "urlPathTemplate", "pathParameters",
        "queryParameters", "headers", "cookies", "basicAuthCredentials", "bodyPatterns", "formParameters", "host",
        "port", "scheme",
      ], "has no counterpart")
    let (path, query) = try target(request)
    var endpoint = StubEndpoint(path, [])
    let method = try request["method"]?.string() ?? "ANY"
    endpoint.method = method == "ANY" ? nil : StubEndpoint.Method(rawValue: method)
    endpoint.query = try query ?? request["queryParameters"].map { .subset(try matchers($0)) } ?? .ignored
    endpoint.headers = try request["headers"].map(matchers) ?? [:]
    endpoint.cookies = try request["cookies"].map(matchers) ?? [:]
    endpoint.host = try request["host"].map(matcher)
    endpoint.port = try request["port"]?.integer()
    endpoint.scheme = try request["scheme"]?.string()
    if let basic = try request["basicAuthCredentials"] {
      let credentials = "\(try basic.member("username").string()):\(try basic.member("password").string())"
      endpoint.headers["Authorization"] = .equal(to: "Basic \(Data(credentials.utf8).base64EncodedString())")
    }
    let patterns = try request["bodyPatterns"]?.elements() ?? []
    if let form = try request["formParameters"] {
      guard patterns.isEmpty else { throw Untranslatable(form, "can't be asked for beside bodyPatterns") }
      endpoint.body = .formSubset(try matchers(form))
    } else if !patterns.isEmpty {
      endpoint.body = try WireMockMatcher.body(patterns)
    }
    return endpoint
  }

  /// The path, and the condition on the query that a whole URL includes.
  private static func target(_ request: JSONNode) throws -> (StubPath, QueryCondition?) {
    if let node = try request["url"] {
      let parts = try node.string().split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
      let query = parts.count > 1 ? QueryCondition.exactItems(FormFields(String(parts[1]))) : .exact([:])
      return (literal(String(parts.first ?? "")), query)
    }
    if let node = try request["urlPath"] { return (literal(try node.string()), nil) }
    if let node = try request["urlPathPattern"] { return (try regex(try node.string(), node), nil) }
    if let node = try request["urlPattern"] {
      // WireMock matches it against path and query together. Without a question mark it can only describe the path.
      let parts = try node.string().split(separator: "\\?", maxSplits: 1, omittingEmptySubsequences: false)
      guard parts.count == 1 || parts[1] == ".*" || parts[1] == ".+" else {
        throw Untranslatable(node, "has a regular expression for the query; conditions on single items can be taken")
      }
      return (try regex(String(parts[0]), node), parts.count == 1 || parts[1] == ".*" ? nil : .ignored)
    }
    guard let node = try request["urlPathTemplate"] else { return ("/*", nil) }
    return (try template(try node.string(), try request["pathParameters"]), nil)
  }

  /// A path without params and wildcards.
  private static func literal(_ path: String) -> StubPath {
    .template(
      path.isEmpty ? "/" : path.replacingOccurrences(of: "/:", with: "/%3A").replacingOccurrences(of: "*", with: "%2A"))
  }

  private static func regex(_ pattern: String, _ node: JSONNode) throws -> StubPath {
    guard (try? NSRegularExpression(pattern: pattern)) != nil else {
      throw Untranslatable(node, "isn't a regular expression here")
    }
    return .regex(pattern)
  }

  /// `/contacts/{id}` is `/contacts/:id`, and a literal segment where the mapping asks for a value.
  private static func template(_ text: String, _ parameters: JSONNode?) throws -> StubPath {
    let segments = try text.split(separator: "/", omittingEmptySubsequences: false).map { segment -> String in
      guard segment.hasPrefix("{"), segment.hasSuffix("}") else {
        return segment.hasPrefix(":") ? "%3A\(segment.dropFirst())" : segment.replacingOccurrences(of: "*", with: "%2A")
      }
      let name = String(segment.dropFirst().dropLast())
      guard let parameter = try parameters?[name] else { return ":\(name)" }
      guard let value = try matcher(parameter).onlyText else {
        throw Untranslatable(parameter, "isn't a single value; a stub's path takes no other condition")
      }
      return value.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? value
    }
    return .template(segments.joined(separator: "/"))
  }

  private static func matchers(_ node: JSONNode) throws -> [String: ValueMatcher] {
    Dictionary(try node.members().map { ($0.name, try matcher($0.node)) }) { $1 }
  }

  private static func matcher(_ node: JSONNode) throws -> ValueMatcher {
    try WireMockMatcher.text(node)
  }
}

// MARK: - Answers

extension ReadMapping {
  private static func result(_ response: JSONNode, files: StubFolder?) throws -> StubResult {
    try refuse(
      response,
      unless: [
        "status", "statusMessage", "headers", "body", "jsonBody", "base64Body", "bodyFileName",
        "fixedDelayMilliseconds",
        "delayDistribution", "chunkedDribbleDelay", "fault", "transformers", "transformerParameters",
      ], "has no counterpart")
    for transformer in try response["transformers"]?.elements() ?? [] {
      throw Untranslatable(transformer, "computes the answer (\(try transformer.string())); write a closure")
    }
    var result = StubResult()
    result.status = try response["status"]?.integer() ?? 200
    result.reason = try response["statusMessage"]?.string()
    for (name, node) in try response["headers"]?.members() ?? [] {
      let values = if case .array = node.value { try node.elements() } else { [node] }
      for value in values {
        result.headers.fields.append(HeaderFields.Field(name: name, value: try value.string()))
      }
    }
    if let content = try content(response, files: files) { result.content = .data(content, type: nil) }
    if let delay = try response["fixedDelayMilliseconds"] { result.delay = try delay.number() / 1_000 }
    if let dribble = try response["chunkedDribbleDelay"] {
      result = result.dribbled(
        over: try dribble.member("totalDuration").number() / 1_000,
        pieces: try dribble.member("numberOfChunks").integer())
    }
    if let fault = try response["fault"] {
      guard let known = Self.faults[try fault.string()] else { throw Untranslatable(fault, "isn't known") }
      result.fault = known
    }
    return result
  }

  private static func content(_ response: JSONNode, files: StubFolder?) throws -> Data? {
    if let body = try response["body"] { return Data(try body.string().utf8) }
    if let body = try response["base64Body"] { return try body.base64() }
    // `null` is valid JSON content.
    if let body = try response.members().first(where: { $0.name == "jsonBody" })?.node {
      return Data(body.value.description.utf8)
    }
    guard let name = try response["bodyFileName"] else { return nil }
    guard let files else { throw Untranslatable(name, "needs the folder __files") }
    do {
      return try files.data(of: try name.string())
    } catch let error as StubError {
      throw Untranslatable(name, "names a file that can't be used: \(error)")
    }
  }

  /// WireMock's faults by their names.
  static let faults: [String: HTTPFault] = [
    "CONNECTION_RESET_BY_PEER": HTTPFault(at: .response, .reset), "EMPTY_RESPONSE": HTTPFault(at: .response, .close),
    "MALFORMED_RESPONSE_CHUNK": HTTPFault(at: .responseBody, .garbage),
    "RANDOM_DATA_THEN_CLOSE": HTTPFault(at: .response, .garbage),
  ]
}
