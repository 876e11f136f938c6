import Foundation
import StubModel
import TrackingJSON
import TrackingModel
import TrackingPatterns
import TrackingPlan
import TrackingServer
import VendorFormats

/// A format for an app's own requests: a file for `serve --accept` with the arguments of `JSONEventFormat`.
///
/// ```json
/// {"request": "POST /track", "events": "items[]", "where": {"kind": "event"}, "name": "n", "params": "p", "id": "uid", "time": "ts", "at": "line"}
/// ```
///
/// Only `request` and `name` are required: without `events`, the body is one event; without `params`, they are the remaining members. `status`,
/// `json`, `text` and `headers` describe the response, as in a scenario.
struct FormatFile {
  let format: AcceptedFormat

  /// - Throws: The mistake and its place in the file.
  init(contentsOf path: String) throws(PlanError) {
    format = try JSONFile(at: path).read { (root) throws(JSONError) in
      try Self.format(root, named: URL(fileURLWithPath: path).deletingPathExtension().lastPathComponent)
    }
  }

  static let forms = {
    let members: [FormMember] = [
      .required(
        "request", FormMember.request("").shape, "The method and the path to which the app posts."),
      .init("events", .text(), "The path of the events; without it, the body is one event."),
      .init("where", .map(), "Members that an item has if it is an event."),
      .required("name", .text(), "The path of the name."),
      .init("params", .text(), "The path of the params; without it, they are what is left."),
      .init("id", .text(), "The path of what identifies an event that is sent again."),
      .init("time", .text(), "The path of its time."),
      .init("at", .text(), "The path of the line that tracked it."), StubForm.status, StubForm.headers,
    ]
    let bodies = StubForm.responses(hasFolder: false).all.map { response in
      Form(response.selector, members + response.members.filter { $0.name == response.selector })
    }
    return Forms(bodies, one: "a response has one body")
  }()

  private static func format(_ root: JSONNode, named name: String) throws(JSONError) -> AcceptedFormat {
    try forms.check(root)
    var format = JSONEventFormat(
      name, events: try root["events"]?.path() ?? "",
      where: Dictionary(try root["where"]?.literals() ?? []) { $1 },
      name: try root.member("name").path(), params: try root["params"]?.path() ?? ".",
      id: try root["id"]?.path(), time: try root["time"]?.path(),
      callSite: try root["at"]?.path())
    for condition in try root["where"]?.members() ?? [] { _ = try condition.node.path(condition.name) }
    let request = try root.member("request")
    // The server selects a format by method and path, before it reads the rest of a request.
    if try request.string().contains("?") { throw request.error("a format is known by its method and path alone") }
    let pattern = try root.requestPattern()
    format.endpoints = [pattern]
    // The app's URL, unless its path is a pattern.
    if case .template(let path)? = pattern.conditions.first?.path.form, !path.contains(/[:*]/) { format.path = path }
    let response = try root.result()
    do throws(StubError) {
      _ = try PreparedResponse(response, folder: nil)
    } catch {
      throw (try root["headers"] ?? root).error("\(error)")
    }
    format.response = response
    return AcceptedFormat(format)
  }
}

extension JSONNode {
  /// Returns the path in a text, or in a member's name; refuses brackets that could match nothing.
  fileprivate func path(_ name: String? = nil) throws(JSONError) -> String {
    let text = if let name { name } else { try string() }
    guard let part = JSONPath(text).misplacedBracket else { return text }
    throw error("\"\(part)\" isn't a path: only \"[]\" at the end of a name means the elements of an array")
  }
}
