import Foundation
import StubModel
import TrackingJSON
import TrackingModel
import TrackingServer

extension AcceptedFormat {
  /// Countly: `/i` with a query or form, and the events as JSON in the field `events`.
  public static let countly = AcceptedFormat(CountlyFormat())
}

// Sources: countly-sdk-ios (CountlyEvent.m, CountlyConnectionManager.m:1185-1215).
/// Countly's SDK protocol; the SDK accepts only a JSON response with a member `result`.
struct CountlyFormat: PromptFormat {
  let name = "Countly"
  let endpoints: [RequestPattern] = [.request(.get, "/i"), .request(.post, "/i")]
  let startupRequests = [
    StubEndpoint(.get, "/o/sdk", .json(["result": "Success", "v": 1, "t": 1, "c": [:]])),
    StubEndpoint(.post, "/o/sdk", .json(["result": "Success", "v": 1, "t": 1, "c": [:]])),
  ]

  func submission(in request: ReceivedRequest) throws -> DecodedSubmission? {
    let fields = try request.wireFields()
    guard fields["app_key"] != nil, fields["device_id"] != nil else { return nil }
    var submission = DecodedSubmission(items: [], response: .json(["result": "Success"]))
    let context = DecodedSubmission.sharedContext(
      try fields.members().filter { !Self.content.contains($0.key) }, as: "request")
    if let text = fields["events"] {
      submission.read("events") { submission in
        let list = try TrackingValue(json: text)
        guard list != .null else {
          throw DecodedSubmission.Malformed(path: "", reason: "expected an array, found null")
        }
        for (index, event) in try Optional(list).elements().enumerated() {
          submission.read("[\(index)]") { $0.items.append(try item(event, context)) }
        }
      }
    }
    if let text = fields["user_details"], !text.isEmpty {
      submission.read("user_details") {
        let details = try TrackingValue(json: text).itemMembers()
        $0.items.append(
          DecodedSubmission.Item(.identify, TrackingEvent(name: "identify", members: details), context: context))
      }
    }
    for key in ["begin_session", "session_duration", "end_session", "crash"] where fields[key] != nil {
      submission.items.append(
        DecodedSubmission.Item(.automatic, TrackingEvent(name: key, params: [:]), context: context))
    }
    return submission
  }

  /// The fields that aren't part of the context, since they are read separately.
  private static let content: Set<String> = ["events", "user_details", "crash", "metrics"]

  private func item(
    _ event: TrackingValue, _ context: [String: TrackingValue]
  ) throws(DecodedSubmission.Malformed) -> DecodedSubmission.Item {
    guard var members = event.objectValue, let key = members.removeValue(forKey: "key")?.stringValue else {
      throw DecodedSubmission.Malformed(path: "key", reason: "expected a name")
    }
    var params = try members.removeValue(forKey: "segmentation").members(at: "segmentation")
    // The SDK writes these members of every event; the values are the defaults if the app sets none.
    for (name, usual) in [("count", 1.0), ("sum", 0), ("dur", 0)] {
      guard let value = members.removeValue(forKey: name), value.numeric != usual else { continue }
      params[name] = value
    }
    let isView = key.isSameText(as: "[CLY]_view")
    let kind: DecodedSubmission.Kind = isView ? .screen : key.utf8.starts(with: "[CLY]_".utf8) ? .automatic : .track
    let name = isView ? params["name"]?.stringValue ?? key : key
    return DecodedSubmission.Item(
      kind, TrackingEvent(name: name, members: params), id: members["id"]?.id,
      time: members["timestamp"].flatMap(Date.init(wire:)), context: members.merging(context) { own, _ in own })
  }
}
