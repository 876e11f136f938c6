import Foundation
import StubModel
import TrackingJSON
import TrackingModel
import TrackingServer

extension AcceptedFormat {
  /// Snowplow: tracker protocol 2 by POST and GET, with self-describing data as plain text or in base64.
  public static let snowplow = AcceptedFormat(SnowplowFormat())
}

// Sources: snowplow-tracker 1.1.0 (payload.py, emitters.py) and snowplow-ios-tracker 900e0698 (NetworkConfiguration.swift:103).
/// Snowplow's tracker protocol, in which all members of a payload are strings; the JSON in `ue_px`, `ue_pr`, `cx` and `co` keeps its types.
struct SnowplowFormat: PromptFormat {
  let name = "Snowplow"
  let endpoints: [RequestPattern] = [
    .request(.post, "/com.snowplowanalytics.snowplow/tp2"), .request(.get, "/i"),
  ]

  func submission(in request: ReceivedRequest) throws -> DecodedSubmission? {
    if request.method == "GET" || request.body.isEmpty {
      let members = try request.wireQuery().members()
      guard members["e"] != nil, members["p"] != nil || members["tv"] != nil else { return nil }
      var submission = DecodedSubmission(items: [], response: .pixel)
      submission.read("query") { $0.items.append(try item(of: members)) }
      return submission
    }
    guard case .object(let body) = try request.wireJSON(), let payloads = body["data"]?.arrayValue else { return nil }
    var submission = DecodedSubmission(items: [], response: .text("ok"))
    for (index, payload) in payloads.enumerated() {
      submission.read("data[\(index)]") { $0.items.append(try item(of: Optional(payload).members())) }
    }
    return submission
  }

  private func item(of payload: [String: TrackingValue]) throws -> DecodedSubmission.Item {
    var context = payload
    guard let type = payload["e"]?.word else {
      throw DecodedSubmission.Malformed(path: "e", reason: "missing; expected the event's type")
    }
    if let entities = try Self.json("co", "cx", &context)?.value.objectValue?["data"] { context["entities"] = entities }
    let event: TrackingEvent
    let kind: DecodedSubmission.Kind
    switch type {
    case "ue":
      (kind, event) = try selfDescribing(&context)
    case "se":
      guard let action = context.removeValue(forKey: "se_ac")?.stringValue else {
        throw DecodedSubmission.Malformed(path: "se_ac", reason: "missing; expected the event's action")
      }
      kind = .track
      event = TrackingEvent(
        name: action,
        params: context.take(["se_ca": "category", "se_la": "label", "se_pr": "property", "se_va": "value"]))
    case "pv":
      kind = .screen
      event = TrackingEvent(
        name: payload["page"]?.stringValue ?? payload["url"]?.stringValue ?? "page_view",
        params: context.take(["page": "title", "url": "url", "refr": "referrer"]))
    case "pp":
      (kind, event) = (.automatic, TrackingEvent(name: "page_ping", params: [:]))
    default:
      (kind, event) = (.other, TrackingEvent(name: type, params: [:]))
    }
    return DecodedSubmission.Item(
      kind, event, id: payload["eid"]?.stringValue, time: (payload["ttm"] ?? payload["dtm"]).flatMap(Date.init(wire:)),
      context: context, isText: type != "ue")
  }

  /// Reads a self-describing event: `iglu:VENDOR/NAME/jsonschema/VERSION` and its data.
  private func selfDescribing(
    _ context: inout [String: TrackingValue]
  ) throws -> (DecodedSubmission.Kind, TrackingEvent) {
    let read = try Self.json("ue_pr", "ue_px", &context)
    let path = read?.member ?? "ue_pr"
    guard let envelope = read?.value.objectValue?["data"]?.objectValue, let schema = envelope["schema"]?.word else {
      throw DecodedSubmission.Malformed(path: path, reason: "no self-describing event with a schema")
    }
    context["schema"] = .string(schema)
    let parts = schema.split(separator: ":", maxSplits: 1).last?.split(separator: "/") ?? []
    guard parts.count == 4 else {
      throw DecodedSubmission.Malformed(path: path, reason: "\"\(schema)\" is not an Iglu schema")
    }
    let (vendor, name) = (String(parts[0]), String(parts[1]))
    let data = try envelope["data"].members(at: "\(path).data.data")
    let isTrackers = Self.trackersVendors.contains(vendor)
    if isTrackers, name == "screen_view" {
      return (.screen, TrackingEvent(name: data["name"]?.stringValue ?? name, members: data))
    }
    let kind: DecodedSubmission.Kind = isTrackers && Self.lifecycle.contains(name) ? .automatic : .track
    return (kind, TrackingEvent(name: name, members: data))
  }

  /// The vendors of the trackers' own schemas.
  private static let trackersVendors = ["com.snowplowanalytics.snowplow", "com.snowplowanalytics.mobile"]
  /// The events that mobile trackers send automatically.
  private static let lifecycle: Set<String> = [
    "application_background", "application_error", "application_foreground", "application_install", "screen_end",
    "screen_summary",
  ]

  /// Reads JSON from one member as plain text, or from another as URL-safe base64; returns it with the member.
  private static func json(
    _ plain: String, _ encoded: String, _ members: inout [String: TrackingValue]
  ) throws -> (value: TrackingValue, member: String)? {
    let text = members.removeValue(forKey: plain)?.stringValue
    let member = text == nil ? encoded : plain
    do throws(JSONError) {
      if let text { return (try TrackingValue(json: text), member) }
      guard let text = members.removeValue(forKey: encoded)?.stringValue else { return nil }
      guard let data = Data(base64: text.utf8) else { throw JSONError(reason: "not base64", offset: 0) }
      return (try TrackingValue(json: data), member)
    } catch {
      throw DecodedSubmission.Malformed(path: member.appending(path: error.path), reason: error.reason)
    }
  }
}

extension StubResponse {
  /// A transparent image of one pixel, the response to trackers that use GET.
  static let pixel = StubResponse.data(
    Data(base64Encoded: "R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7") ?? Data(), type: "image/gif")
}
