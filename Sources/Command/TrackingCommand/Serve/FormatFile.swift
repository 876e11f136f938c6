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
  init(contentsOf path: String) throws {
    let url = URL(fileURLWithPath: path)
    let data: Data
    do {
      data = try Data(contentsOf: url)
    } catch {
      throw CommandError("--accept \(path): \(FileReason.of(error))")
    }
    do throws(JSONError) {
      format = try Self.format(JSONNode(data), named: url.deletingPathExtension().lastPathComponent)
    } catch {
      throw PlanError(error, in: [UInt8](data), of: path)
    }
  }

  private static func format(_ root: JSONNode, named name: String) throws(JSONError) -> AcceptedFormat {
    let response = ["status", "json", "text", "headers"]
    try root.allow(["request", "events", "where", "name", "params", "id", "time", "at"] + response, nullable: "json")
    var format = JSONEventFormat(
      name, events: try root["events"]?.string() ?? "",
      where: Dictionary(try root["where"]?.literals() ?? []) { $1 },
      name: try root.member("name").string(), params: try root["params"]?.string() ?? ".",
      id: try root["id"]?.string(), time: try root["time"]?.string(),
      callSite: try root["at"]?.string())
    let request = try root.member("request")
    // The server selects a format by method and path, before it reads the rest of a request.
    if try request.string().contains("?") { throw request.error("a format is known by its method and path alone") }
    let pattern = try root.requestPattern()
    format.endpoints = [pattern]
    // The app's URL, unless its path is a pattern.
    if case .template(let path)? = pattern.conditions.first?.path.form, !path.contains(/[:*]/) { format.path = path }
    format.response = try root.result(of: ["json", "text"])
    return AcceptedFormat(format)
  }
}
