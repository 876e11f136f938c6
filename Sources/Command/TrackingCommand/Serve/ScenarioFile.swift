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
    let forms = StubForm.forms(hasFolder: hasFolder)
    stubs = try nodes.map { (node) throws(JSONError) in
      try forms.check(node)
      return try node.stub()
    }
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
  fileprivate func stub() throws(JSONError) -> StubEndpoint {
    let nodes = try self["responses"]?.elements() ?? [self]
    return StubEndpoint(
      try requestPattern(), try nodes.map { (node) throws(JSONError) in try node.response() },
      times: try self["times"]?.integer())
  }

  private func response() throws(JSONError) -> StubResponse {
    var response = try result()
    if let delay = try self["delay"]?.number() { response = response.delayed(by: delay) }
    if let fault = try self["fault"] {
      response = response.failing(HTTPFault(try fault.word("effect"), at: try fault.word("at")))
    }
    return response
  }

  /// The response described by `status`, `headers` and a body.
  func result() throws(JSONError) -> StubResponse {
    let status = try self["status"]?.integer() ?? 200
    var result: StubResponse =
      if let json = tree["json"] {
        // The original text: parsing would round numbers.
        .text(json.text(.compact), type: "application/json", status: status)
      } else if let text = try self["text"] {
        .text(try text.string(), status: status)
      } else if let file = try self["file"] {
        .file(try file.string(), status: status)
      } else {
        .status(status)
      }
    for (name, field) in try self["headers"]?.members() ?? [] {
      for value in field.tree.elements == nil ? [field] : try field.elements() {
        result = result.adding(header: name, try value.string())
      }
    }
    return result
  }

  private func word<Word: RawRepresentable<String>>(_ name: String) throws(JSONError) -> Word {
    let node = try member(name)
    guard let word = Word(rawValue: try node.string()) else { throw node.mismatch("a word of \(name)") }
    return word
  }
}
