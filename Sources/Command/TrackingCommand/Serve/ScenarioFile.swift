import Foundation
import StubModel
import TrackingJSON
import TrackingModel
import TrackingPatterns

/// The stubs of `--scenario` and `POST stubs`: a JSON array of stubs, whose requests are described as in a check.
///
/// ```json
/// [
///   {"request": "GET /books/:id", "json": {"id": 42, "title": "Walden"}},
///   {"request": "POST /orders", "body": {"sku": "lamp"}, "responses": [{"status": 503, "delay": 0.5}, {"status": 201}]},
///   {"request": "/images/cover.png", "requestHeaders": {"Accept": "image/png"}, "file": "cover.png"},
///   {"request": "GET /prices", "query": {"page": "2"}, "fault": {"at": "responseBody", "effect": "reset"}, "times": 1}
/// ]
/// ```
///
/// Of several responses, each is sent once, the last one repeatedly. Of several stubs for a request, the last one responds. Paths of files are
/// relative to the scenario's folder.
struct ScenarioFile {
  let stubs: [StubEndpoint]

  /// - Parameter hasFolder: Whether responses may name files beside the scenario.
  /// - Throws: The mistake and its place.
  init(_ root: JSONNode, hasFolder: Bool) throws(JSONError) {
    let nodes = try root.elements()
    stubs = try nodes.map { (node) throws(JSONError) in try node.stub(hasFolder: hasFolder) }
    let order = StubOrder(stubs)
    for (place, node) in nodes.enumerated() {
      guard let other = order.hider(of: place, for: try node.exampleRequests()) else { continue }
      throw node.error(
        """
        never responds, because \(nodes[other].path) matches the same requests and comes first, as the later one does; \
        write one stub with "responses", or put the one with "times" last
        """)
    }
  }
}

private struct StubOrder {
  private var table = StubTable()
  private var places: [StubTable.ID: Int] = [:]
  private var isLimited: [Bool] = []

  init(_ stubs: [StubEndpoint]) {
    isLimited = stubs.map { $0.options.times != nil }
    for (place, stub) in stubs.enumerated() {
      // Without responses, because their files aren't read here. Installation refuses invalid patterns.
      guard let prepared = try? PreparedStub(StubEndpoint(stub.pattern, .ok), folder: nil) else { continue }
      places[table.install(prepared)] = place
    }
  }

  /// Returns a stub that always responds before the one at `place`.
  ///
  /// - Parameter examples: Requests with only the parts that the stub requires. Because conditions require parts, a stub that matches all
  ///   examples matches every request that the stub at `place` matches.
  func hider(of place: Int, for examples: [ReceivedRequest]) -> Int? {
    let hiders = Set(examples.map { hider(of: place, for: $0) })
    return hiders.count == 1 ? hiders.first ?? nil : nil
  }

  private func hider(of place: Int, for example: ReceivedRequest) -> Int? {
    let parsed = ParsedRequest(example)
    var candidates = table.candidates(for: parsed)
    while case .match(let match) = candidates.search(parsed, callsCode: false), let other = places[match.id] {
      guard other != place else { return nil }
      if !isLimited[other] { return other }
    }
    return nil
  }
}

extension JSONNode {
  fileprivate func stub(hasFolder: Bool) throws(JSONError) -> StubEndpoint {
    let members = Dictionary(try members().map { ($0.name, $0.node) }) { $1 }
    if let old = members["path"] ?? members["method"] {
      throw old.error("is unknown here; write \"request\": \"GET /books/:id\"")
    }
    let contents = ["json", "text"] + (hasFolder ? ["file"] : [])
    let parts = ["status", "headers", "delay", "fault"] + contents
    try allow(["request", "query", "requestHeaders", "body", "times", "responses"] + parts, nullable: "json")
    let nodes = try members["responses"]?.elements() ?? [self]
    if let responses = members["responses"] {
      guard !nodes.isEmpty else { throw responses.error("expected at least one response") }
      if let part = parts.lazy.compactMap({ members[$0] }).first {
        throw part.error("is there besides responses; write it in each of them")
      }
      for node in nodes { try node.allow(parts, nullable: "json") }
    }
    return StubEndpoint(
      try requestPattern(), try nodes.map { (node) throws(JSONError) in try node.response(of: contents) },
      times: try members["times"]?.times())
  }

  private func response(of contents: [String]) throws(JSONError) -> StubResponse {
    var response = try result(of: contents)
    if let delay = try self["delay"]?.seconds() { response = response.delayed(by: delay) }
    if let fault = try self["fault"]?.fault() { response = response.failing(fault) }
    return response
  }

  /// The response described by `status`, `headers` and one of `contents`.
  func result(of contents: [String]) throws(JSONError) -> StubResponse {
    let members = Dictionary(try members().map { ($0.name, $0.node) }) { $1 }
    let given = contents.filter { members[$0] != nil }
    if given.count > 1, let other = members[given[1]] {
      throw other.error("is there besides \(given[0]); a response has one body")
    }
    let status = try members["status"]?.status() ?? 200
    var result: StubResponse =
      if let json = members["json"] {
        // The original text: parsing would round numbers.
        .text(json.tree.text(.compact), type: "application/json", status: status)
      } else if let text = members["text"] {
        .text(try text.string(), status: status)
      } else if let file = members["file"] {
        .file(try file.string(), status: status)
      } else {
        .status(status)
      }
    for (name, field) in try members["headers"]?.members() ?? [] {
      for value in field.tree.elements == nil ? [field] : try field.elements() {
        result = result.adding(header: name, try value.string())
      }
    }
    return result
  }

  private func status() throws(JSONError) -> Int {
    guard let status = try? integer(), (200...599).contains(status) else { throw mismatch("a status from 200 to 599") }
    return status
  }

  private func times() throws(JSONError) -> Int {
    guard let times = try? integer(), times > 0 else { throw mismatch("a number of at least 1") }
    return times
  }

  /// `{"at": "responseBody", "effect": "reset"}`.
  private func fault() throws(JSONError) -> HTTPFault {
    try allow(["at", "effect"])
    return HTTPFault(
      try member("effect").word(of: HTTPFault.Effect.allCases),
      at: try member("at").word(of: HTTPFault.Position.ofStubs))
  }

  private func word<Word: RawRepresentable<String>>(of words: [Word]) throws(JSONError) -> Word {
    let text = try string()
    guard let word = words.first(where: { $0.rawValue == text }) else {
      throw mismatch("one of \(words.map(\.rawValue).joined(separator: ", "))")
    }
    return word
  }
}
