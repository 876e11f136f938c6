import Foundation
import StubModel
import TrackingJSON
import TrackingModel
import TrackingPatterns

/// The stubs of `--scenario` and of `POST stubs`: a JSON array of answers, each for the requests that its question would find.
///
/// ```json
/// [
///   {"request": "GET /books/:id", "json": {"id": 42, "title": "Walden"}},
///   {"request": "POST /orders", "body": {"sku": "lamp"}, "status": 201, "delay": 0.5, "times": 1},
///   {"request": "/images/cover.png", "file": "cover.png"},
///   {"request": "GET /prices", "query": {"page": "2"}, "fault": {"at": "responseBody", "effect": "reset"}}
/// ]
/// ```
///
/// Of several answers for one request the last one is sent; files are named from the folder of the scenario.
struct ScenarioFile {
  let stubs: [StubEndpoint]

  /// - Parameter hasFolder: Whether responses may name files beside it.
  /// - Throws: The mistake with its place.
  init(_ root: JSONNode, hasFolder: Bool) throws(JSONError) {
    stubs = try root.elements().map { (stub) throws(JSONError) in try stub.stub(hasFolder: hasFolder) }
  }
}

extension JSONNode {
  fileprivate func stub(hasFolder: Bool) throws(JSONError) -> StubEndpoint {
    let members = Dictionary(try members().map { ($0.name, $0.node) }) { $1 }
    if let old = members["path"] ?? members["method"] {
      throw old.error("is unknown here; write \"request\": \"GET /books/:id\"")
    }
    let contents = ["json", "text"] + (hasFolder ? ["file"] : [])
    try allow(
      ["request", "query", "body", "status", "headers", "delay", "fault", "times"] + contents, nullable: "json")
    var result = try result(of: contents)
    if let delay = try members["delay"]?.seconds() { result = result.delayed(by: delay) }
    if let fault = try members["fault"]?.fault() { result = result.failing(fault) }
    return StubEndpoint(try requestPattern(), result, times: try members["times"]?.times())
  }

  /// The answer that the members `status`, `headers` and one of some contents describe.
  func result(of contents: [String]) throws(JSONError) -> StubResponse {
    let members = Dictionary(try members().map { ($0.name, $0.node) }) { $1 }
    let given = contents.filter { members[$0] != nil }
    if given.count > 1, let other = members[given[1]] {
      throw other.error("is there besides \(given[0]); an answer has one body")
    }
    let status = try members["status"]?.status() ?? 200
    var result: StubResponse =
      if let json = members["json"] {
        .text(json.tree.text(.compact), type: "application/json", status: status)
      } else if let text = members["text"] {
        .text(try text.string(), status: status)
      } else if let file = members["file"] {
        .file(try file.string(), status: status)
      } else {
        .status(status)
      }
    for (name, field) in try members["headers"]?.members() ?? [] {
      result = result.adding(header: name, try field.string())
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
    // No request is known when a connection is accepted.
    return HTTPFault(at: try member("at").word(besides: .accept), try member("effect").word())
  }

  private func word<Word: RawRepresentable<String> & CaseIterable & Equatable>(
    besides excluded: Word? = nil
  ) throws(JSONError) -> Word {
    let words = Word.allCases.filter { $0 != excluded }
    let text = try string()
    guard let word = words.first(where: { $0.rawValue == text }) else {
      throw mismatch("one of \(words.map(\.rawValue).joined(separator: ", "))")
    }
    return word
  }
}
